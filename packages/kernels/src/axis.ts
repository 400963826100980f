/** For each sample along one side of the result: the first sample of the source that it depends on, and the weights from there on. */
export interface Axis {
  readonly starts: Int32Array
  /** `taps` of each sample of the result, whose sum is 1. */
  readonly weights: Float64Array
  readonly taps: number
}

/** A side of a picture, and the part of the resampled side that is asked for. */
export interface Side {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly count: number
}

/** Lanczos has three lobes on either side. */
const LOBES = 3
/** Between two of so many values the curve is straight within 2 in a million. */
const STEPS = 1_024

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
const curve = Float64Array.from({ length: LOBES * STEPS + 2 }, (_, step) =>
  step < LOBES * STEPS ? sinc(step / STEPS) * sinc(step / STEPS / LOBES) : 0,
)

/** The weight of a sample at distance `x`, before normalising. */
export function lanczos3(x: number): number {
  const place = Math.min(LOBES, Math.abs(x)) * STEPS
  const step = Math.floor(place)
  const below = curve[step] as number
  return below + (place - step) * ((curve[step + 1] as number) - below)
}

/**
 * Weights of Lanczos-3. Pixels are squares and the edges of both pictures coincide: sample i of the result lies at (i + ½) · from / to − ½
 * of the source. Beyond its edges, the samples at the edges repeat.
 * @param multiple of which the number of taps is one
 */
export function axisOf({ from, to, start, count }: Side, multiple: number): Axis {
  const ratio = from / to
  const scale = Math.max(1, ratio)
  const reach = LOBES * scale
  const taps = Math.ceil((Math.floor(2 * reach) + 1) / multiple) * multiple
  const starts = new Int32Array(count)
  const weights = new Float64Array(count * taps)
  for (let i = 0; i < count; i++) {
    const centre = (start + i + 0.5) * ratio - 0.5
    const first = Math.max(Math.ceil(centre - reach), Math.ceil(centre + reach) - taps)
    const place = Math.max(0, Math.min(first, from - taps))
    let sum = 0
    for (let sample = first; sample <= centre + reach; sample++) {
      const weight = lanczos3((sample - centre) / scale)
      const at = i * taps + Math.min(Math.max(sample, 0), from - 1) - place
      weights[at] = (weights[at] as number) + weight
      sum += weight
    }
    for (let at = i * taps; at < (i + 1) * taps; at++) weights[at] = (weights[at] as number) / sum
    starts[i] = place
  }
  return { starts, weights, taps }
}

/**
 * Weights in 14 bits, whose sum is exactly 1. What rounding one weight leaves is added to the next: of thousands of taps, each would round
 * to 0.
 */
export function wholeWeights({ starts, weights, taps }: Axis): Int16Array {
  const whole = new Int16Array(weights.length)
  for (let i = 0; i < starts.length; i++) {
    let exact = 0
    let sum = 0
    for (let at = i * taps; at < (i + 1) * taps; at++) {
      exact += (weights[at] as number) * ONE
      whole[at] = Math.round(exact) - sum
      sum += whole[at] as number
    }
  }
  return whole
}

/** 1 in weights and light of 14 bits. */
export const ONE = 16_384
