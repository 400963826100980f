import type { z } from 'zod'
import { convert } from './convert.ts'
import { crop } from './crop.ts'
import { cuts, focus } from './crops.ts'
import { enhance, modelUpscale } from './enhance.ts'
import { modelCopy } from './model-copy.ts'
import { optimize } from './optimize.ts'
import { background, modelCutOut } from './remove-background.ts'
import { resize } from './resize.ts'
import { applyCutOut, cutOutCopy } from './service-cut-out.ts'
import type { Operation, Study } from './task.ts'
import { trials } from './trials.ts'
import { watermark } from './watermark.ts'

/** Every image operation, served at POST /api/v1/<name>. To add one, write its file and add its row. */
export const operations = { convert, resize, crop, watermark, optimize } as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations

/** Every study. To add one, write its file and add its row. */
export const studies = {
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
} as const satisfies Record<string, Study>

export type StudyName = keyof typeof studies
export type StudyParams<Name extends StudyName> = z.output<(typeof studies)[Name]['params']>
export type StudyReport<Name extends StudyName> = z.output<(typeof studies)[Name]['report']>
