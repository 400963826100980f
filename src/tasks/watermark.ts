import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { opacity, position, scale } from '../recipe/steps/watermark.ts'
import { defineOperation, oneOutput } from './operation.ts'

export const watermark = defineOperation({
  summary: 'Overlay a watermark image.',
  description:
    'The watermark keeps its ratio and never exceeds the base. It is applied to every frame of an animation; an animated watermark contributes its first frame.',
  params: z.object({
    position,
    opacity: opacity.default(limits.opacity.default),
    scale: scale.default(limits.scale.default),
  }),
  files: ['image', 'watermark'],
  stem: 'watermarked',
  recipe: (params) => oneOutput([{ name: 'watermark', params: { image: 'watermark', ...params } }]),
})
