import type { z } from 'zod'
import { applyCutOut } from './apply-cut-out.ts'
import { background } from './background.ts'
import { cutOutCopy } from './cut-out-copy.ts'
import { cuts } from './cuts.ts'
import { enhance } from './enhance.ts'
import { focus } from './focus.ts'
import { modelCopy } from './model-copy.ts'
import { modelCutOut } from './model-cut-out.ts'
import { modelUpscale } from './model-upscale.ts'
import type { Study } from './study.ts'
import { trials } from './trials.ts'

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
