import { recognise } from '@pixelmill/codecs'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import { type ErrorName, errors } from '../contract/errors.ts'
import type { Call, Upload } from '../http/route.ts'
import { type SourceDescription, sourceDescription } from '../http/several-images.ts'

const FIELDS = ['width', 'height', 'blurHash', 'dominantColor'] as const

const altTextAnswer = z.object({ results: z.tuple([z.object({ altText: z.string(), decorative: z.boolean() })]) })
const errorBody = z.object({ statusMessage: z.string(), message: z.string() })

/**
 * Describes an image. The text is asked of POST /v1/ai/alt-text, with the caller's credentials, and counts for its quota.
 * @throws ApiError of that endpoint, of a picture that cannot be decoded
 */
export async function describeImage(call: Call, { chunks }: Upload, account: string): Promise<SourceDescription> {
  const bytes = Buffer.concat(chunks)
  const { report } = await call.services.pool.of(account).run('info', { fields: [...FIELDS] }, [[bytes]], call.signal)
  const uri = `data:${recognise(bytes)?.mime ?? ''};base64,${bytes.toString('base64')}`
  const answer = await call.ownApi({
    method: 'POST',
    url: '/v1/ai/alt-text',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ images: [uri] })),
  })
  const body: unknown = JSON.parse(answer.body.toString())
  if (answer.status >= 400) {
    const { statusMessage, message } = errorBody.parse(body)
    throw new ApiError(statusMessage in errors ? (statusMessage as ErrorName) : 'ai_provider_error', { message })
  }
  const [{ altText, decorative }] = altTextAnswer.parse(body).results
  return sourceDescription.parse({ ...report, altText, decorative })
}
