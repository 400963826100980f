import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import type { DecodedImage } from '@pixelmill/codecs/pixels/decoded-image'
import { megapixels } from '@pixelmill/codecs/pixels/header'
import type { Image } from '@pixelmill/codecs/pixels/open'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { type EffortTable, effortFor } from '@pixelmill/codecs/scales'
import type { Similarity } from '@pixelmill/vision/likeness/similarity'
import { encodeJob, writeJob } from './encode.ts'

type Format = Codec['name']

/** A picture at the size at which it is to be encoded, and what is known of it. */
interface TrialSource {
  readonly image: Image
  readonly size: Size
  readonly decoded: DecodedImage
  readonly similarity: Similarity
  readonly transparent: boolean
  readonly drawn: boolean
  readonly lossy: boolean
  readonly hasMore: boolean
}

interface TrialOptions {
  readonly quality: number
  readonly lossy: readonly Format[]
  readonly exact: readonly Format[]
  readonly exactOf: 'all' | 'drawn'
  readonly seconds: number
}

/** A format, at the quality or lossless. */
interface Encoding {
  readonly codec: Codec
  readonly exact: boolean
}

interface Tried {
  readonly format: Format
  readonly quality: number | null
  readonly exact: boolean
  readonly bytes: number
  readonly ssim: number
}

/** Encodes the picture in the formats that can hold it, as far as time allows. @param began from process.cpuUsage() */
export async function tryEncodings(source: TrialSource, options: TrialOptions, began: NodeJS.CpuUsage) {
  const { size, image, drawn } = source
  const sizeMegapixels = megapixels(size.width, size.height, image.frames)
  const encodings = suitable(source, options)
  const jobs = encodings.map((encoding) => ({
    seconds: secondsFor(encoding, sizeMegapixels, drawn, image.frames > 1),
    work: () => tryOne(source, encoding, options.quality),
  }))
  const results = await withinTime(jobs, options.seconds, () => cpuSeconds(began))
  return {
    tried: results.filter((result) => result !== undefined),
    leftOut: encodings.filter((_, index) => results[index] === undefined).map(({ codec }) => codec.name),
  }
}

/** Leaves out formats that would lose transparency, animation or further pages, and lossless copies of lossy files. */
function suitable(source: TrialSource, { lossy, exact, exactOf }: TrialOptions): readonly Encoding[] {
  const { size, image, transparent, drawn, hasMore } = source
  if (hasMore) return []
  const isAnimated = image.frames > 1
  const holds = (codec: Codec) =>
    (codec.alpha || !transparent) &&
    (isAnimated ? codec.animated : !codec.fewColours) &&
    Math.max(size.width, size.height) <= codec.maxSide
  const encodings = (names: readonly Format[], exact: boolean): readonly Encoding[] =>
    names.map((name) => ({ codec: codecs[name], exact })).filter(({ codec }) => holds(codec))
  const withLoss = encodings(lossy, false)
  const lossless = encodings(exact, true).filter(({ codec }) => codec.encodeExactly)
  // One is enough to show what lossless would cost.
  if (source.lossy) return withLoss.length > 0 ? withLoss : lossless.slice(0, 1)
  // The likely choice comes first, in case there is no time for all.
  return exactOf === 'all' || drawn || withLoss.length === 0 ? [...lossless, ...withLoss] : withLoss
}

async function tryOne(source: TrialSource, { codec, exact }: Encoding, quality: number): Promise<Tried> {
  const { image, size, decoded, similarity } = source
  const { header, frames } = image
  const ownQuality = exact ? undefined : quality
  const picture = {
    pixels: decoded.pixels(),
    codec,
    quality: ownQuality,
    ...size,
    frames,
    header,
    grey: header.grey,
    keepDepth: false,
  }
  const job = encodeJob(picture)
  const { bytes } = exact && codec.encodeExactly ? await codec.encodeExactly(job.pixels, job.settings) : await writeJob(job)
  const hasQuality = !exact && !codec.fewColours
  return {
    format: codec.name,
    quality: hasQuality ? quality : null,
    exact,
    bytes: bytes.length,
    ssim: await similarity.of(bytes, codec),
  }
}

/** Lossless encoding of drawings takes half of that of photographs, or less. */
const DRAWN_SHARE = 0.5
const UNKNOWN_COST: EffortTable = [[Infinity, 1_000]]
/** Milliseconds a megapixel for decoding and comparing, and the most megapixels that are compared. */
const COMPARING_MS = 100
const COMPARED_MEGAPIXELS = 8

function secondsFor({ codec, exact }: Encoding, size: number, isDrawn: boolean, isAnimated: boolean): number {
  const cost = (exact ? codec.cost.exactTrial : codec.cost.trial) ?? UNKNOWN_COST
  const ofStill = effortFor(cost, size) * (exact && isDrawn ? DRAWN_SHARE : 1)
  const perMegapixel = isAnimated ? Math.max(ofStill, 1_000 * (codec.cost.animating ?? 0)) : ofStill
  return (perMegapixel * size + COMPARING_MS * Math.min(size, COMPARED_MEGAPIXELS)) / 1_000
}

function cpuSeconds(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1e6
}

/** Work that can be skipped, and how long it is expected to take. */
interface OptionalWork<Result> {
  readonly seconds: number
  work(): Promise<Result>
}

/**
 * Runs the jobs that there is time for, in order: the first in any case, then those that are expected to end in time, given
 * how fast the machine was so far. The result of a skipped job is undefined.
 * @param most seconds, on the clock
 * @param clock seconds that have passed
 */
export async function withinTime<Result>(
  jobs: readonly OptionalWork<Result>[],
  most: number,
  clock: () => number,
): Promise<readonly (Result | undefined)[]> {
  const results: (Result | undefined)[] = []
  let expected = 0
  let takenSeconds = 0
  for (const { seconds, work } of jobs) {
    const began = clock()
    const pace = expected > 0 ? takenSeconds / expected : 1
    if (results.length > 0 && began + seconds * pace > most) {
      results.push(undefined)
      continue
    }
    results.push(await work())
    expected += seconds
    takenSeconds += clock() - began
  }
  return results
}
