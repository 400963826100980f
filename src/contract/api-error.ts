import { type ErrorName, errors } from './errors.ts'
import type { ErrorRow } from './server-errors.ts'

/** One faulty parameter, in the shape of a zod issue. */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly code: string
  readonly message: string
}

export interface ErrorDetails {
  /** Says it more exactly than the table's sentence. */
  readonly message?: string
  /** With `invalid_params` only. */
  readonly issues?: readonly Issue[]
  readonly retryAfterSeconds?: number
  /** Fields of the answer beside those that every error has. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Headers of the answer beyond those that the status asks for. */
  readonly headers?: Readonly<Record<string, string>>
  /** Goes into the log, never to the client. */
  readonly cause?: unknown
  /** Whether it is about a server of the caller's own: nothing that the operator could mend. */
  readonly ofCaller?: boolean
}

/** The only error whose words reach a client. Anything else thrown becomes `internal_error`. */
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
