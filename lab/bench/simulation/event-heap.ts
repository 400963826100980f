/** An event: what happens at a point in time. */
export type Happening = () => void

/** Events by their times; of several at the same time, the one that was added first is the first. */
export class EventHeap {
  // A binary heap. Times are in a typed array, so that a comparison reads one number.
  #moments = new Float64Array(1024)
  #orders = new Float64Array(1024)
  readonly #happenings: Happening[] = []
  #nextOrder = 0

  get size(): number {
    return this.#happenings.length
  }

  /** The time of the first event; infinite if there is none. */
  get first(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : (this.#moments[0] as number)
  }

  add(moment: number, happening: Happening): void {
    const last = this.size
    if (last === this.#moments.length) this.#grow()
    this.#moments[last] = moment
    this.#orders[last] = this.#nextOrder++
    this.#happenings.push(happening)
    for (let at = last; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  takeFirst(): Happening | undefined {
    const first = this.#happenings[0]
    const size = this.size - 1
    if (first === undefined) return undefined
    this.#swap(0, size)
    this.#happenings.pop()
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const right = 2 * at + 2
      let least = at
      if (left < size && this.#isBefore(left, least)) least = left
      if (right < size && this.#isBefore(right, least)) least = right
      if (least === at) return first
      this.#swap(at, least)
      at = least
    }
  }

  #isBefore(a: number, b: number): boolean {
    const first = this.#moments[a] as number
    const second = this.#moments[b] as number
    return first < second || (first === second && (this.#orders[a] as number) < (this.#orders[b] as number))
  }

  #swap(a: number, b: number): void {
    const moment = this.#moments[a] as number
    const order = this.#orders[a] as number
    const happening = this.#happenings[a] as Happening
    this.#moments[a] = this.#moments[b] as number
    this.#orders[a] = this.#orders[b] as number
    this.#happenings[a] = this.#happenings[b] as Happening
    this.#moments[b] = moment
    this.#orders[b] = order
    this.#happenings[b] = happening
  }

  #grow(): void {
    const { length } = this.#moments
    const moments = new Float64Array(2 * length)
    const orders = new Float64Array(2 * length)
    moments.set(this.#moments)
    orders.set(this.#orders)
    this.#moments = moments
    this.#orders = orders
  }
}
