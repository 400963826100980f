import { z } from 'zod'
import { limits } from '../../contract/limits.ts'
import { turnedBy } from '../../hdr/placement.ts'
import { editFrames, rotate as turned } from '../../image/rotate.ts'
import { rotated } from '../../image/size.ts'
import { number } from '../fields.ts'
import { defineStep } from '../step.ts'

/** Seconds a megapixel of the source, by any angle but a multiple of 90°. */
const TURNING = 0.035

const isQuarter = (angle: number): boolean => angle % 90 === 0

export const rotate = defineStep({
  summary: 'Rotate clockwise; the corners that an angle other than a multiple of 90 opens are transparent, or white.',
  params: z.strictObject({ angle: number(limits.rotate, 'Degrees clockwise.') }),
  lengths: {},
  plan: (before, { angle }) => ({ ...before, ...rotated(before, angle), alpha: before.alpha || !isQuarter(angle) }),
  seconds: (before, _after, { angle }) => (isQuarter(angle) ? 0 : TURNING * before),
  from: 'decoded',
  to: ({ angle }) => (isQuarter(angle) ? 'placed' : 'decoded'),
  async apply(picture, { angle }, { after }) {
    if (angle % 360 === 0) return picture.pixels
    const pixels = await editFrames(picture, (frame) => turned(frame, angle))
    return { pixels, placement: turnedBy(picture.canvas, angle, after) }
  },
})
