/**
 * Callers of whom the database said a moment ago that they may call. A full server refuses them without asking again: they
 * are told to come back a second later, and asked for then. It lets nobody in, and nothing is charged by it.
 */
export interface KnownCallers {
  /** @param caller any text that stands for one */
  add(caller: string, accountId: string): void
  /** The caller's account; undefined where it is not known that it may call. */
  accountOf(caller: string): string | undefined
}

/** So long may a key that is revoked meanwhile be told that the server is busy, which it is, instead of why it may not call. */
const KNOWN_MS = 5_000
/** A megabyte or two. */
const MOST = 10_000

/** @param now milliseconds on a clock that only goes forward */
export function knownCallers(now: () => number = () => performance.now()): KnownCallers {
  const callers = new Map<string, { readonly accountId: string; readonly until: number }>()
  return {
    add(caller, accountId) {
      if (callers.size >= MOST) callers.clear()
      callers.set(caller, { accountId, until: now() + KNOWN_MS })
    },
    accountOf(caller) {
      const known = callers.get(caller)
      return known && known.until > now() ? known.accountId : undefined
    },
  }
}
