import { EventHeap, type Happening } from './event-heap.ts'

export type { Happening } from './event-heap.ts'

/** Simulated time in seconds, and the queue of its events. */
export interface Clock {
  readonly now: number
  /** Events so far. */
  readonly count: number
  /** In `seconds` from now; events at the same time run in the order in which they were added. */
  after(seconds: number, happening: Happening): void
  /** Advances the time to this point, or until no events are left. */
  run(until: number): void
}

export function startClock(): Clock {
  const events = new EventHeap()
  let now = 0
  let count = 0
  return {
    get now() {
      return now
    },
    get count() {
      return count
    },
    after(seconds, happening) {
      events.add(now + seconds, happening)
    },
    run(until) {
      while (events.size > 0 && events.first <= until) {
        now = events.first
        count++
        events.takeFirst()?.()
      }
      if (until !== Number.POSITIVE_INFINITY) now = Math.max(now, until)
    },
  }
}
