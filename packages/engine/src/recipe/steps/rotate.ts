import { limits } from '@pixelmill/codecs/contract/limits'
import { turnedBy } from '@pixelmill/codecs/hdr/placement'
import { editFrames, rotate as turned } from '@pixelmill/codecs/pixels/rotate'
import { rotatedSize } from '@pixelmill/codecs/pixels/size'
import { z } from 'zod'
import { inColour, isGrey, isTransparent } from '../background.ts'
import { colour, number } from '../fields.ts'
import { defineStep } from '../step.ts'

/** Seconds a megapixel of the source, by any angle but a multiple of 90°. */
const TURNING = 0.035

const TRANSPARENT = '#ffffff00'

const isQuarter = (angle: number): boolean => angle % 90 === 0

export const rotate = defineStep({
  label: 'Rotate',
  summary: 'Rotate clockwise.',
  params: z.strictObject({
    angle: number(limits.rotate, 'Degrees clockwise.'),
    // No default: the identity of recipes without it stays as it was.
    background: colour(
      'What the corners become that an angle other than a multiple of 90 opens: by default transparent, in formats without transparency white.',
    ).optional(),
  }),
  example: { angle: 90 },
  action: { action: 'c2pa.orientation' },
  lengths: {},
  plan: (before, { angle, background = TRANSPARENT }) => ({
    ...before,
    ...rotatedSize(before, angle),
    alpha: before.alpha || (!isQuarter(angle) && isTransparent(background)),
    grey: before.grey && (isQuarter(angle) || isGrey(background)),
  }),
  isNeutral: (_before, { angle }) => angle % 360 === 0,
  seconds: (before, _after, { angle }) => (isQuarter(angle) ? 0 : TURNING * before),
  from: 'decoded',
  to: ({ angle }) => (isQuarter(angle) ? 'placed' : 'decoded'),
  async apply(picture, { angle, background = TRANSPARENT }, { after }) {
    if (angle % 360 === 0) return picture.pixels
    const inColours = isQuarter(angle) || isGrey(background) ? picture : { ...picture, pixels: await inColour(picture) }
    const pixels = await editFrames(inColours, (frame) => turned(frame, angle, { background, alpha: after.alpha }))
    return { pixels, placement: turnedBy(picture.canvas, angle, after) }
  },
})
