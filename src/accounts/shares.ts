import { ApiError } from '../contract/api-error.ts'

/** Bounds how much of one kind of work a process has at once, and how much of that is one account's. */
export interface Shares {
  /**
   * Takes a place, before a byte of the body is read; to dispose of it gives it back.
   * @throws ApiError rate_limited when the account has no place left, server_busy when there is none at all
   */
  enter(accountId: string): Disposable
}

export interface ShareLimits {
  readonly most: number
  /** Below `most`, so that slow uploads of one account leave places for all others. */
  readonly ofOneAccount: number
}

const RETRY_AFTER_SECONDS = 1

/** @param what the work, in the plural, as the error names it */
export function shares({ most, ofOneAccount }: ShareLimits, what: string): Shares {
  const running = new Map<string, number>()
  let all = 0
  return {
    enter(accountId) {
      const before = running.get(accountId) ?? 0
      if (before >= ofOneAccount)
        throw new ApiError('rate_limited', {
          message: `${ofOneAccount} ${what} of this account are under way; wait for one of them.`,
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
