import { errorOf, PixelmillError } from 'pixelmill-client/src/error'

const UNREACHABLE = 'The server cannot be reached. Check the connection, then try again.'
const NOT_LOADED =
  'This page could not be loaded: the server cannot be reached, or it has a newer version. Pixelmill tries again every few seconds.'
const NOT_OURS = 'Something between this page and the server answered in its place. Try again in a moment.'
const FAULT = 'Something went wrong in this page. Load it again; if that does not help, tell the administrator of this server.'

/** Statuses of a proxy whose server is unreachable, or of a server that is starting or busy. */
const TEMPORARY = [502, 503, 504]

/** A failed call with a message for users. Its code is of the error table, or `unreachable`, `not_loaded` or `not_understood`. */
export class ApiFailure extends PixelmillError {
  override readonly name = 'ApiFailure'

  /** The same request may succeed in a moment. */
  override get isTemporary(): boolean {
    return this.code === 'unreachable' || TEMPORARY.includes(this.status ?? 0)
  }

  /** The message for one field of a form; `rules.style` is in `rules`. */
  of(field: string): string | undefined {
    return this.issues.find(({ path }) => path[0] === field || path.join('.') === field)?.message
  }
}

/** An answer that is not of this API, such as the page of a proxy. */
export const notOurs = (status: number): ApiFailure => new ApiFailure('not_understood', NOT_OURS, { status })

/** A script of the dashboard could not be loaded. */
export const notLoaded = (): ApiFailure => new ApiFailure('not_loaded', NOT_LOADED)

/** The failure in an unsuccessful response. */
export const failureOf = async (response: Response): Promise<ApiFailure> => asFailure(await errorOf(response))

/** Messages for users in place of those for programmers. */
const MESSAGES: Readonly<Record<string, string>> = { unreachable: UNREACHABLE, not_understood: NOT_OURS }

/**
 * Converts anything thrown into a failure with a sentence for users: that of the API's errors, or a general one for a bug in the
 * page.
 */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  if (error instanceof PixelmillError) return new ApiFailure(error.code, MESSAGES[error.code] ?? error.message, error)
  if (!(error instanceof Error)) return new ApiFailure('not_understood', FAULT)
  // The browser's own errors have other names: TypeError, NotReadableError.
  if (error.name === 'Error' && error.message !== '') return new ApiFailure('not_understood', error.message)
  return new ApiFailure('not_understood', `${FAULT} (${error.name}: ${error.message})`)
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
