import type { Codec, EncodeSettings, Levels, Written } from '@pixelmill/codecs/codec'
import { ApiError } from '@pixelmill/codecs/contract/api-error'
import { limits } from '@pixelmill/codecs/contract/limits'
import { readPixels } from '@pixelmill/codecs/pixels/from-bitmap'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { sharp } from '@pixelmill/codecs/pixels/sharp'
import { decodeToMemory, pipelineOf } from '@pixelmill/codecs/pixels/strip'
import { levelAt, valueAt } from '@pixelmill/codecs/scales'
import type { Channels, Sharp } from 'sharp'
import { type Edited, type Encoded, prepare, settingsFor } from './encode.ts'
import { type Sample, sampleOf } from './tiles.ts'

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
 * @throws ApiError cannot_fit
 */
export async function encodeToTarget(edited: Edited, target: Target): Promise<Encoded> {
  const search = await openSearch(edited)
  const { visualQuality } = target
  return encodeFound(search, target, visualQuality === undefined ? undefined : await search.reach(visualQuality))
}

/** A picture in memory, and its encodings on a sample. */
export interface Search {
  readonly codec: Codec
  readonly levels: Levels
  readonly settings: EncodeSettings
  readonly sample: Sample
  /** A new pipeline of the whole picture. */
  pixels(): Sharp
  onSample(level: number): Promise<Written>
  /** The lowest level that reaches a score. */
  reach(score: number): Promise<Trial>
  attempt(level: number): Promise<Trial>
}

export async function openSearch(edited: Edited): Promise<Search> {
  const { codec, frames, header, grey, alpha = header.alpha } = edited
  const { levels } = codec
  if (!levels) throw new Error(`${codec.name} has no levels to search`)
  const settings = settingsFor(edited)
  const prepared = prepare(edited)
  const decoded = await decodeToMemory(prepared.clone(), { frames, header: { ...header, grey, alpha: alpha && codec.alpha } })
  const sample = sampleOf(decoded.raster, frames)
  const still = { ...settings, animation: undefined }
  const onSample = (level: number) => levels.write(pipelineFor(sample.stacked), still, level)
  const attempt = async (level: number) => scored(sample, codec, level, await onSample(level))
  return {
    ...{ codec, levels, settings, sample, onSample, attempt },
    // 16 bits a channel are not in memory.
    pixels: () => (codec.deep ? prepared.clone() : decoded.pixels()),
    reach: (score) => levelFor(score, levels, attempt),
  }
}

/**
 * The file of a search.
 * @param reached the level of `visualQuality`
 * @throws ApiError cannot_fit
 */
export async function encodeFound(search: Search, target: Target, reached: Trial | undefined): Promise<Encoded> {
  const { visualQuality, maxBytes, quality, beside = 0 } = target
  const { codec, levels, settings, sample, pixels, onSample, attempt } = search
  const highest = quality === undefined ? levels.max : levels.of(quality, settings)
  const falls = visualQuality !== undefined && reached !== undefined && fallsShort(reached, visualQuality)
  // A picture of few colours is often smaller without loss; and the highest level of WebP does not reach every score.
  const exact =
    codec.encodeExactly && quality === undefined && (settings.fewColours || falls)
      ? await codec.encodeExactly(pixels(), settings)
      : undefined
  const fits = exact && exact.bytes.length + beside <= (maxBytes ?? Number.POSITIVE_INFINITY)
  if (exact && fits && (falls || visualQuality === undefined)) return { ...exact, codec, score: 100 }

  const write = (level: number) => levels.write(pixels(), settings, level)
  if (maxBytes === undefined && reached) {
    const written = await write(reached.level)
    if (exact && exact.bytes.length <= written.bytes.length) return { ...exact, codec, score: 100 }
    return { ...written, codec, score: reached.score }
  }
  const sizes = { share: sample.share, of: async (level: number) => (await onSample(level)).bytes.length }
  const range = { min: levels.min, max: reached?.level ?? highest }
  const found = await withinBytes((maxBytes ?? 0) - beside, range, sizes, write).catch((error: unknown) => {
    throw withBeside(error, beside)
  })
  return { ...found.written, codec, score: found.level === reached?.level ? reached.score : (await attempt(found.level)).score }
}

/** Whether a format cannot reach a score. */
export const fallsShort = ({ score }: Trial, asked: number): boolean => score < asked - SHORT

