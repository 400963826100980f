import { CodedError, type ErrorDetails, ImageError } from '@pixelmill/codecs/contract/image-errors'
import { type ErrorName, errors } from './errors.ts'
import type { ErrorRow } from './server-errors.ts'

interface ApiErrorDetails extends ErrorDetails {
  /** Additional headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it concerns a server of the caller's own, which the operator cannot fix. */
  readonly ofCaller?: boolean
}

/** An error as the API answers it. */
export class ApiError extends CodedError<ErrorName> {
  override name = 'ApiError' as const
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly ofCaller: boolean

  constructor(code: ErrorName, { retryAfterSeconds, ...details }: ApiErrorDetails = {}) {
    const row: ErrorRow = errors[code]
    super(code, row.message, { ...details, retryAfterSeconds: retryAfterSeconds ?? row.retryAfterSeconds })
    this.status = row.status
    this.headers = details.headers ?? {}
    this.ofCaller = details.ofCaller ?? false
  }
}

/** What is wrong with a call, or with its image: the only errors whose messages are sent to clients. */
export type Refusal = ApiError | ImageError

export const isRefusal = (error: unknown): error is Refusal => error instanceof ApiError || error instanceof ImageError

export function asApiError(error: Refusal): ApiError {
  if (error instanceof ApiError) return error
  const { code, message, issues, retryAfterSeconds, facts, cause } = error
  return new ApiError(code, { message, issues, retryAfterSeconds, facts, cause })
}
