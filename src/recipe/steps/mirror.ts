import { z } from 'zod'
import { editFrames } from '../../image/rotate.ts'
import { defineStep, type StepRow } from '../step.ts'

const mirror = (summary: string, apply: StepRow['apply']) =>
  defineStep({
    ...{ summary, params: z.strictObject({}), lengths: {}, plan: (before) => before },
    ...{ from: 'decoded', to: () => 'finished', apply },
  })

/** libvips holds an animation as one tall strip: each frame is mirrored separately. */
export const flip = mirror('Mirror the picture top to bottom.', (picture) => editFrames(picture, (frame) => frame.flip()))

export const flop = mirror('Mirror the picture left to right.', ({ pixels }) => pixels.flop())
