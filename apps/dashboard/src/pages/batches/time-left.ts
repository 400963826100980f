interface Sample {
  /** Milliseconds of any clock. */
  readonly at: number
  readonly done: number
}

/** The period that counts: long enough for a rate, short enough to follow a change. */
const WINDOW_MS = 20_000
/** Earlier, an estimate would be a guess. */
const LEAST_MS = 4_000
const LEAST_STEPS = 3

/** Estimates the remaining time from the recent rate. */
export class TimeLeft {
  #samples: readonly Sample[] = []

  /** Milliseconds until `total` are done; undefined while it cannot be estimated. */
  after(bytes: number, total: number, at = performance.now()): number | undefined {
    const last = this.#samples.at(-1)
    // Another task has started.
    if (last && bytes < last.done) this.#samples = []
    if (!last || bytes !== last.done) this.#samples = [...this.#samples, { at, done: bytes }].slice(-500)
    const first = this.#samples.find((sample) => at - sample.at <= WINDOW_MS)
    if (!first || this.#samples.length <= LEAST_STEPS || at - first.at < LEAST_MS || bytes === first.done) return undefined
    return ((at - first.at) / (bytes - first.done)) * (total - bytes)
  }
}