/** By how much the highest level may fall short of a score, before the picture is sent without loss. */
const SHORT = 2

const pipelineFor = ({ channels, ...raster }: Raster): Sharp =>
  pipelineOf({ ...raster, channels: channels as Channels, frames: 1 })

export interface Trial {
  readonly level: number
  readonly score: number
}

async function scored(sample: Sample, { reader }: Codec, level: number, { bytes }: Written): Promise<Trial> {
  const decoding = reader ? (await readPixels(reader, bytes)).pixels : sharp(bytes, { limitInputPixels: limits.pixels })
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
async function levelFor(asked: number, { min, max, scores }: Levels, attempt: (level: number) => Promise<Trial>): Promise<Trial> {
  if (!scores) throw new Error('a score was asked of a format without scores')
  const whole = (level: number) => Math.min(max, Math.max(min, Math.ceil(level - ROUNDING)))
  const trials: Trial[] = []
  let level = whole(levelAt(scores, asked))
  for (;;) {
    const last = await attempt(level)
    trials.push(last)
    const [below, above] = around(trials, asked)
    const ratio = (100 - last.score) / (100 - valueAt(scores, last.level))
    const between = below && above && (asked - below.score) / (above.score - below.score)
    const next =
      below && above && between !== undefined
        ? whole(below.level + between * (above.level - below.level))
        : whole(levelAt(scores, 100 - (100 - asked) / ratio))
    const known = trials.find((trial) => trial.level === next)
    if (known) return known
    // The highest level is tried: it may not be enough.
    const isTrusted = Math.abs(next - level) <= TRUSTED && next !== max
    if (isTrusted || trials.length === MOST_TRIALS) {
      return { level: next, score: 100 - ratio * (100 - valueAt(scores, next)) }
    }
    level = next
  }
}

/** The trials next to a score, on either side. */
function around(trials: readonly Trial[], asked: number): readonly [Trial | undefined, Trial | undefined] {
  const sorted = trials.toSorted((one, other) => one.score - other.score)
  return [sorted.findLast(({ score }) => score < asked), sorted.find(({ score }) => score >= asked)]
}

/** Bytes of the sample by level, and its share of the picture. */
interface Sizes {
  readonly share: number
  of(level: number): Promise<number>
}

const MOST_FULL_ENCODES = 7

/**
 * The highest level of which the file is small enough. The sample predicts it, and each full encode corrects the prediction.
 * @throws ApiError cannot_fit
 */
async function withinBytes(
  most: number,
  { min, max }: Pick<Levels, 'min' | 'max'>,
  sizes: Sizes,
  write: (level: number) => Promise<Written>,
): Promise<{ readonly level: number; readonly written: Written }> {
  const known = new Map<number, Promise<number>>()
  const sizeOf = (level: number) => {
    const size = known.get(level) ?? sizes.of(level)
    known.set(level, size)
    return size
  }
  let best: { readonly level: number; readonly written: Written } | undefined
  let [smallest, factor, tooLarge] = [Number.POSITIVE_INFINITY, 1 / sizes.share, max + 1]
  for (let round = 1; round <= MOST_FULL_ENCODES; round++) {
    const lowest = best?.level ?? min
    const predicted = await highest(lowest, tooLarge - 1, async (level) => (await sizeOf(level)) * factor <= most)
    // The last try is the lowest level.
    const level = round === MOST_FULL_ENCODES && !best ? min : predicted
    if (level === best?.level) return best
    const written = await write(level)
    smallest = Math.min(smallest, written.bytes.length)
    factor = written.bytes.length / (await sizeOf(level))
    if (written.bytes.length <= most) best = { level, written }
    else if (level === min) break
    else tooLarge = level
  }
  if (best) return best
  throw cannotFit(smallest)
}

const cannotFit = (smallestBytes: number): ApiError =>
  new ApiError('cannot_fit', {
    message: `The picture takes at least ${smallestBytes} bytes in this format and size; allow that many, or ask for a smaller size.`,
    facts: { smallestBytes },
  })

function withBeside(error: unknown, beside: number): unknown {
  const smallest = error instanceof ApiError ? error.facts?.smallestBytes : undefined
  return typeof smallest === 'number' ? cannotFit(smallest + beside) : error
}

/** The highest of `from` to `to` that passes, if all below it do; `from` if none does. */
async function highest(from: number, to: number, passes: (level: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await passes(middle)) low = middle
    else high = middle - 1
  }
  return low
}
