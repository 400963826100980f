import { component } from '@pixelmill/codecs/contract/component'
import { z } from 'zod'
import type { DailyImages } from '../contract/allowance.ts'
import type { ErrorName } from '../contract/errors.ts'
import { providerFaults } from '../contract/provider-faults.ts'
import { type Provider, providers } from './provider.ts'
import type { Tally } from './tally.ts'

const count = z.int().min(0)

/** Fields of every answer of an AI endpoint beside its results. */
export const aiMeta = {
  provider: z.enum(providers).describe("Which model was used: the service's, or the one in `userProvider`."),
  model: z.string().describe('The name that the model server uses; `local` if no model was involved.'),
  usage: z
    .object({ inputTokens: count, outputTokens: count, totalTokens: count })
    .meta(component('TokenUsage'))
    .describe('Tokens as reported by the model server, including those of failed images; 0 if it reports none.'),
  quota: z
    .object({
      limit: count,
      used: count,
      remaining: count,
      resetsAt: z.iso.datetime(),
    })
    .meta(component('AiQuota'))
    .optional()
    .describe('Images used on this UTC day, including this request. Only if `provider` is `platform` and there is a limit.'),
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

const failedSchema = z
  .object({
    index: count,
    status: z.literal('error'),
    error: z
      .object({
        code: z.enum(imageFailures).describe('The error identifier, as if the whole request had failed.'),
        message: z.string().describe('A sentence for users.'),
        kind: z.enum(providerFaults).optional().describe('Only with ai_provider_error.'),
      })
      .meta(component('AiImageError')),
  })
  .meta(component('FailedImage'))

/** The answer about several images: one result for each, in their order. An image that fails does not fail the others. */
export const multiAnswer = <Result extends z.ZodRawShape>(result: Result) =>
  z.object({
    results: z
      .array(
        z.discriminatedUnion('status', [
          z.object({ index: count.describe('Index of the image in the request, from 0.'), status: z.literal('ok'), ...result }),
          failedSchema,
        ]),
      )
      .describe('One result for each image, in order. If all images fail, the response is the error of the first.'),
    summary: z.object({ total: count, succeeded: count, failed: count }).meta(component('Summary')),
    ...aiMeta,
  })
