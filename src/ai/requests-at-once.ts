import { ApiError } from '../contract/api-error.ts'

/** Bounds how many AI requests one process has at once: each holds its images, and asks models for minutes. */
export interface RequestsAtOnce {
  /**
   * Takes a place, before a byte of the body is read; to dispose of it gives it back.
   * @throws ApiError rate_limited when the account has no place left, server_busy when nobody has
   */
  enter(accountId: string): Disposable
}

const RETRY_AFTER_SECONDS = 1

/**
 * @param most requests of all accounts
 * @param ofOne requests of one account: else one whose uploads are slow would keep all others out
 */
export function requestsAtOnce(most: number, ofOne: number): RequestsAtOnce {
  const running = new Map<string, number>()
  let all = 0
  return {
    enter(accountId) {
      const before = running.get(accountId) ?? 0
      if (before >= ofOne)
        throw new ApiError('rate_limited', {
          message: `${ofOne} AI requests of this account are under way; wait for one of them.`,
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      if (all >= most) throw new ApiError('server_busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })
      all++
      running.set(accountId, before + 1)
      return {
        [Symbol.dispose]() {
          all--
          const left = (running.get(accountId) ?? 0) - 1
          if (left > 0) running.set(accountId, left)
          else running.delete(accountId)
        },
      }
    },
  }
}
