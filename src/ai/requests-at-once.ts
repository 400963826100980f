import { ApiError } from '../contract/api-error.ts'

/** Bounds how many AI requests of one account this process works on at once: each holds images, and asks models for minutes. */
export interface RequestsAtOnce {
  /**
   * Takes a place; `using` gives it back.
   * @throws ApiError rate_limited when the account has no place left
   */
  enter(accountId: string): Disposable
}

/** @param most requests of one account at once */
export function requestsAtOnce(most: number): RequestsAtOnce {
  const running = new Map<string, number>()
  return {
    enter(accountId) {
      const before = running.get(accountId) ?? 0
      if (before >= most)
        throw new ApiError('rate_limited', {
          message: `${most} AI requests of this account are under way; wait for one of them.`,
          retryAfterSeconds: 1,
        })
      running.set(accountId, before + 1)
      return {
        [Symbol.dispose]() {
          const left = (running.get(accountId) ?? 0) - 1
          if (left > 0) running.set(accountId, left)
          else running.delete(accountId)
        },
      }
    },
  }
}
