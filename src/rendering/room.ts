import type { LaneState } from './lane.ts'
import type { Pool } from './pool.ts'
import { mayWait } from './queue-share.ts'

/** Room for images that somebody waits for, in the queue and in memory: for those that are there, and those on their way. */
export interface Room {
  /** Whether one more would be turned away when it arrives: of the account, or of one of which none waits. */
  full(account?: string): boolean
  /** Whether there is an account for which it is full. */
  fullForSome(): boolean
  /**
   * A place for an image whose upload begins; to dispose of it, once it is in the queue or will not come, gives it back.
   * @param account where it is known by then
   */
  enter(account?: string): Disposable
}

/**
 * So long an upload keeps its place. Most are there by then; who sends more slowly keeps out nobody, and is told when the image
 * has come.
 */
const ON_ITS_WAY_MS = 1_000

type RoomPool = Pick<Pool, 'full' | 'waiting' | 'accountsWaiting'> & { state(lane: 'sync'): Pick<LaneState, 'idle'> }

interface OnItsWay {
  readonly since: number
  readonly account: string | undefined
}

/**
 * @param queue images that may wait
 * @param now milliseconds on a clock that only goes forward
 */
export function renderRoom(
  pool: RoomPool,
  queue: number,
  isMemoryFull: () => boolean,
  now: () => number = () => performance.now(),
): Room {
  /** The oldest first. */
  const onTheirWay = new Map<Disposable, OnItsWay>()

  function forgetSlow(): void {
    const before = now() - ON_ITS_WAY_MS
    for (const [place, { since }] of onTheirWay) {
      if (since > before) return
      onTheirWay.delete(place)
    }
  }
  function full(account?: string): boolean {
    if (pool.full(account) || isMemoryFull()) return true
    forgetSlow()
    const { own, all } = pool.waiting(account ?? '')
    const coming =
      account === undefined
        ? 0
        : own +
          onTheirWay
            .values()
            .filter((one) => one.account === account)
            .toArray().length
    // Uploads of others that arrive late, after their places were given on, keep out nobody of whom there is none.
    if (account !== undefined && coming === 0) return false
    return !mayWait(coming, all + onTheirWay.size, queue + pool.state('sync').idle)
  }
  return {
    full,
    fullForSome() {
      const known = [...pool.accountsWaiting(), ...onTheirWay.values().map(({ account }) => account)]
      return full() || new Set(known).values().some((account) => account !== undefined && full(account))
    },
    enter(account) {
      const place = { [Symbol.dispose]: () => void onTheirWay.delete(place) }
      onTheirWay.set(place, { since: now(), account })
      return place
    },
  }
}
