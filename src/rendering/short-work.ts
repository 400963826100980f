/**
 * Seconds that work may be estimated to take, on a common machine, and still be done by the renderers of the lane sync: so long, at
 * most, does a small image wait for one of another account that came before it. What takes longer goes to the lane long.
 */
export const SHORT_SECONDS = 0.15

/** What takes so long in a renderer of the lane sync was estimated too low, or the machine is slow: less is short from then on. */
export const SLOW_SECONDS = 0.2

/** What has taken so long is taken out of its renderer where another account waits. */
export const OVERRUN_SECONDS = 0.5

/** An account with less than this is not even read the headers of its images in the lane sync. */
const LEAST_SECONDS = 0.005

/** After so long an account may have twice as much again. */
const DOUBLES_AFTER_SECONDS = 60

/**
 * How long work of an account may be estimated to take and still be short. Files can be made to take any number of times as long as
 * their headers tell; an account whose images did so has less, until a few minutes have passed.
 */
export interface ShortWork {
  /** Seconds; 0 where all images of the account go to the lane long. */
  mostOf(account: string): number
  /** @param seconds that an image of the account has had a renderer of the lane sync */
  took(account: string, seconds: number): void
}

/** @param now seconds on a clock that only goes forward */
export function shortWork(now: () => number = () => performance.now() / 1000): ShortWork {
  /** Of those who have less than all others. */
  const accounts = new Map<string, { readonly most: number; readonly since: number }>()

  function mostOf(account: string): number {
    const less = accounts.get(account)
    if (!less) return SHORT_SECONDS
    const most = less.most * 2 ** ((now() - less.since) / DOUBLES_AFTER_SECONDS)
    return most < LEAST_SECONDS ? 0 : Math.min(most, SHORT_SECONDS)
  }
  return {
    mostOf,
    took(account, seconds) {
      if (seconds < SLOW_SECONDS) return
      for (const other of accounts.keys()) if (mostOf(other) >= SHORT_SECONDS) accounts.delete(other)
      // At least so much that it comes back within minutes, whatever it took.
      const most = Math.max(mostOf(account), LEAST_SECONDS) * Math.max(SHORT_SECONDS / seconds, 1 / 16)
      accounts.set(account, { most, since: now() })
    },
  }
}
