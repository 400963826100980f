import { ApiError } from '../contract/api-error.ts'

/** Limits how much of one kind of work a process does at once, in total and for each account. There is no queue. */
export interface AccountLimit {
  /**
   * Takes a slot, before a byte of the body is read; disposing of it releases it.
   * @throws ApiError rate_limited if the account has no slot left, server_busy if there is none at all
   */
  enter(accountId: string): Disposable
}

interface PlaceCounts {
  readonly most: number
  /** Less than `most`, so that slow uploads of one account leave slots for all others. */
  readonly ofOneAccount: number
}

const RETRY_AFTER_SECONDS = 1

/** @param what the kind of work, in the plural, as the error names it */
export function accountLimit({ most, ofOneAccount }: PlaceCounts, what: string): AccountLimit {
  const running = new Map<string, number>()
  let total = 0
  return {
    enter(accountId) {
      const before = running.get(accountId) ?? 0
      if (before >= ofOneAccount)
        throw new ApiError('rate_limited', {
          message: `${ofOneAccount} ${what} of this account are in progress; wait for one of them.`,
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      if (total >= most) throw new ApiError('server_busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })
      total++
      running.set(accountId, before + 1)
      return {
        [Symbol.dispose]() {
          total--
          const left = (running.get(accountId) ?? 0) - 1
          if (left > 0) running.set(accountId, left)
          else running.delete(accountId)
        },
      }
    },
  }
}
