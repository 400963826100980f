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
const NOT_LOADED = 'This page could not be loaded: the server cannot be reached, or it has a newer one.'
const NOT_OURS = 'Something between this page and the server answered in its place. Try again in a moment.'

/** A call that failed, in words for people. */
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

  /** What is wrong with one field of a form; `rules.style` is in `rules`. */
  of(field: string): string | undefined {
    return this.issues.find(({ path }) => path[0] === field || path.join('.') === field)?.message
  }
}

export const unreachable = (): ApiFailure => new ApiFailure('unreachable', UNREACHABLE)

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'statusMessage' in value && 'message' in value

/** The file of a page did not come. */
export const notLoaded = (): ApiFailure => new ApiFailure('not_loaded', NOT_LOADED)

/** What a response that is no success says. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const after = Number(response.headers.get('retry-after'))
  const retryAfterSeconds = after > 0 ? after : undefined
  const body: unknown = await response.json().catch(() => undefined)
  if (isErrorBody(body)) return new ApiFailure(body.statusMessage, body.message, { ...body, retryAfterSeconds })
  return new ApiFailure('not_understood', NOT_OURS, { statusCode: response.status, retryAfterSeconds })
}

/** Anything thrown, as a failure of ours. */
export function asFailure(thrown: unknown): ApiFailure {
  if (thrown instanceof ApiFailure) return thrown
  return new ApiFailure('not_understood', thrown instanceof Error ? thrown.message : String(thrown))
}
