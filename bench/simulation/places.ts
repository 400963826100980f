import type { Clock, Happening } from './clock.ts'

/** So many places, and a queue in front of them: connections of a pool, renderers, the one thread of a process. */
export interface Places {
  /** Those that wait. */
  readonly waiting: number
  readonly free: number
  /** Calls back when a place is there; whoever has it leaves it. */
  take(taken: Happening): void
  leave(): void
  /** Places that were taken, on average since the last reset, of all: 0 to 1. */
  utilisation(): number
  resetUtilisation(): void
}

export function openPlaces(clock: Clock, places: number): Places {
  // A queue by a moving head: shift() of a long array costs its length.
  let queue: Happening[] = []
  let head = 0
  let free = places
  let since = clock.now
  let changed = clock.now
  let busySeconds = 0

  const note = () => {
    busySeconds += (places - free) * (clock.now - changed)
    changed = clock.now
  }
  return {
    get waiting() {
      return queue.length - head
    },
    get free() {
      return free
    },
    take(taken) {
      if (free === 0) {
        queue.push(taken)
        return
      }
      note()
      free--
      taken()
    },
    leave() {
      const next = queue[head]
      if (!next) {
        note()
        free++
        return
      }
      head++
      if (head > 1024 && 2 * head > queue.length) {
        queue = queue.slice(head)
        head = 0
      }
      next()
    },
    utilisation() {
      note()
      return clock.now > since ? busySeconds / (places * (clock.now - since)) : 0
    },
    resetUtilisation() {
      note()
      busySeconds = 0
      since = clock.now
    },
  }
}
