import { z } from 'zod'
import { carriedFields, fit, side } from '../recipe/fields.ts'
import { covers } from '../recipe/steps/resize.ts'
import { defineOperation, oneOutput } from './operation.ts'

export const resize = defineOperation({
  summary: 'Resize an image, preserving its aspect ratio and format.',
  description: 'May also enlarge. Animated GIF and WebP stay animated.',
  params: z.object({
    width: side('Target width in pixels.'),
    height: side('Target height in pixels.'),
    fit: fit.default('inside'),
    gravity: covers.default('center'),
    ...carriedFields,
  }),
  files: ['image'],
  stem: 'resized',
  recipe: ({ width, height, fit, gravity, ...output }) =>
    oneOutput([{ name: 'resize', params: { width, height, fit, gravity, enlarge: true } }], output),
})
