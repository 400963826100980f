import type { Clock } from './clock.ts'
import { EventHeap, type Happening } from './event-heap.ts'

/** The processors of a machine: concurrent jobs share them equally, none gets more than one. */
export interface SharedCores {
  /** Calls back when this many seconds of one processor were spent on it. */
  work(seconds: number, onEnd: Happening): void
  /** Share of all processors' time since the last reset: 0 to 1. */
  utilisation(): number
  resetUtilisation(): void
}

const NANOSECOND = 1e-9

export const openSharedCores = (clock: Clock, cores: number): SharedCores => new ProcessorSharing(clock, cores)

/**
 * Processor sharing by virtual time, which advances as fast as each job progresses: the virtual end of a job is fixed when it
 * arrives, however many others come and go.
 */
class ProcessorSharing implements SharedCores {
  readonly #clock: Clock
  readonly #cores: number
  /** Jobs by their virtual ends. */
  readonly #jobs = new EventHeap()
  #virtualSeconds = 0
  #lastChange: number
  #since: number
  #busySeconds = 0
  /** When the next job ends, at the current rate. */
  #nextEnd = Number.POSITIVE_INFINITY
  /** Of several ends that were announced to the clock, only the latest counts. */
  #announcement = 0

  constructor(clock: Clock, cores: number) {
    this.#clock = clock
    this.#cores = cores
    this.#lastChange = clock.now
    this.#since = clock.now
  }

  work(seconds: number, onEnd: Happening): void {
    this.#advance()
    this.#jobs.add(this.#virtualSeconds + seconds, onEnd)
    this.#announceNextEnd()
  }

  utilisation(): number {
    this.#advance()
    const { now } = this.#clock
    return now > this.#since ? this.#busySeconds / (this.#cores * (now - this.#since)) : 0
  }

  resetUtilisation(): void {
    this.#advance()
    this.#busySeconds = 0
    this.#since = this.#clock.now
  }

  /** The share of a processor that each job has. */
  get #rate(): number {
    return Math.min(1, this.#cores / this.#jobs.size)
  }

  #advance(): void {
    const elapsedSeconds = this.#clock.now - this.#lastChange
    this.#lastChange = this.#clock.now
    if (this.#jobs.size === 0 || elapsedSeconds === 0) return
    this.#virtualSeconds += elapsedSeconds * this.#rate
    this.#busySeconds += elapsedSeconds * Math.min(this.#cores, this.#jobs.size)
  }

  /** Cancels the end announced before, unless it is at the same time, which is the usual case without contention. */
  #announceNextEnd(): void {
    const { now } = this.#clock
    const isIdle = this.#jobs.size === 0
    const end = isIdle ? Number.POSITIVE_INFINITY : now + (this.#jobs.first - this.#virtualSeconds) / this.#rate
    if (Math.abs(end - this.#nextEnd) < NANOSECOND) return
    this.#nextEnd = end
    const announcement = ++this.#announcement
    if (isIdle) return
    this.#clock.after(Math.max(0, end - now), () => {
      if (announcement === this.#announcement) this.#endFirst()
    })
  }

  #endFirst(): void {
    this.#advance()
    // The virtual time may be slightly less because of floating-point rounding.
    this.#virtualSeconds = Math.max(this.#virtualSeconds, this.#jobs.first)
    this.#nextEnd = Number.NaN
    const onEnd = this.#jobs.takeFirst()
    this.#announceNextEnd()
    onEnd?.()
  }
}
