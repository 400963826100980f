import { type ErrorName, errors } from './errors.ts'
import type { ErrorRow } from './server-errors.ts'

/** One faulty parameter, in the shape of a zod issue. */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly code: string
  readonly message: string
}

export interface ErrorDetails {
  /** More specific than the sentence in the table. */
  readonly message?: string
  /** With `invalid_params` only. */
  readonly issues?: readonly Issue[]
  readonly retryAfterSeconds?: number
  /** Additional fields of the answer. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Additional headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** Is logged, never sent to the client. */
  readonly cause?: unknown
  /** Whether it concerns a server of the caller's own, which the operator cannot fix. */
  readonly ofCaller?: boolean
}

/** The only error whose message is sent to clients. Anything else thrown becomes `internal_error`. */
export class ApiError extends Error {
  override name = 'ApiError' as const
  readonly code: ErrorName
  readonly status: number
  readonly issues: readonly Issue[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly facts: ErrorDetails['facts']
  readonly headers: Readonly<Record<string, string>>
  readonly ofCaller: boolean

  constructor(code: ErrorName, details: ErrorDetails = {}) {
    super(details.message ?? errors[code].message, { cause: details.cause })
    this.code = code
    this.status = errors[code].status
    this.issues = details.issues
    const row: ErrorRow = errors[code]
    this.retryAfterSeconds = details.retryAfterSeconds ?? row.retryAfterSeconds
    this.facts = details.facts
    this.headers = details.headers ?? {}
    this.ofCaller = details.ofCaller ?? false
  }
}

/** `invalid_params` for one parameter. */
export const invalidParam = (name: string, code: string, message: string): ApiError =>
  new ApiError('invalid_params', { message: `${name}: ${message}`, issues: [{ path: [name], code, message }] })

/** `invalid_params` with one issue for each fault. */
export const invalidParams = (issues: readonly Issue[]): ApiError =>
  new ApiError('invalid_params', {
    issues,
    message: issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join(' '),
  })
