import { type ApiFailure, failureOf, unreachable } from './api-failure.ts'

/** A session that has ended: its cookie is refused, or the browser has dropped it and nothing was sent. */
const SESSION_ENDED = ['missing_or_invalid_login_token', 'invalid_or_expired_login_token', 'missing_or_invalid_api_key']

/** Asks whoever sits here to sign in again; true when they did, so that the request may be sent once more. */
type SignInAgain = () => Promise<boolean>

let signInAgain: SignInAgain = async () => false

/** Told to the document after each success, for who follows what is done: `detail` has `method` and `path`. */
export const ANSWERED = 'answered'

/** The one who can ask: the session, which stands above this file. */
export function askWhenSessionEnds(ask: SignInAgain): void {
  signInAgain = ask
}

const isEnded = (failure: ApiFailure): boolean => failure.status === 401 && SESSION_ENDED.includes(failure.code)

/**
 * Sends a request with the session's cookie. `request` makes it anew for each attempt: after a session has ended in mid-work it is
 * repeated, and whoever waits for it notices nothing.
 * @throws ApiFailure; AbortError, when the signal says so
 */
export async function send(request: () => Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const sent = request()
    const response = await fetch(sent).catch((error: unknown) => {
      throw sent.signal.aborted ? error : unreachable()
    })
    if (response.ok) {
      const detail = { method: sent.method, path: new URL(sent.url).pathname }
      document.dispatchEvent(new CustomEvent(ANSWERED, { detail }))
      return response
    }
    const failure = await failureOf(response)
    if (!isEnded(failure) || attempt > 1 || !(await signInAgain())) throw failure
  }
}
