import { z } from 'zod'
import type { DailyImages } from '../contract/allowance.ts'
import type { ErrorName } from '../contract/errors.ts'
import { type Provider, providers } from './provider.ts'
import { providerFaults } from './provider-errors.ts'
import type { Tally } from './tally.ts'

const count = z.int().min(0)

/** Fields of every answer of an AI endpoint beside its results. */
export const aiMeta = {
  provider: z.enum(providers).describe("Whose model it was: the service's, or the one of `userProvider`."),
  model: z.string().describe('As its server calls it; `local` where no model had a part in the answer.'),
  usage: z
    .object({ inputTokens: count, outputTokens: count, totalTokens: count })
    .describe('Tokens as the model server counts them, those of images that failed among them; 0 where it does not say.'),
  quota: z
    .object({
      limit: count,
      used: count,
      remaining: count,
      resetsAt: z.iso.datetime(),
    })
    .optional()
    .describe('Images of the UTC day, after this request. With `provider` platform only, and not where there is no limit.'),
}

export type AiMeta = z.input<z.ZodObject<typeof aiMeta>>

export const metaOf = (provider: Provider, tally: Tally, day: DailyImages | undefined): AiMeta => {
  const quota = day && quotaOf(day)
  return { provider, model: tally.model(), usage: tally.usage(), ...(quota && { quota }) }
}

/** An unlimited account has no quota field; the headers say so. */
function quotaOf({ limit, used, remaining, resetsAt }: DailyImages): AiMeta['quota'] {
  return limit === null || remaining === null ? undefined : { limit, used, remaining, resetsAt: resetsAt.toISOString() }
}

/** Errors of one image among several. */
const imageFailures = [
  ...(['invalid_image_type', 'invalid_image', 'image_too_large', 'conversion_failed', 'server_busy', 'invalid_params'] as const),
  ...(['ai_service_unavailable', 'ai_provider_rate_limited', 'ai_provider_error', 'ai_provider_timeout'] as const),
] as const satisfies readonly ErrorName[]

const failed = z.object({
  index: count,
  status: z.literal('error'),
  error: z.object({
    code: z.enum(imageFailures).describe('As for a request that fails as a whole.'),
    message: z.string().describe('For people.'),
    kind: z.enum(providerFaults).optional().describe('With ai_provider_error.'),
  }),
})

/** The answer about several images: one result for each, in their order. An image that fails does not fail the others. */
export const multiAnswer = <Result extends z.ZodRawShape>(result: Result) =>
  z.object({
    results: z
      .array(
        z.discriminatedUnion('status', [
          z.object({ index: count.describe('Place of the image in the request, from 0.'), status: z.literal('ok'), ...result }),
          failed,
        ]),
      )
      .describe("One for each image, in their order. When all fail, the answer is the first one's error instead."),
    summary: z.object({ total: count, succeeded: count, failed: count }),
    ...aiMeta,
  })
