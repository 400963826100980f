import { type FairQueue, fairQueue } from '@pixelmill/engine/concurrency/fair-queue'
import { LRUCache } from 'lru-cache'

/** Turns of accounts at reading originals and making images of them: an account whose origin hangs keeps no other waiting. */
export interface Turns {
  /**
   * Runs the work when its account is next.
   * @throws ApiError server_busy if the account has used up its share of the queue; the signal's reason
   */
  run: FairQueue['run']
  /** Reads an original, and notes how long that took. */
  reading<Value>(accountId: string, read: () => Promise<Value>): Promise<Value>
}

export interface TurnSettings {
  /** Originals in memory. */
  readonly atOnce: number
  /** Misses that may wait, of which one account gets seven eighths at most. */
  readonly mostWaiting: number
  /** Milliseconds after which an origin counts as one that hangs. */
  readonly hangsAfter?: number
}

/** Two thirds of what an origin may take. */
const HANGS_AFTER_MS = 10_000
/** For how long an account has a single turn after its origin has hung, unless it answers in time. */
const HUNG_MS = 60_000
const MOST_ACCOUNTS = 10_000

export function turns({ atOnce, mostWaiting, hangsAfter = HANGS_AFTER_MS }: TurnSettings): Turns {
  const hung = new LRUCache<string, true>({ max: MOST_ACCOUNTS, ttl: HUNG_MS })
  /** As many as are free: half of all for the first account, a quarter for the second. Some are left for one that comes later. */
  const mostOf = (account: string, free: number) => (hung.has(account) ? 1 : free)
  const queue = fairQueue(atOnce, { mostOf, mostWaiting })
  return {
    run: queue.run,
    async reading(account, read) {
      const began = performance.now()
      const isSlow = () => performance.now() - began >= hangsAfter
      try {
        const value = await read()
        if (!isSlow()) hung.delete(account)
        return value
      } finally {
        if (isSlow()) hung.set(account, true)
      }
    },
  }
}
