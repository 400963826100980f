import type { z } from 'zod'
import type { StepRow } from '../step.ts'
import { contrast, gamma, negate, opacity, pixelate, sepia, vibrance } from './adjust.ts'
import { background, extend, trim } from './border.ts'
import { modulate, tint } from './colour.ts'
import { crop } from './crop.ts'
import { border, roundCorners } from './edges.ts'
import { flip, flop } from './mirror.ts'
import { enhance, removeBackground } from './repair.ts'
import { resize } from './resize.ts'
import { rotate } from './rotate.ts'
import { blur, grayscale, sharpen } from './tone.ts'
import { watermark } from './watermark.ts'

/** The steps of a recipe. To add one, write its row. */
export const steps = {
  crop,
  resize,
  rotate,
  flip,
  flop,
  trim,
  extend,
  blur,
  sharpen,
  grayscale,
  tint,
  modulate,
  contrast,
  gamma,
  sepia,
  vibrance,
  negate,
  pixelate,
  opacity,
  roundCorners,
  border,
  background,
  watermark,
  removeBackground,
  enhance,
} as const satisfies Record<string, StepRow>

export type StepName = keyof typeof steps
export type StepParams<Name extends StepName> = z.output<(typeof steps)[Name]['params']>
