import { z } from 'zod'
import { resize as resized } from '../image/resize.ts'
import { fitted } from '../image/size.ts'
import { fit, side } from './fields.ts'
import { encodeSameFormat } from './plan.ts'
import { defineOperation } from './task.ts'

export const resize = defineOperation({
  summary: 'Resize an image, preserving its aspect ratio and format.',
  description: 'May also enlarge. Animated GIF and WebP stay animated.',
  params: z.object({
    width: side('Target width in pixels.'),
    height: side('Target height in pixels.'),
    fit: fit.default('inside'),
  }),
  files: ['image'],
  stem: 'resized',
  plan: (source, params) => ({
    codec: source.codec,
    alpha: source.alpha || params.fit === 'contain',
    ...fitted(source, params),
  }),
  async render(image, params, plan) {
    const background = plan.codec.alpha ? '#ffffff00' : '#ffffff'
    return encodeSameFormat(image, await resized(image, { ...params, background }), plan)
  },
})
