/** An event: what happens at a point in time. */
export type Happening = () => void

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

/** A binary heap: times in a typed array, so that a comparison reads one number. */
export function startClock(): Clock {
  let capacity = 1024
  let moments = new Float64Array(capacity)
  let orders = new Float64Array(capacity)
  const happenings: (Happening | undefined)[] = []
  let size = 0
  let nextOrder = 0
  let now = 0
  let happeningCount = 0

  const isBefore = (a: number, b: number): boolean => {
    const first = moments[a] as number
    const second = moments[b] as number
    return first < second || (first === second && (orders[a] as number) < (orders[b] as number))
  }
  function swap(a: number, b: number): void {
    const moment = moments[a] as number
    const order = orders[a] as number
    const happening = happenings[a]
    moments[a] = moments[b] as number
    orders[a] = orders[b] as number
    happenings[a] = happenings[b]
    moments[b] = moment
    orders[b] = order
    happenings[b] = happening
  }
  function grow(): void {
    capacity *= 2
    const oldMoments = moments
    const oldOrders = orders
    moments = new Float64Array(capacity)
    orders = new Float64Array(capacity)
    moments.set(oldMoments)
    orders.set(oldOrders)
  }
  function takeFirst(): Happening | undefined {
    const first = happenings[0]
    size--
    swap(0, size)
    happenings.pop()
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const right = 2 * at + 2
      let least = at
      if (left < size && isBefore(left, least)) least = left
      if (right < size && isBefore(right, least)) least = right
      if (least === at) return first
      swap(at, least)
      at = least
    }
  }

  return {
    get now() {
      return now
    },
    get count() {
      return happeningCount
    },
    after(seconds, happening) {
      if (size === capacity) grow()
      moments[size] = now + seconds
      orders[size] = nextOrder++
      happenings[size] = happening
      for (let at = size++; at > 0; ) {
        const parent = (at - 1) >> 1
        if (!isBefore(at, parent)) return
        swap(at, parent)
        at = parent
      }
    },
    run(until) {
      while (size > 0 && (moments[0] as number) <= until) {
        now = moments[0] as number
        happeningCount++
        takeFirst()?.()
      }
      if (until !== Number.POSITIVE_INFINITY) now = Math.max(now, until)
    },
  }
}
