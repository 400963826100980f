/** How much of the subject lies along one side of the image: equal steps between two positions in pixels, and nothing beyond. */
export interface Profile {
  readonly from: number
  readonly to: number
  readonly weights: readonly number[]
}

/** How much of the subject lies before a position. */
export type Cumulative = (position: number) => number

export function cumulative({ from, to, weights }: Profile): Cumulative {
  const steps = weights.length
  const sums = new Float64Array(steps + 1)
  for (let step = 0; step < steps; step++) sums[step + 1] = (sums[step] ?? 0) + (weights[step] ?? 0)
  return (position) => {
    const step = Math.min(steps, Math.max(0, ((position - from) / (to - from)) * steps))
    const [whole, part] = [Math.floor(step), step % 1]
    return (sums[whole] ?? 0) + part * (weights[whole] ?? 0)
  }
}

/** Where the profile changes: between these, what a sliding window keeps rises or falls evenly. */
export const edges = ({ from, to, weights }: Profile): readonly number[] =>
  Array.from({ length: weights.length + 1 }, (_, step) => from + ((to - from) * step) / weights.length)
