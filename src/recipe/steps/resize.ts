import { z } from 'zod'
import { fittedInto, resizedTo } from '../../hdr/placement.ts'
import { type Gravity, windowAt } from '../../image/gravity.ts'
import { resize as resized } from '../../image/resize.ts'
import { type Box, fitted, type Size, scaled } from '../../image/size.ts'
import { fit, gravity, side } from '../fields.ts'
import { firstFrame, type Picture, settle } from '../picture.ts'
import { defineStep } from '../step.ts'

/** Seconds of a core for a megapixel of the result, on a core of an AMD EPYC (2 GHz). */
const ENLARGING = 0.06

export const covers = gravity('With cover: which part is kept. subject finds the most salient part, without a model.')

export const resize = defineStep({
  summary: 'Scale the picture into a box; with one side the aspect ratio is kept.',
  params: z
    .strictObject({
      width: side('Width of the box in pixels.').optional(),
      height: side('Height of the box in pixels.').optional(),
      fit: fit.default('inside'),
      gravity: covers.default('center'),
      enlarge: z.boolean().default(true).describe('false: a smaller picture keeps its size.'),
    })
    .refine(({ width, height }) => width !== undefined || height !== undefined, 'Needs width, height or both.'),
  lengths: { width: 'whole', height: 'whole' },
  plan(before, { enlarge, ...box }) {
    const after = { ...before, ...fitted(before, box), alpha: before.alpha || box.fit === 'contain' }
    return enlarge || !isLarger(scaled(before, box), before) ? after : before
  },
  seconds: (before, after) => (after > before ? ENLARGING * after : 0),
  from: 'placed',
  to: () => 'sized',
  async apply(picture, { width, height, fit, gravity, enlarge }, { transparent, after }) {
    const { canvas, pixels } = picture
    const background = transparent ? '#ffffff00' : '#ffffff'
    const keepsRatio = width === undefined || height === undefined
    const box = { width, height, fit: keepsRatio ? 'inside' : fit, background } as const
    if (!enlarge && isLarger(scaled(canvas, box), canvas)) return pixels
    const isPlaced = fit === 'cover' && gravity !== 'center' && !keepsRatio
    if (isPlaced) return covering(picture, { width, height }, gravity)
    return { pixels: await resized(picture, box, canvas), placement: fittedInto(canvas, box, after) }
  },
})

const isLarger = (to: Size, from: Size): boolean => to.width > from.width || to.height > from.height

/** Scales until both sides are covered, and keeps the part that the gravity names. */
async function covering(picture: Picture, window: Size, gravity: Gravity) {
  const { canvas } = picture
  const cover: Box = { ...window, fit: 'cover' }
  const to = scaled(canvas, cover)
  const whole = { width: Math.max(to.width, window.width), height: Math.max(to.height, window.height) }
  const pixels = await resized(picture, { ...whole, fit: 'fill', background: '#ffffff00' }, canvas)
  const { picture: start } = await settle({ ...picture, pixels, canvas: { ...canvas, ...whole }, stage: 'sized' })
  const corner = await windowAt(whole, window, gravity, () => firstFrame(start()))
  return { pixels: start().pixels.extract({ ...corner, ...window }), placement: resizedTo(canvas, whole, corner) }
}
