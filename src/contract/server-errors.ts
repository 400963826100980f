/** Only the operator can fix these, so clients need not retry soon. */
const OPERATOR_S = 3_600

/** Errors that are not caused by the request: status 500 and above. */
export const serverErrors = {
  conversion_failed: {
    status: 500,
    message: 'The image could not be processed. Nothing was charged.',
    when: 'The renderer crashed, ran out of memory or time, or failed on a readable image. The server and other requests live on.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side. Nothing was charged; please try again.',
    when: 'A fault of the server that has nothing to do with the image. The log has the details under the request id.',
  },
  billing_provider_error: {
    status: 502,
    message: 'The payment provider did not answer as it should. Nothing was bought; please try again.',
    when: 'Stripe refused, failed or did not answer in time. The log has the details under the request id.',
  },
  ai_provider_error: {
    status: 502,
    message: 'The model server did not answer as it should.',
    when: 'AI endpoints: the model server refused, failed, or answered nonsense. `kind` says which: auth, quota, model_not_found, no_vision, refused, bad_output or network. Nothing was charged.',
  },
  billing_not_configured: {
    status: 503,
    message: 'Credits are not sold here; ask the administrator for some.',
    when: 'STRIPE_SECRET_KEY is not set.',
    retryAfterSeconds: OPERATOR_S,
  },
  ai_service_unavailable: {
    status: 503,
    message: 'This server has no AI model; send userProvider to use one of your own.',
    when: 'AI endpoints that need a model, with none set (AI_BASE_URL, AI_MODEL), or with one that is overloaded.',
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
    when: 'PostgreSQL is down, starting, stopping, or has no connection or no room left. The log has the details under the request id.',
  },
  server_busy: {
    status: 503,
    message: 'The server has all the work it can queue; try again as Retry-After says.',
    when: 'The queue of image work or of passwords to check is full, or the server is starting or stopping. Nothing was charged.',
  },
  storage_full: {
    status: 503,
    message: 'The server has no space for more files; try again as Retry-After says.',
    when: 'The disk or bucket that keeps archives and results is full. Nothing was charged.',
  },
  storage_unavailable: {
    status: 503,
    message: 'Files cannot be kept or read at the moment; try again as Retry-After says.',
    when: 'The disk or bucket that keeps archives and results does not answer. Nothing was charged.',
  },
  ai_provider_timeout: {
    status: 504,
    message: 'The model server did not answer in time.',
    when: 'AI endpoints: the model server took longer than AI_TIMEOUT_S. Nothing was charged.',
  },
} as const satisfies Record<string, ErrorRow>

/** An error, as data. */
export interface ErrorRow {
  readonly status: number
  /** For people: one sentence that says what to do. `ApiError` may have a more specific one. */
  readonly message: string
  /** When it happens, for the documentation. */
  readonly when: string
  /** The default for 429 and 503 where `ApiError` has none; 1 otherwise. */
  readonly retryAfterSeconds?: number
}
