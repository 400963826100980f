import { parseJson } from '@pixelmill/codecs/contract/parse'
import type Stripe from 'stripe'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'

/** The fields of every event of Stripe; the shape of `object` depends on the type. */
const webhookEvent = z.object({
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.unknown() }),
})

export type WebhookEvent = z.output<typeof webhookEvent>

/**
 * Stripe's recommendation against replay attacks, applied in both directions: its library accepts times in the future. By this
 * machine's clock, so that unsigned requests cost no query.
 */
const TOLERANCE_SECONDS = 300

/**
 * Verifies and parses an event from the raw body.
 * @throws ApiError invalid_stripe_signature; invalid_params for a signed body that is not an event, as in Stripe's own examples
 */
export function readWebhookEvent(stripe: Stripe, secret: string, raw: Buffer, signature: string | undefined): WebhookEvent {
  return parseJson(webhookEvent, verifyEvent(stripe, secret, raw, signature))
}

function verifyEvent(stripe: Stripe, secret: string, raw: Buffer, signature = ''): unknown {
  if (isFromTheFuture(signature)) throw new ApiError('invalid_stripe_signature')
  try {
    return stripe.webhooks.constructEvent(raw, signature, secret, TOLERANCE_SECONDS)
  } catch (cause) {
    if (cause instanceof Error && 'type' in cause && cause.type === 'StripeSignatureVerificationError')
      throw new ApiError('invalid_stripe_signature', { cause })
    const message = 'The body is no event of Stripe.'
    throw new ApiError('invalid_params', { message, issues: [{ path: [], code: 'invalid_format', message }], cause })
  }
}

/** Checks every timestamp in the header, as the library decides which one counts. */
const isFromTheFuture = (signature: string): boolean =>
  signature
    .split(',')
    .map((part) => part.split('='))
    .some(([name, time]) => name === 't' && Number.parseInt(time ?? '', 10) - Date.now() / 1000 > TOLERANCE_SECONDS)
