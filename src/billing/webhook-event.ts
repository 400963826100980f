import type Stripe from 'stripe'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import { parseJson } from '../contract/parse.ts'

/** What every event of Stripe has; what `object` is depends on the type. */
const webhookEvent = z.object({
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
})

export type WebhookEvent = z.output<typeof webhookEvent>

/**
 * Stripe's own recommendation against replay, in both directions: its library lets a time in the future pass, and so for ever. By
 * this machine's clock: strangers are not worth a question to the database.
 */
const TOLERANCE_SECONDS = 300

/**
 * An event that Stripe signed, from the bytes as they came.
 * @throws ApiError invalid_signature; invalid_params for what was signed and is no event, as Stripe's own examples answer it
 */
export function readWebhookEvent(stripe: Stripe, secret: string, raw: Buffer, signature: string | undefined): WebhookEvent {
  return parseJson(webhookEvent, verified(stripe, secret, raw, signature))
}

function verified(stripe: Stripe, secret: string, raw: Buffer, signature = ''): unknown {
  if (isFromTheFuture(signature)) throw new ApiError('invalid_signature')
  try {
    return stripe.webhooks.constructEvent(raw, signature, secret, TOLERANCE_SECONDS)
  } catch (cause) {
    if (cause instanceof Error && 'type' in cause && cause.type === 'StripeSignatureVerificationError')
      throw new ApiError('invalid_signature', { cause })
    const message = 'The body is no event of Stripe.'
    throw new ApiError('invalid_params', { message, issues: [{ path: [], code: 'invalid_format', message }], cause })
  }
}

/** Any of its times, as it is the library that says which one counts. */
const isFromTheFuture = (signature: string): boolean =>
  signature
    .split(',')
    .map((part) => part.split('='))
    .some(([name, time]) => name === 't' && Number.parseInt(time ?? '', 10) - Date.now() / 1000 > TOLERANCE_SECONDS)
