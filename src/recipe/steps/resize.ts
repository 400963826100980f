import { z } from 'zod'
import { resize as resized } from '../../image/resize.ts'
import { fitted } from '../../image/size.ts'
import { fit, side } from '../fields.ts'
import { defineStep } from '../step.ts'

/** Seconds a megapixel of the result: docs/decisions/0003-weigh-in-the-renderer.md. */
const ENLARGING = 0.06

export const resize = defineStep({
  summary: 'Scale the picture into a box; with one side the aspect ratio is kept.',
  params: z
    .strictObject({
      width: side('Width of the box in pixels.').optional(),
      height: side('Height of the box in pixels.').optional(),
      fit: fit.default('inside'),
    })
    .refine(({ width, height }) => width !== undefined || height !== undefined, 'Needs width, height or both.'),
  plan: (before, box) => ({ ...before, ...fitted(before, box), alpha: before.alpha || box.fit === 'contain' }),
  seconds: (before, after) => (after > before ? ENLARGING * after : 0),
  from: 'placed',
  to: () => 'sized',
  apply(picture, { width, height, fit }, { transparent }) {
    const background = transparent ? '#ffffff00' : '#ffffff'
    const keepsRatio = width === undefined || height === undefined
    return resized(picture, { width, height, fit: keepsRatio ? 'inside' : fit, background }, picture.canvas)
  },
})
