import type { Clock, Happening } from './clock.ts'

/** A number of slots with a queue: connections of a pool, renderers, the single thread of a process. */
export interface Places {
  /** Number of waiting requests. */
  readonly waiting: number
  readonly free: number
  /** Calls back when a slot is free; the holder releases it. */
  take(onPlace: Happening): void
  leave(): void
  /** Average utilisation since the last reset: 0 to 1. */
  utilisation(): number
  resetUtilisation(): void
}

export function openPlaces(clock: Clock, places: number): Places {
  // A queue with a moving head: shift() of a long array costs its length.
  let queue: Happening[] = []
  let head = 0
  let free = places
  let since = clock.now
  let changeSeconds = clock.now
  let busySeconds = 0

  const note = () => {
    busySeconds += (places - free) * (clock.now - changeSeconds)
    changeSeconds = clock.now
  }
  return {
    get waiting() {
      return queue.length - head
    },
    get free() {
      return free
    },
    take(onPlace) {
      if (free === 0) {
        queue.push(onPlace)
        return
      }
      note()
      free--
      onPlace()
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
