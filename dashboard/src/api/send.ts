import { type ApiFailure, brokenOff, failureOf, notOurs, unreachable } from './api-failure.ts'

/** A session that has ended: its cookie is refused, or the browser has dropped it and nothing was sent. */
const SESSION_ENDED = ['missing_or_invalid_login_token', 'invalid_or_expired_login_token', 'missing_or_invalid_api_key']

/**
 * Asks the user to sign in again, unless they have since the request was sent (ms of `performance.now`). Returns true after a
 * sign-in: then the request may be sent again.
 */
type SignInAgain = (sentAt: number) => Promise<boolean>

let signInAgain: SignInAgain = async () => false

/** An event of the document after each successful request: `detail` has `method` and `path`. */
export const ANSWERED = 'answered'

/** Set by the session, which imports this file. */
export function askWhenSessionEnds(ask: SignInAgain): void {
  signInAgain = ask
}

const isEnded = (failure: ApiFailure): boolean => failure.status === 401 && SESSION_ENDED.includes(failure.code)

/**
 * Sends a request by `attempt`, with the session's cookie. When the session has ended it is repeated after a new sign-in, without an
 * error for the caller.
 * @throws ApiFailure; what `attempt` throws
 */
export async function sendBy(attempt: () => Promise<Response>): Promise<Response> {
  for (let nth = 1; ; nth++) {
    const sentAt = performance.now()
    const response = await attempt()
    if (response.ok) return response
    const failure = await failureOf(response)
    if (!isEnded(failure) || nth > 1 || !(await signInAgain(sentAt))) throw failure
  }
}

/** Sends a request by fetch. @throws ApiFailure; AbortError, when the request's signal says so */
export const send = (request: () => Request): Promise<Response> =>
  sendBy(async () => {
    const sent = request()
    const response = await fetch(sent).catch((error: unknown) => {
      throw sent.signal.aborted ? error : unreachable()
    })
    if (response.ok) {
      const detail = { method: sent.method, path: new URL(sent.url).pathname }
      document.dispatchEvent(new CustomEvent(ANSWERED, { detail }))
    }
    return response
  })

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** The body of a response, read to its end by `read`. @throws ApiFailure; AbortError */
export async function bodyOf<Body>(read: () => Promise<Body>): Promise<Body> {
  try {
    return await read()
  } catch (error) {
    throw isAbort(error) ? error : brokenOff()
  }
}

/** The JSON of a successful response. @throws ApiFailure, also for a page that a proxy sends as a success; AbortError */
export async function jsonOf(response: Response): Promise<unknown> {
  const text = await bodyOf(() => response.text())
  try {
    return JSON.parse(text)
  } catch {
    throw notOurs(response.status)
  }
}
