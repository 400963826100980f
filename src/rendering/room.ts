import type { LaneState } from './lane.ts'
import type { Pool } from './pool.ts'

/** Room for images that somebody waits for, in the queue and in memory: for those that are there, and those on their way. */
export interface Room {
  /** Whether one more would be turned away when it arrives. */
  full(): boolean
  /** A place for an image whose upload begins; to dispose of it, once it is in the queue or will not come, gives it back. */
  enter(): Disposable
}

/**
 * So long an upload keeps its place. Most are there by then; who sends more slowly keeps out nobody, and is told when the image
 * has come.
 */
const ON_ITS_WAY_MS = 1_000

/**
 * @param queue images that may wait
 * @param now milliseconds on a clock that only goes forward
 */
export function renderRoom(
  pool: Pick<Pool, 'full'> & { state(lane: 'sync'): Pick<LaneState, 'queued' | 'idle'> },
  queue: number,
  isMemoryFull: () => boolean,
  now: () => number = () => performance.now(),
): Room {
  /** When each began, the oldest first. */
  const onTheirWay = new Map<Disposable, number>()

  function forgetSlow(): void {
    const before = now() - ON_ITS_WAY_MS
    for (const [place, at] of onTheirWay) {
      if (at > before) return
      onTheirWay.delete(place)
    }
  }
  return {
    full() {
      if (pool.full() || isMemoryFull()) return true
      forgetSlow()
      const { queued, idle } = pool.state('sync')
      return queued + onTheirWay.size >= queue + idle
    },
    enter() {
      const place = { [Symbol.dispose]: () => void onTheirWay.delete(place) }
      onTheirWay.set(place, now())
      return place
    },
  }
}
