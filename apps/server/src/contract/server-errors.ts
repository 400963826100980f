import { type ErrorRow as CodedRow, imageErrors } from '@pixelmill/codecs/contract/image-errors'

/** Only the operator can fix these, so clients need not retry soon. */
const OPERATOR_S = 3_600

/** Errors that are not caused by the request: status 500 and above. */
export const serverErrors = {
  conversion_failed: { status: 500, ...imageErrors.conversion_failed },
  internal_error: { status: 500, ...imageErrors.internal_error },
  billing_provider_error: {
    status: 502,
    message: 'The payment provider returned an error or did not answer. Nothing was bought; please try again.',
    when: 'Stripe refused, failed or did not answer in time.',
  },
  source_unavailable: {
    status: 502,
    message: 'The original could not be read from its source; try again later.',
    when: 'The source did not answer in time, redirects where that is not allowed, or sends an error or more than 15 MB, and no earlier result is kept; or the image at `imageUrl` could not be fetched, as the message says.',
    retryAfterSeconds: 5,
  },
  ai_provider_error: {
    status: 502,
    message: 'The model server returned an error or an invalid answer.',
    when: 'The model server refused, failed, or sent an invalid answer. `kind` says which: auth, quota, model_not_found, no_vision, refused, bad_output or network.',
  },
  billing_not_configured: {
    status: 503,
    message: 'Credits are not for sale on this server; ask its administrator for some.',
    when: 'STRIPE_SECRET_KEY is not set.',
    retryAfterSeconds: OPERATOR_S,
  },
  ai_service_unavailable: {
    status: 503,
    message: 'This server has no AI model; send userProvider to use your own.',
    when: 'No model is configured (AI_BASE_URL, AI_MODEL), or it is overloaded.',
    retryAfterSeconds: OPERATOR_S,
  },
  ai_key_encryption_disabled: {
    status: 503,
    message: 'This server cannot save AI keys; send apiKey with each request.',
    when: 'A key is to be saved or used, but the server uses DATABASE_URL and AI_KEY_ENCRYPTION_SECRET is not set.',
    retryAfterSeconds: OPERATOR_S,
  },
  database_unavailable: {
    status: 503,
    message: 'The server cannot reach its database; try again as Retry-After says. Nothing was charged.',
    when: 'PostgreSQL is down, starting, stopping, or out of connections or disk space.',
  },
  server_busy: { status: 503, ...imageErrors.server_busy },
  storage_full: {
    status: 503,
    message: 'The server has no space for more files; try again as Retry-After says.',
    when: 'The disk or bucket that keeps archives and results is full.',
  },
  storage_unavailable: {
    status: 503,
    message: 'Files cannot be stored or read at the moment; try again as Retry-After says.',
    when: 'The disk or bucket that keeps archives and results does not answer.',
  },
  ai_provider_timeout: {
    status: 504,
    message: 'The model server did not answer in time.',
    when: 'The model server took longer than AI_TIMEOUT_S.',
  },
} as const satisfies Record<string, ErrorRow>

/** An error of the API, as data. */
export interface ErrorRow extends CodedRow {
  readonly status: number
  /** The default for 429 and 503 where what is thrown has none; 1 otherwise. */
  readonly retryAfterSeconds?: number
}
