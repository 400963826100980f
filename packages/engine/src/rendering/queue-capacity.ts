import { mayWait } from '../concurrency/may-wait.ts'
import type { LaneState } from './lane.ts'
import type { Pool } from './pool.ts'

/** Capacity for interactive requests, in the queue and in memory: for images that have arrived, and those still uploading. */
export interface QueueCapacity {
  /** Whether a further image would be refused on arrival: of this account, or of one without waiting images. */
  full(account?: string): boolean
  /** Whether the queue is full for any account. */
  fullForSome(): boolean
  /**
   * Reserves a place for an image whose upload starts; dispose of it once the image is in the queue or will not come.
   * @param account if it is known by then
   */
  reserve(account?: string): Disposable
}

/**
 * How long an upload keeps its place. Most have arrived by then; slower ones do not block others, and are refused on arrival if
 * the queue is full.
 */
const UPLOADING_MS = 1_000

type QueueState = Pick<Pool, 'full' | 'waiting' | 'accountsWaiting'> & { state(lane: 'sync'): Pick<LaneState, 'free'> }

interface Uploading {
  readonly since: number
  readonly account: string | undefined
}

/**
 * @param queue maximum number of waiting images
 * @param now milliseconds on a monotonic clock
 */
export function queueCapacity(
  pool: QueueState,
  queue: number,
  isMemoryFull: (account?: string) => boolean,
  now: () => number = () => performance.now(),
): QueueCapacity {
  /** Oldest first. */
  const uploading = new Map<Disposable, Uploading>()

  function forgetSlow(): void {
    const before = now() - UPLOADING_MS
    for (const [place, { since }] of uploading) {
      if (since > before) return
      uploading.delete(place)
    }
  }
  function full(account?: string): boolean {
    if (pool.full(account) || isMemoryFull(account)) return true
    forgetSlow()
    const { own, all } = pool.waiting(account ?? '')
    const coming =
      account === undefined
        ? 0
        : own +
          uploading
            .values()
            .filter((one) => one.account === account)
            .toArray().length
    // Late uploads of others, whose places are taken, do not block an account without an image here.
    if (account !== undefined && coming === 0) return false
    return !mayWait(coming, all + uploading.size, queue + pool.state('sync').free)
  }
  return {
    full,
    fullForSome() {
      const accounts = [...pool.accountsWaiting(), ...uploading.values().map(({ account }) => account)]
      return full() || new Set(accounts).values().some((account) => account !== undefined && full(account))
    },
    reserve(account) {
      const place = { [Symbol.dispose]: () => void uploading.delete(place) }
      uploading.set(place, { since: now(), account })
      return place
    },
  }
}
