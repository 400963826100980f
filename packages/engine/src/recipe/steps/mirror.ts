import { flippedOver, floppedOver } from '@pixelmill/codecs/hdr/placement'
import { editFrames } from '@pixelmill/codecs/pixels/rotate'
import { z } from 'zod'
import { defineStep } from '../step.ts'

/** libvips holds an animation as one tall strip: each frame is mirrored separately. */
export const flip = defineStep({
  label: 'Flip',
  summary: 'Mirror the picture top to bottom.',
  params: z.strictObject({}),
  example: {},
  action: { action: 'c2pa.orientation' },
  lengths: {},
  plan: (before) => before,
  from: 'decoded',
  to: () => 'finished',
  apply: async (picture) => ({
    pixels: await editFrames(picture, (frame) => frame.flip()),
    placement: flippedOver(picture.canvas),
  }),
})

export const flop = defineStep({
  label: 'Flop',
  summary: 'Mirror the picture left to right.',
  params: z.strictObject({}),
  example: {},
  action: { action: 'c2pa.orientation' },
  lengths: {},
  plan: (before) => before,
  from: 'decoded',
  to: () => 'finished',
  apply: async ({ pixels, canvas }) => ({ pixels: pixels.flop(), placement: floppedOver(canvas) }),
})
