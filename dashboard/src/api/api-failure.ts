/** One wrong value of a request. */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The body of every error of the API. */
export interface ErrorBody {
  readonly statusCode: number
  readonly statusMessage: string
  readonly message: string
  readonly issues?: readonly Issue[]
  readonly requestId: string
}

const UNREACHABLE = 'The server cannot be reached. Check the connection, then try again.'
const BROKEN_OFF = 'The connection broke off before the answer was complete. Check it, then try again.'
const NOT_LOADED =
  'This page could not be loaded: the server cannot be reached, or it has a newer version. Pixelmill tries again every few seconds.'
const NOT_OURS = 'Something between this page and the server answered in its place. Try again in a moment.'
const FAULT = 'Something went wrong in this page. Load it again; if that does not help, tell the administrator of this server.'

/** Statuses of a proxy whose server is unreachable, or of a server that is starting or busy. */
const TEMPORARY = [502, 503, 504]

/** A failed call with a message for users. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** The identifier to branch on: of the error table, or `unreachable`, `not_loaded` or `not_understood`. */
  readonly code: string
  readonly status: number | undefined
  readonly issues: readonly Issue[]
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: string,
    message: string,
    facts: Partial<ErrorBody> & { readonly retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message)
    this.code = code
    this.status = facts.statusCode
    this.issues = facts.issues ?? []
    this.requestId = facts.requestId
    this.retryAfterSeconds = facts.retryAfterSeconds
  }

  /** The same request may succeed in a moment. */
  get isTemporary(): boolean {
    return this.code === 'unreachable' || TEMPORARY.includes(this.status ?? 0)
  }

  /** The message for one field of a form; `rules.style` is in `rules`. */
  of(field: string): string | undefined {
    return this.issues.find(({ path }) => path[0] === field || path.join('.') === field)?.message
  }
}

export const unreachable = (): ApiFailure => new ApiFailure('unreachable', UNREACHABLE)

/** The connection broke during the body of the answer. */
export const brokenOff = (): ApiFailure => new ApiFailure('unreachable', BROKEN_OFF)

/** An answer that is not of this API, such as the page of a proxy. */
export const notOurs = (status: number, retryAfterSeconds?: number): ApiFailure =>
  new ApiFailure('not_understood', NOT_OURS, { statusCode: status, retryAfterSeconds })

const isIssue = (value: unknown): value is Issue =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  Array.isArray(value.path) &&
  'message' in value &&
  typeof value.message === 'string'

/** Of this API: a proxy may answer in JSON too, with objects where this has texts. */
const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' &&
  value !== null &&
  'statusMessage' in value &&
  typeof value.statusMessage === 'string' &&
  'message' in value &&
  typeof value.message === 'string' &&
  (!('issues' in value) || (Array.isArray(value.issues) && value.issues.every(isIssue)))

/** A script of the dashboard could not be loaded. */
export const notLoaded = (): ApiFailure => new ApiFailure('not_loaded', NOT_LOADED)

/** The failure in an unsuccessful response. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const after = Number(response.headers.get('retry-after'))
  const retryAfterSeconds = after > 0 ? after : undefined
  const body: unknown = await response.json().catch(() => undefined)
  if (isErrorBody(body)) return new ApiFailure(body.statusMessage, body.message, { ...body, retryAfterSeconds })
  return notOurs(response.status, retryAfterSeconds)
}

/**
 * Converts anything thrown into a failure with a sentence for users: that of our own errors, or a general one for a bug in the
 * page.
 */
export function asFailure(thrown: unknown): ApiFailure {
  if (thrown instanceof ApiFailure) return thrown
  if (!(thrown instanceof Error)) return new ApiFailure('not_understood', FAULT)
  // The browser's own errors have other names: TypeError, NotReadableError.
  if (thrown.name === 'Error' && thrown.message !== '') return new ApiFailure('not_understood', thrown.message)
  return new ApiFailure('not_understood', `${FAULT} (${thrown.name}: ${thrown.message})`)
}
