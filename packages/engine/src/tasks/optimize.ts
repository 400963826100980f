import { limits } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'
import { carriedFields, quality, target } from '../recipe/fields.ts'
import { defineOperation, oneOutput } from './operation.ts'

export const optimize = defineOperation({
  summary: 'Re-encode to reduce size; the original format is preserved.',
  description:
    'Several encodings are tried, and the smallest that looks as good as a plain JPEG of the quality is sent: measured on this ' +
    'very picture by SSIM. At 100 no pixel changes. The answer is never larger than the input.',
  params: z.object({
    quality: quality('1–100; at 100 no pixel changes.').optional().meta({ default: limits.quality.default }),
    ...target,
    ...carriedFields,
  }),
  files: ['image'],
  stem: 'optimized',
  recipe: (params) => oneOutput([], { ...params, optimize: true }),
})
