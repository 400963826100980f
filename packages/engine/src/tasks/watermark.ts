import { limits } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'
import { carriedFields, choice } from '../recipe/fields.ts'
import { opacity, scale } from '../recipe/steps/watermark.ts'
import { defineOperation, oneOutput } from './operation.ts'

/** What a form does not say. */
const plain = { image: 'watermark', margin: 0, angle: 0, tile: false, spacing: 0 } as const

export const watermark = defineOperation({
  summary: 'Overlay a watermark image.',
  description:
    'The watermark keeps its ratio and never exceeds the base. It is applied to every frame of an animation; an animated watermark contributes its first frame.',
  params: z.object({
    position: choice(['top-left', 'top-right', 'bottom-left', 'bottom-right', 'center'], 'Corner or centre of the base.').default(
      'bottom-right',
    ),
    opacity: opacity.default(limits.opacity.default),
    scale: scale.default(limits.scale.default),
    ...carriedFields,
  }),
  files: ['image', 'watermark'],
  stem: 'watermarked',
  recipe: ({ position, opacity, scale, ...output }) =>
    oneOutput([{ name: 'watermark', params: { ...plain, position, opacity, scale } }], output),
})
