/**
 * Maximum estimated seconds, on a common machine, of work for the renderers of the lane sync: a small image waits at most this
 * long for one of another account. Longer work goes to the lane long.
 */
export const SHORT_SECONDS = 0.15

/** A job that takes this long in the lane sync was underestimated, or the machine is slow: the account's limit is lowered. */
export const SLOW_SECONDS = 0.2

/** Below this limit, the lane sync does not even read the headers of the account's images. */
const LEAST_SECONDS = 0.005

/** After this time the account's limit doubles again. */
const DOUBLES_AFTER_SECONDS = 60

/**
 * The maximum estimated time of an account's work that counts as short. Files can be crafted to take much longer than their
 * headers suggest; an account whose images did so gets a lower limit for a few minutes.
 */
interface ShortWork {
  /** Seconds; 0 if all images of the account go to the lane long. */
  mostOf(account: string): number
  /** @param seconds for which an image of the account has occupied a renderer of the lane sync */
  took(account: string, seconds: number): void
}

/** @param now seconds on a monotonic clock */
export function shortWork(now: () => number = () => performance.now() / 1000): ShortWork {
  /** Accounts whose limit is lowered. */
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
      // Never lower than what recovers within minutes.
      const most = Math.max(mostOf(account), LEAST_SECONDS) * Math.max(SHORT_SECONDS / seconds, 1 / 16)
      accounts.set(account, { most, since: now() })
    },
  }
}
