import { seededRandom } from '@pixelmill/codecs/test/photographs/random'

/** Seeded random numbers of the distributions that a simulation needs. */
export interface Draws {
  /** 0 to 1, both excluded. */
  uniform(): number
  /** Exponential, as the times between independent arrivals. */
  exponential(mean: number): number
  /** Lognormal, as the times that pictures take; `variation` is the standard deviation divided by the mean. */
  spread(mean: number, variation: number): number
  /** One of 0 … count - 1. */
  whole(count: number): number
  /** An index into a table of shares that add up to 1. */
  kind(shares: readonly number[]): number
}

export function openDraws(seed: number): Draws {
  const random = seededRandom(seed)
  // Never 0, which has no logarithm.
  const uniform = () => random() + 2 ** -33
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  return {
    uniform,
    exponential: (mean) => -mean * Math.log(uniform()),
    spread(mean, variation) {
      if (variation === 0) return mean
      const variance = Math.log(1 + variation ** 2)
      return mean * Math.exp(Math.sqrt(variance) * normal() - variance / 2)
    },
    whole: (count) => Math.floor(random() * count),
    kind(shares) {
      let left = random()
      for (const [at, share] of shares.entries()) {
        left -= share
        if (left < 0) return at
      }
      return shares.length - 1
    },
  }
}
