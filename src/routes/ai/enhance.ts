import { z } from 'zod'
import { ApiError } from '../../contract/api-error.ts'
import { inlineImage } from '../../contract/inline-image.ts'
import { jsonReply } from '../../http/json-reply.ts'
import { aiHeaderTexts } from '../../http/rate-limit-headers.ts'
import { defineRoute } from '../../http/route.ts'
import { answerWithAi, imageErrors } from './answer-with-ai.ts'

export const enhance = defineRoute({
  method: 'POST',
  path: '/v1/ai/enhance',
  name: 'enhance',
  tag: 'AI',
  summary: 'Enlarge an image, take away its noise, or sharpen it.',
  description: 'Not yet: this version checks the request and answers 503 ai_service_unavailable. Nothing is counted.',
  admission: 'ai',
  json: z.object({
    image: inlineImage,
    mode: z
      .enum(['upscale', 'denoise', 'deblur', 'auto'])
      .default('auto')
      .describe('What is to be done; auto is what the image needs most.'),
    intensity: z.int().min(1).max(3).default(2).describe('1 is light, 2 medium, 3 strong.'),
    returnPreview: z.boolean().default(true).describe('Whether the answer has the enhanced image.'),
  }),
  images: true,
  produces: ['application/json'],
  headers: aiHeaderTexts,
  errors: ['ai_service_unavailable', 'ai_daily_limit_exceeded', ...imageErrors],
  async handle(call) {
    const answer = await answerWithAi({ ...call, body: {} }, { images: 1, model: 'optional' }, async () => {
      throw new ApiError('ai_service_unavailable', { message: 'This version does not enhance images yet; a later one will.' })
    })
    return jsonReply(answer)
  },
})
