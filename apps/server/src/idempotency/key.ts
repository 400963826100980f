import { invalidParam } from '@pixelmill/codecs/contract/image-errors'

/** The header that makes a request repeatable. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key'

/** Printable ASCII, at most 255 characters, as at Stripe; a UUID is the usual choice. */
const KEY = /^[\x20-\x7e]{1,255}$/

/** @throws ApiError invalid_params for a malformed key */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header
  throw invalidParam(IDEMPOTENCY_KEY, 'invalid_format', 'Must be 1 to 255 printable ASCII characters.')
}
