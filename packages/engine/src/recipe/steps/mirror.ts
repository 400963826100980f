import { flippedOver, floppedOver } from '@pixelmill/codecs/hdr/placement'
import { editFrames } from '@pixelmill/codecs/pixels/rotate'
import { z } from 'zod'
import { defineStep, type StepRow } from '../step.ts'

const mirror = (summary: string, apply: StepRow['apply']) =>
  defineStep({
    ...{ summary, params: z.strictObject({}), lengths: {}, plan: (before) => before },
    ...{ from: 'decoded', to: () => 'finished', apply },
  })

/** libvips holds an animation as one tall strip: each frame is mirrored separately. */
export const flip = mirror('Mirror the picture top to bottom.', async (picture) => ({
  pixels: await editFrames(picture, (frame) => frame.flip()),
  placement: flippedOver(picture.canvas),
}))

export const flop = mirror('Mirror the picture left to right.', async ({ pixels, canvas }) => ({
  pixels: pixels.flop(),
  placement: floppedOver(canvas),
}))
