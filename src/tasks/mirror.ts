import type { Sharp } from 'sharp'
import { z } from 'zod'
import type { Image } from '../image/open.ts'
import { editFrames } from '../image/rotate.ts'
import { encodeSameFormat } from './plan.ts'
import { defineOperation } from './task.ts'

const mirror = (summary: string, stem: string, mirrored: (image: Image) => Sharp | Promise<Sharp>) =>
  defineOperation({
    summary,
    description:
      'Applies to the image as displayed, after EXIF orientation. Animated GIF and WebP stay animated. The format is kept.',
    params: z.object({}),
    files: ['image'],
    stem,
    plan: ({ codec, alpha, width, height }) => ({ codec, alpha, width, height }),
    render: async (image, _params, plan) => encodeSameFormat(image, await mirrored(image), plan),
  })

/** libvips holds an animation as one tall strip: each frame is mirrored separately. */
export const flip = mirror('Mirror an image top to bottom.', 'flipped', (image) => editFrames(image, (frame) => frame.flip()))

export const flop = mirror('Mirror an image left to right.', 'flopped', ({ pixels }) => pixels.flop())
