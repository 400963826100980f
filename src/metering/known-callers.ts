/**
 * Callers of whom the database said a moment ago that they may call. A full server refuses them without asking again: they
 * are told to come back a second later, and asked for then. It lets nobody in, and nothing is charged by it.
 */
export interface KnownCallers {
  /** @param caller any text that stands for one */
  add(caller: string): void
  has(caller: string): boolean
}

/** So long may a key that is revoked meanwhile be told that the server is busy, which it is, instead of why it may not call. */
const KNOWN_MS = 5_000
/** A megabyte or two. */
const MOST = 10_000

/** @param now milliseconds on a clock that only goes forward */
export function knownCallers(now: () => number = () => performance.now()): KnownCallers {
  const until = new Map<string, number>()
  return {
    add(caller) {
      if (until.size >= MOST) until.clear()
      until.set(caller, now() + KNOWN_MS)
    },
    has: (caller) => (until.get(caller) ?? Number.NEGATIVE_INFINITY) > now(),
  }
}
