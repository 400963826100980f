import type { Codec, Levels, Written } from '@pixelmill/codecs/codec'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { type DecodedImage, decodeToMemory, pipelineOfRaster } from '@pixelmill/codecs/pixels/decoded-image'
import { readWritten } from '@pixelmill/codecs/pixels/from-bitmap'
import { levelAt, valueAt } from '@pixelmill/codecs/scales'
import { type Sample, sampleOf } from '@pixelmill/vision/likeness/tiles'
import type { Sharp } from 'sharp'
import type { Encoded, EncodeJob } from './encode.ts'

/** What the answer has to reach, instead of an encoder's setting. At least one of the first two is present. */
export interface Target {
  /** SSIMULACRA2. */
  readonly visualQuality?: number | undefined
  readonly maxBytes?: number | undefined
  /** With `maxBytes`: the highest quality to send. */
  readonly quality?: number | undefined
  /** Bytes of metadata that are added to the file afterwards, and count too. */
  readonly beside?: number
}

/**
 * Encodes with the settings of `encode`, at the level that reaches the target. Levels are tried on a sample of the picture, with the
 * effort of the whole, so that a score costs one full encode.
 * @throws ImageError cannot_fit
 */
export async function encodeToTarget(job: EncodeJob, target: Target): Promise<Encoded> {
  const search = await openSearch(job)
  const { visualQuality } = target
  return search.encode(target, visualQuality === undefined ? undefined : await search.reach(visualQuality))
}

/** Decodes the picture into memory, and samples it. */
export async function openSearch(job: EncodeJob): Promise<LevelSearch> {
  const { codec, frames, header, grey, alpha = header.alpha } = job
  const { levels } = codec
  if (!levels) throw new Error(`${codec.name} has no levels to search`)
  const shownHeader = { ...header, grey, alpha: alpha && codec.alpha }
  const decodedImage = await decodeToMemory(job.pixels.clone(), { frames, header: shownHeader })
  return new LevelSearch(job, levels, decodedImage, sampleOf(decodedImage.raster, frames))
}

/** A picture in memory, and its encodings on a sample. */
export class LevelSearch {
  readonly #job: EncodeJob
  readonly #levels: Levels
  readonly #whole: DecodedImage
  readonly #sample: Sample

  constructor(job: EncodeJob, levels: Levels, decodedImage: DecodedImage, sample: Sample) {
    this.#job = job
    this.#levels = levels
    this.#whole = decodedImage
    this.#sample = sample
  }

  get codec(): Codec {
    return this.#job.codec
  }

  /** Whether a score can be asked for; other formats are lossless at their highest level. */
  get hasScores(): boolean {
    return this.#levels.scores !== undefined
  }

