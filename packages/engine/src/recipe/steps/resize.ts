import { cutPlacement, fittedInto, resizedTo } from '@pixelmill/codecs/hdr/placement'
import { type Box, fittedSize, type Size, scaledSize } from '@pixelmill/codecs/pixels/size'
import { z } from 'zod'
import { type Gravity, windowAt } from '../../image/gravity.ts'
import { resize as resized } from '../../image/resize.ts'
import { fit, gravity, side } from '../fields.ts'
import type { Picture } from '../picture.ts'
import { firstFrame, settle } from '../settle.ts'
import { defineStep } from '../step.ts'
import { SEEKING } from './crop.ts'

/** Seconds of a core for a megapixel of the result, on a core of an AMD EPYC (2 GHz). */
const ENLARGING = 0.08

export const covers = gravity('With cover: which part is kept. subject finds the most salient part, without a model.')

const sentParams = z
  .strictObject({
    width: side('Width of the box in pixels.').optional(),
    height: side('Height of the box in pixels.').optional(),
    fit: fit.default('inside'),
    gravity: covers.default('center'),
    enlarge: z
      .boolean()
      .default(true)
      .describe('false: a smaller picture keeps its size; with cover each of its sides is cut to that of the box.'),
  })
  .refine(({ width, height }) => width !== undefined || height !== undefined, 'Needs width, height or both.')

/** dpr is that of an output, by which width and height were multiplied; it is not sent. */
type Params = z.output<typeof sentParams> & { readonly dpr?: number }

export const resize = defineStep({
  label: 'Resize',
  summary: 'Scale the picture into a box; with one side the other follows in proportion, rounded to the nearest whole pixel.',
  params: sentParams as z.ZodType<Params>,
  example: { width: 60 },
  action: { action: 'c2pa.resized' },
  lengths: { width: 'whole', height: 'whole' },
  plan(before, { enlarge, dpr, ...box }) {
    const part = enlarge ? undefined : uncoveredSize(before, box, dpr)
    if (part) return { ...before, ...part }
    const after = { ...before, ...fittedSize(before, box), alpha: before.alpha || box.fit === 'contain' }
    return enlarge || !isLarger(scaledSize(before, box), before) ? after : before
  },
  isNeutral(before, { enlarge, dpr, ...box }) {
    const to = scaledSize(before, box)
    if (!enlarge && uncoveredSize(before, box, dpr)) return false
    if (!enlarge && isLarger(to, before)) return true
    const after = fittedSize(before, box)
    return isEqual(to, before) && isEqual(after, before)
  },
  seconds: (before, after, { gravity }) =>
    (after > before ? ENLARGING * after : 0) + (gravity === 'subject' ? SEEKING * before : 0),
  from: 'placed',
  to: () => 'sized',
  async apply(picture, { width, height, fit, gravity, enlarge, dpr }, { transparent, after }) {
    const { canvas, pixels } = picture
    const part = enlarge ? undefined : uncoveredSize(canvas, { width, height, fit }, dpr)
    if (part) {
      const corner = await windowAt(canvas, part, gravity, () => firstFrame(picture))
      return { pixels: pixels.extract({ ...corner, ...part }), placement: cutPlacement(canvas, corner) }
    }
    const background = transparent ? '#ffffff00' : '#ffffff'
    const keepsRatio = width === undefined || height === undefined
    const box = { width, height, fit: keepsRatio ? 'inside' : fit, background } as const
    if (!enlarge && isLarger(scaledSize(canvas, box), canvas)) return pixels
    const isPlaced = fit === 'cover' && gravity !== 'center' && !keepsRatio
    if (isPlaced) return covering(picture, { width, height }, gravity)
    return { pixels: await resized(picture, box, canvas), placement: fittedInto(canvas, box, after) }
  },
})

/**
 * The part that is kept of a picture that would have to be enlarged to cover a box: each side is cut to that of the box. If it covers
 * the box before dpr multiplies it, it keeps the ratio of the box instead. Undefined where nothing is enlarged.
 */
function uncoveredSize({ width, height }: Size, box: Omit<Box, 'background'>, dpr = 1): Size | undefined {
  if (box.fit !== 'cover' || box.width === undefined || box.height === undefined) return undefined
  const shrink = Math.min(width / box.width, height / box.height)
  if (shrink >= 1) return undefined
  const times = Math.max(1 / dpr, shrink)
  const least = (side: number, boxSide: number) => Math.max(1, Math.min(side, Math.round(boxSide * times)))
  return { width: least(width, box.width), height: least(height, box.height) }
}

const isEqual = (to: Size, from: Size): boolean => to.width === from.width && to.height === from.height
const isLarger = (to: Size, from: Size): boolean => to.width > from.width || to.height > from.height

/** Scales until both sides are covered, and keeps the part that the gravity names. */
async function covering(picture: Picture, window: Size, gravity: Gravity) {
  const { canvas } = picture
  const cover: Box = { ...window, fit: 'cover' }
  const to = scaledSize(canvas, cover)
  const whole = { width: Math.max(to.width, window.width), height: Math.max(to.height, window.height) }
  const pixels = await resized(picture, { ...whole, fit: 'fill', background: '#ffffff00' }, canvas)
  const { picture: start } = await settle({ ...picture, pixels, canvas: { ...canvas, ...whole }, stage: 'sized' })
  const corner = await windowAt(whole, window, gravity, () => firstFrame(start()))
  return { pixels: start().pixels.extract({ ...corner, ...window }), placement: resizedTo(canvas, whole, corner) }
}
