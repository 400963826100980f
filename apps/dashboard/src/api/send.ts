import { type Call, type Send, sender } from 'pixelmill-client/src/request'
import { asFailure, failureOf, isAbort } from './api-failure.ts'

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

/** Sends a request with the session's cookie, and reads its answer to the end. @throws ApiFailure; AbortError */
export const send: Send = (path, call) => sendBy(fetch, path, call)

/** @param transport in place of `fetch` */
export async function sendBy(transport: typeof fetch, path: string, call: Call = {}): Promise<Response> {
  try {
    return await sender({ tries: 1, fetch: inSession(transport) })(path, call)
  } catch (error) {
    throw isAbort(error) ? error : asFailure(error)
  }
}

/** When the session has ended, the request is repeated after a new sign-in, without an error for the caller. */
const inSession =
  (transport: typeof fetch): typeof fetch =>
  async (path, init) => {
    for (let nth = 1; ; nth++) {
      const sentAt = performance.now()
      const response = await transport(path, init)
      if (response.ok) {
        const detail = { method: init?.method, path: new URL(String(path), location.origin).pathname }
        document.dispatchEvent(new CustomEvent(ANSWERED, { detail }))
        return response
      }
      if (nth > 1 || !(await hasEnded(response)) || !(await signInAgain(sentAt))) return response
    }
  }

const hasEnded = async (response: Response): Promise<boolean> =>
  response.status === 401 && SESSION_ENDED.includes((await failureOf(response.clone())).code)
