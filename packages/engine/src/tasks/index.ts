import type { z } from 'zod'
import { convert } from './convert.ts'
import { crop } from './crop.ts'
import { cuts, focus } from './crops.ts'
import { enhance, modelUpscale } from './enhance.ts'
import { info } from './info.ts'
import { flip, flop } from './mirror.ts'
import { modelCopy } from './model-copy.ts'
import type { Operation } from './operation.ts'
import { optimize } from './optimize.ts'
import { preview } from './preview.ts'
import { recipe } from './recipe.ts'
import { background, modelCutOut } from './remove-background.ts'
import { resize } from './resize.ts'
import { applyCutOut, cutOutCopy } from './service-cut-out.ts'
import { svgCopy, svgPicture } from './svg.ts'
import type { Task } from './task.ts'
import { trials } from './trials.ts'
import { trimBox } from './trim-box.ts'
import { watermark } from './watermark.ts'

/** The image operations: tasks that are served at POST /api/v1/<name>. To add one, write its file and add its row. */
export const operations = { convert, resize, crop, flip, flop, watermark, optimize } as const satisfies Record<string, Operation>

/** All tasks of renderers: the image operations, and steps of other endpoints. To add one, write its file and add its row. */
export const tasks = {
  ...operations,
  recipe,
  preview,
  info,
  trimBox,
  modelCopy,
  focus,
  cuts,
  trials,
  enhance,
  background,
  cutOutCopy,
  applyCutOut,
  modelCutOut,
  modelUpscale,
  svgCopy,
  svgPicture,
} as const satisfies Record<string, Task>

export type OperationName = keyof typeof operations
export type TaskName = keyof typeof tasks
export type TaskParams<Name extends TaskName> = z.output<(typeof tasks)[Name]['params']>
export type TaskReport<Name extends TaskName> = z.output<(typeof tasks)[Name]['report']>
