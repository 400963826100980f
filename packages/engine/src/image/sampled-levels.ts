import type { Codec, Graded } from '@pixelmill/codecs/codec'
import type { Similarity } from '@pixelmill/vision/likeness/similarity'

type Range = Graded['levels']

/** A level that was tried. The excess is its loss above that of the goal: above 0 it is not good enough. */
interface Trial {
  readonly level: number
  readonly excess: number
}

/** Natural logarithm of 1 − similarity: it is nearly linear in an encoder's levels. */
export const lossOf = (similarity: number): number => Math.log(Math.max(1 - similarity, 1e-9))

/** A search ends at a level whose loss is below the goal by less than this. */
const NEAR_ENOUGH = 0.02
/** Where levels are known to be farther apart, by less than one of them, and at most this. */
const MOST_NEAR = 0.06

/** The lowest level that is good enough, between the highest poor one and the lowest good one that were tried. */
export class LossSearch {
  readonly #range: Range
  /** By how much a level lowers the loss, if that is known. */
  readonly #slope: number | undefined
  #poor: Trial | undefined
  #good: Trial | undefined
  #rounds = 0

  constructor(range: Range, slope?: number) {
    this.#range = range
    this.#slope = slope
  }

  /** @returns whether the level is near enough to the goal for the search to end */
  note(level: number, excess: number): boolean {
    this.#rounds++
    if (excess > 0) this.#poor = { level, excess }
    else this.#good = { level, excess }
    return excess <= 0 && -excess < Math.min(MOST_NEAR, Math.max(NEAR_ENOUGH, this.#slope ?? 0))
  }

  /**
   * The next level to try; undefined if no untried one is left between a poor and a good one.
   * @param wish a level that is known to be likely
   */
  next(wish?: number): number | undefined {
    const low = this.#poor?.level ?? this.#range.min - 1
    const high = this.#good?.level ?? this.#range.max + 1
    if (high - low <= 1) return undefined
    return Math.min(high - 1, Math.max(low + 1, wish ?? this.#guess(low, high)))
  }

  /** The lowest level that reaches the goal, if the loss is straight between trials; the lowest good one at most. */
  lowest(): number {
    const poor = this.#poor
    const good = this.#good
    if (!poor || !good) return good?.level ?? this.#range.max
    return Math.min(good.level, Math.ceil(poor.level + (poor.excess / (poor.excess - good.excess)) * (good.level - poor.level)))
  }

  #guess(low: number, high: number): number {
    const poor = this.#poor
    const good = this.#good
    if (poor && good) return Math.round(low + ((high - low) * poor.excess) / (poor.excess - good.excess))
    const gap = Math.abs((poor ?? good)?.excess ?? 0)
    const step =
      this.#slope === undefined ? this.#range.step * 2 ** (this.#rounds - 1) : Math.max(1, Math.ceil(gap / this.#slope))
    return poor ? low + step : high - step
  }
}

/** A try on a sample costs a seventh of one on the picture. */
const SAMPLE_TRIES = 4
/** By how much a level of mozjpeg lowers the loss: 0.02 to 0.05. */
const USUAL_SLOPE = 0.025

/** An encoder's levels on a part that stands for the picture. */
export class SampledLevels {
  /** By how much a level lowers the loss. */
  readonly slope = USUAL_SLOPE
  readonly #encoder: Graded & Required<Pick<Graded, 'writeSample'>>
  readonly #sample: NonNullable<Similarity['sampled']>
  readonly #codec: Codec
  /** The loss that is small enough, on the sample. */
  readonly #goal: number
  readonly #trials = new Map<number, { readonly bytes: number; readonly excess: number }>()

  constructor(
    encoder: Graded & Required<Pick<Graded, 'writeSample'>>,
    sample: NonNullable<Similarity['sampled']>,
    codec: Codec,
    similarity: number,
  ) {
    this.#encoder = encoder
    this.#sample = sample
    this.#codec = codec
    this.#goal = lossOf(similarity)
  }

  /** The loss of a level above that of the goal. */
  async excess(level: number): Promise<number> {
    return (await this.#trial(level)).excess
  }

  /**
   * The lowest level that is good enough.
   * @param more by how much the picture's loss, above its own goal, exceeds the sample's
   */
  async lowest(more: number): Promise<number> {
    const search = new LossSearch(this.#encoder.levels, USUAL_SLOPE)
    let level: number | undefined = this.#start(more)
    for (let tries = 0; level !== undefined && tries < SAMPLE_TRIES; tries++) {
      if (search.note(level, (await this.excess(level)) + more)) break
      level = search.next()
    }
    return search.lowest()
  }

  /** Whether the plain encoding takes no more bytes than the level that is good enough. */
  async isPlainSmaller(): Promise<boolean> {
    const plain = await this.#encoder.writePlain?.(this.#sample.pixels())
    if (!plain) return false
    const { bytes } = await this.#trial(await this.lowest(0))
    return plain.bytes.length <= bytes
  }

  /** The tried level that is nearest to the goal. */
  #start(more: number): number {
    const trials = [...this.#trials].toSorted(([, one], [, other]) => Math.abs(one.excess + more) - Math.abs(other.excess + more))
    return trials[0]?.[0] ?? this.#encoder.levels.guess
  }

  async #trial(level: number) {
    const earlier = this.#trials.get(level)
    if (earlier) return earlier
    const { bytes } = await this.#encoder.writeSample(this.#sample.pixels(), level)
    const trial = { bytes: bytes.length, excess: lossOf(await this.#sample.of(bytes, this.#codec)) - this.#goal }
    this.#trials.set(level, trial)
    return trial
  }
}

/** Undefined for an encoder that has to see all of a picture. */
export async function sampleLevels(
  encoder: Graded,
  sample: NonNullable<Similarity['sampled']>,
  codec: Codec,
  quality: number,
): Promise<SampledLevels | undefined> {
  const { writeSample } = encoder
  if (!writeSample) return undefined
  return new SampledLevels({ ...encoder, writeSample }, sample, codec, await sample.sufficient(quality))
}
