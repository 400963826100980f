/** A histogram of durations in seconds with classes 2 % wide: any number of them, in 10 kB. */
export interface Latencies {
  readonly count: number
  readonly mean: number
  add(seconds: number): void
  /** @param share 0 to 1: 0.95 for the 95th percentile; 0 when there are none */
  percentile(share: number): number
}

const LEAST = 1e-6
const WIDTH = Math.log(1.02)
const CLASSES = 1_200

export function openLatencies(): Latencies {
  const classes = new Uint32Array(CLASSES)
  let count = 0
  let sum = 0
  return {
    get count() {
      return count
    },
    get mean() {
      return count > 0 ? sum / count : 0
    },
    add(seconds) {
      const at = seconds <= LEAST ? 0 : Math.min(CLASSES - 1, Math.floor(Math.log(seconds / LEAST) / WIDTH))
      classes[at] = (classes[at] as number) + 1
      count++
      sum += seconds
    },
    percentile(share) {
      let left = share * count
      for (const [at, here] of classes.entries()) {
        left -= here
        if (left <= 0 && count > 0) return LEAST * Math.exp((at + 0.5) * WIDTH)
      }
      return 0
    },
  }
}
