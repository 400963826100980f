import type { Score } from '../score.ts'

/** What a contestant made with one quality. */
export interface Sample {
  readonly quality: number
  /** CPU milliseconds of an image, on average of all pictures. */
  readonly ms: number
  /** The scored pictures, each time in the same order. */
  readonly pictures: readonly (Score & { readonly bytes: number })[]
}

/** CPU milliseconds and bytes of an image at one score: means of the pictures that reach it. */
export interface Figure {
  readonly ms: number
  readonly bytes: number
  readonly reached: number
}

/**
 * Between two qualities CPU and the logarithm of the bytes are taken as linear in the score of a picture.
 * @param samples by ascending quality
 * @returns undefined where no picture reaches the score, or all are above it
 */
export function figureAt(samples: readonly Sample[], light: keyof Score, score: number): Figure | undefined {
  const pictures = samples[0]?.pictures ?? []
  const figures = pictures.flatMap((_, nth) => pictureAt(samples, nth, light, score) ?? [])
  if (figures.length === 0) return undefined
  const mean = (of: (figure: (typeof figures)[number]) => number) =>
    figures.reduce((sum, each) => sum + of(each), 0) / figures.length
  return { ms: mean(({ ms }) => ms), bytes: mean(({ bytes }) => bytes), reached: figures.length }
}

function pictureAt(samples: readonly Sample[], nth: number, light: keyof Score, score: number) {
  const points = samples.flatMap(({ ms, pictures }) => {
    const picture = pictures[nth]
    return picture ? [{ ms, score: picture[light], logBytes: Math.log(picture.bytes) }] : []
  })
  const at = points.findIndex((point, index) => point.score >= score && (points[index - 1]?.score ?? Infinity) <= score)
  const high = points[at]
  const low = points[at - 1]
  if (!high || !low) return undefined
  const share = high.score === low.score ? 1 : (score - low.score) / (high.score - low.score)
  const between = (from: number, to: number) => from + share * (to - from)
  return { ms: between(low.ms, high.ms), bytes: Math.exp(between(low.logBytes, high.logBytes)) }
}
