import { acceptedFormat } from '@pixelmill/codecs'
import { limits } from '@pixelmill/codecs/contract/limits'
import { inlineImage } from '@pixelmill/engine/crops/inline-image'
import { z } from 'zod'
import { ApiError } from '../../contract/api-error.ts'
import { aiHeaderTexts, jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { multiAnswer } from '../answer.ts'
import { eachImage } from '../each-image.ts'
import { userProvider } from '../provider.ts'
import { measure } from '../recommend/choose.ts'
import { isDrawn, judge } from '../recommend/judgement.ts'
import { recommendation, recommend as recommendationOf } from '../recommend/recommendation.ts'
import { useCaseNames, useCases } from '../recommend/use-cases.ts'
import { answerWithAi, imageErrors, modelErrors } from './answer-with-ai.ts'

/** Images that are not measured by then get server_busy: proxies wait for 120 s at most. */
const LONGEST_MS = 100_000

/** Clients that compute sizes may send decimals. */
const claim = z.number().min(0).overwrite(Math.round).optional()

const image = z.object({
  data: inlineImage,
  filename: z.string().max(limits.ai.originalNameLength).default('image').describe('Returned unchanged in the response.'),
  width: claim.describe('In pixels. The file itself decides; `reasons` reports a difference.'),
  height: claim.describe('In pixels; see `width`.'),
  fileSize: claim.describe('In bytes; see `width`.'),
  mimeType: z.string().max(100).optional().describe('See `width`.'),
})

const useCase = z.enum(useCaseNames)

export const recommend = defineRoute({
  method: 'POST',
  path: '/v1/ai/recommend',
  name: 'recommend',
  tag: 'AI',
  summary: 'Recommend format, quality and size for images.',
  description:
    "Encodes each image in every format that suits the use case, at the size that it needs, and measures bytes and similarity. A model only judges what kind of picture it is; without a model, or if the service's model fails, the pixels decide. Each image counts once for the daily quota; failed images do not count.",
  admission: 'ai',
  json: z.object({
    images: z.array(image).min(1).max(limits.ai.recommendImages).describe('1 – 20 images with optional information about them.'),
    useCase: useCase.default('general').describe('The use case, which determines formats, quality and maximum size.'),
    userProvider: userProvider.optional(),
  }),
  images: true,
  produces: ['application/json'],
  answer: multiAnswer(recommendation).extend({ useCase }),
  headers: aiHeaderTexts,
  errors: [...modelErrors, ...imageErrors],
  async handle(call) {
    const { images, useCase } = call.body
    const { ai } = call.services
    const row = useCases[useCase]
    const answer = await answerWithAi(call, { images: images.length, model: 'optional' }, async (request) => {
      using late = deadline(LONGEST_MS)
      const results = await eachImage(images, request.signal, async ({ data, ...claims }, _, signal) => {
        if (!acceptedFormat([data.bytes], ai.heic)) throw new ApiError('invalid_image_type')
        const inTime = AbortSignal.any([signal, late.signal])
        const judgement = await judge(ai, request, data, row, inTime)
        const trials = await measure(ai, request.account, data, row, judgement && isDrawn(judgement), inTime)
        return recommendationOf({ useCase: row, trials, bytes: data.bytes.length, judgement }, claims)
      })
      return { body: { useCase, ...results }, failed: results.summary.failed }
    })
    return jsonReply(answer)
  },
})

/** Aborts with server_busy after `ms`. */
function deadline(ms: number): Disposable & { readonly signal: AbortSignal } {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new ApiError('server_busy', { retryAfterSeconds: 5 })), ms)
  return { signal: late.signal, [Symbol.dispose]: () => clearTimeout(timer) }
}