  /** The lowest level that reaches a score. */
  reach(score: number): Promise<Trial> {
    return levelFor(score, this.#levels, (level) => this.#score(level))
  }

  /** The estimated size of the whole file at a level, by default the highest. */
  async estimateBytes(level = this.#levels.max): Promise<number> {
    return (await this.#encodeSample(level)).bytes.length / this.#sample.share
  }

  /** The whole picture without loss, where the highest level is lossless. */
  async encodeExactly(): Promise<Encoded> {
    const { codec, settings } = this.#job
    return { ...(await codec.encode(this.#pixels(), { ...settings, quality: undefined })), codec, score: 100 }
  }

  /**
   * The file that reaches a target.
   * @param reachedTrial the level of `visualQuality`
   * @throws ImageError cannot_fit
   */
  async encode({ visualQuality, maxBytes, quality, beside = 0 }: Target, reachedTrial: Trial | undefined): Promise<Encoded> {
    const { codec, settings } = this.#job
    const falls = visualQuality !== undefined && reachedTrial !== undefined && fallsShort(reachedTrial, visualQuality)
    // A picture of few colours is often smaller without loss; and the highest level of WebP does not reach every score.
    const exact =
      codec.encodeExactly && quality === undefined && (settings.fewColours || falls)
        ? await codec.encodeExactly(this.#pixels(), settings)
        : undefined
    const fits = exact && exact.bytes.length + beside <= (maxBytes ?? Number.POSITIVE_INFINITY)
    if (exact && fits && (falls || visualQuality === undefined)) return { ...exact, codec, score: 100 }
    if (maxBytes === undefined && reachedTrial) {
      const file = await this.#encodeWhole(reachedTrial.level)
      if (exact && exact.bytes.length <= file.bytes.length) return { ...exact, codec, score: 100 }
      return { ...file, codec, score: reachedTrial.score }
    }
    const highest = quality === undefined ? this.#levels.max : this.#levels.of(quality, settings)
    const { level, file } = await this.#encodeWithin(maxBytes ?? 0, beside, reachedTrial?.level ?? highest)
    return { ...file, codec, score: level === reachedTrial?.level ? reachedTrial.score : (await this.#score(level)).score }
  }

  async #encodeWithin(maxBytes: number, beside: number, max: number): Promise<SizedFile> {
    const sizes = { share: this.#sample.share, of: async (level: number) => (await this.#encodeSample(level)).bytes.length }
    const write = (level: number) => this.#encodeWhole(level)
    return withinBytes(maxBytes - beside, { min: this.#levels.min, max }, sizes, write).catch((error: unknown) => {
      throw withBeside(error, beside)
    })
  }

  /** A new pipeline of the whole picture. 16 bits a channel are not in memory. */
  #pixels(): Sharp {
    const { codec, pixels } = this.#job
    return codec.deep ? pixels.clone() : this.#whole.pixels()
  }

  #encodeWhole(level: number): Promise<Written> {
    return this.#levels.write(this.#pixels(), this.#job.settings, level)
  }

  #encodeSample(level: number): Promise<Written> {
    const still = { ...this.#job.settings, animation: undefined }
    return this.#levels.write(pipelineOfRaster(this.#sample.stacked), still, level)
  }

  async #score(level: number): Promise<Trial> {
    return scoreTrial(this.#sample, this.#job.codec, level, await this.#encodeSample(level))
  }
}

/** Whether a format cannot reach a score. */
export const fallsShort = ({ score }: Trial, askedScore: number): boolean => score < askedScore - SHORT

/** By how much the highest level may fall short of a score, before the picture is sent without loss. */
const SHORT = 2

export interface Trial {
  readonly level: number
  readonly score: number
}

async function scoreTrial(sample: Sample, { reader }: Codec, level: number, { bytes }: Written): Promise<Trial> {
  const decoding = await readWritten(reader, bytes)
  const { data, info } = await decoding.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { level, score: sample.score({ data, width: info.width, height: info.height, channels: info.channels }) }
}

/**
 * Levels over which a trial is continued without another one: along the median curve, with the trial's ratio of losses, which is
 * right within 1 point over that distance.
 */
const TRUSTED = 6
const MOST_TRIALS = 5
/** A level is taken if its score is lower than the asked one by at most this share of a level. */
const ROUNDING = 0.3

/** The lowest level that reaches a score. */
async function levelFor(
  askedScore: number,
  { min, max, scores }: Levels,
  attempt: (level: number) => Promise<Trial>,
): Promise<Trial> {
  if (!scores) throw new Error('a score was asked of a format without scores')
  const whole = (level: number) => Math.min(max, Math.max(min, Math.ceil(level - ROUNDING)))
  const trials: Trial[] = []
  let level = whole(levelAt(scores, askedScore))
  for (;;) {
    const last = await attempt(level)
    trials.push(last)
    const [below, above] = around(trials, askedScore)
    const ratio = (100 - last.score) / (100 - valueAt(scores, last.level))
    const between = below && above && (askedScore - below.score) / (above.score - below.score)
    const next =
      below && above && between !== undefined
        ? whole(below.level + between * (above.level - below.level))
        : whole(levelAt(scores, 100 - (100 - askedScore) / ratio))
    const earlier = trials.find((trial) => trial.level === next)
    if (earlier) return earlier
    // The highest level is tried: it may not be enough.
    const isTrusted = Math.abs(next - level) <= TRUSTED && next !== max
    if (isTrusted || trials.length === MOST_TRIALS) {
      return { level: next, score: 100 - ratio * (100 - valueAt(scores, next)) }
    }
    level = next
  }
}

/** The trials next to a score, on either side. */
function around(trials: readonly Trial[], askedScore: number): readonly [Trial | undefined, Trial | undefined] {
  const byScore = trials.toSorted((one, other) => one.score - other.score)
  return [byScore.findLast(({ score }) => score < askedScore), byScore.find(({ score }) => score >= askedScore)]
}

/** A file, and the level at which it was written. */
interface SizedFile {
  readonly level: number
  readonly file: Written
}

/** Bytes of the sample by level, and its share of the picture. */
interface Sizes {
  readonly share: number
  of(level: number): Promise<number>
}

const MOST_FULL_ENCODES = 7

/**
 * The highest level of which the file is small enough. The sample predicts it, and each full encode corrects the prediction.
 * @throws ImageError cannot_fit
 */
async function withinBytes(
  most: number,
  { min, max }: Pick<Levels, 'min' | 'max'>,
  sizes: Sizes,
  write: (level: number) => Promise<Written>,
): Promise<SizedFile> {
  const sampleSizes = new Map<number, Promise<number>>()
  const sizeOf = (level: number) => {
    const size = sampleSizes.get(level) ?? sizes.of(level)
    sampleSizes.set(level, size)
    return size
  }
  let best: SizedFile | undefined
  let smallest = Number.POSITIVE_INFINITY
  let factor = 1 / sizes.share
  let tooLarge = max + 1
  for (let round = 1; round <= MOST_FULL_ENCODES; round++) {
    const lowest = best?.level ?? min
    const predictedLevel = await highest(lowest, tooLarge - 1, async (level) => (await sizeOf(level)) * factor <= most)
    // The last try is the lowest level.
    const level = round === MOST_FULL_ENCODES && !best ? min : predictedLevel
    if (level === best?.level) return best
    const file = await write(level)
    smallest = Math.min(smallest, file.bytes.length)
    factor = file.bytes.length / (await sizeOf(level))
    if (file.bytes.length <= most) best = { level, file }
    else if (level === min) break
    else tooLarge = level
  }
  if (best) return best
  throw cannotFit(smallest)
}

const cannotFit = (smallestBytes: number): ImageError =>
  new ImageError('cannot_fit', {
    message: `The picture takes at least ${smallestBytes} bytes in this format and size; allow that many, or ask for a smaller size.`,
    facts: { smallestBytes },
  })

function withBeside(error: unknown, beside: number): unknown {
  const smallest = error instanceof ImageError ? error.facts?.smallestBytes : undefined
  return typeof smallest === 'number' ? cannotFit(smallest + beside) : error
}

/** The highest of `from` to `to` that passes, if all below it do; `from` if none does. */
async function highest(from: number, to: number, passes: (level: number) => Promise<boolean>): Promise<number> {
  let low = from
  let high = to
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await passes(middle)) low = middle
    else high = middle - 1
  }
  return low
}
