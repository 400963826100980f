import type { Sharp, WebpOptions } from 'sharp'
import {
  type Animation,
  type Attempt,
  type Codec,
  type EncodeSettings,
  type Graded,
  type Levels,
  type OptimizeSettings,
  type Written,
  writeFile,
} from './codec.ts'
import { limits } from './contract/limits.ts'
import { imageFormats } from './image-formats.ts'
import { webpContainer } from './metadata/containers/webp.ts'
import { isManifestInWebp } from './metadata/manifests.ts'
import { type Curve, type EffortTable, effortFor, onScale, type QualityScale } from './scales.ts'
import { coarsenessOfVp8, webpQualityFor } from './vp8-quality.ts'
import { completedWebp, stripWebp, webpExcess, webpKindOf, withDurations } from './webp-chunks.ts'

/**
 * Effort 2 costs half of effort 4 for 3 % more bytes at the same SSIM; on a thumbnail even 4 is cheap. Less than 2 saves little: effort 1
 * takes 7 to 20 % more bytes for four fifths of the CPU. So `fast` is the same.
 */
const efforts: EffortTable = [
  [0.05, 4],
  [40, 2],
  [Infinity, 1],
]

/**
 * Optimize spends more: 0.17 s a megapixel at effort 6, 0.1 at 4; each step saves 5 to 10 %. With alpha, 6 takes a hundred times
 * as long as 4: it tries every filter of the alpha channel.
 */
const optimizeEfforts: EffortTable = [
  [8, 6],
  [20, 4],
  [Infinity, 2],
]
const effortsWithAlpha: EffortTable = [
  [20, 4],
  [Infinity, 2],
]
/** At `small` as optimize has them. */
function effortTable({ effort, alpha }: Omit<EncodeSettings, 'quality'>): EffortTable {
  if (effort !== 'small') return efforts
  return alpha ? effortsWithAlpha : optimizeEfforts
}

/** Decoding and comparing takes 0.06 s a megapixel; lossless encoding up to 1 s. */
const tries: EffortTable = [
  [8, 4],
  [15, 2],
  [Infinity, 1],
]
const losslessEfforts: EffortTable = [
  [1.2, 6],
  [3, 4],
  [Infinity, 1],
]

/** Effort 1 takes 0.06 s a megapixel on screenshots; higher efforts save 1 to 3 % in up to four times the time, 0 takes up to five times the bytes. */
const EXACT_EFFORT = 1

/** libwebp beside JPEG, by lab/measure-quality.ts. JPEG has full chroma resolution from 90 on, which WebP never has. */
export const webpScale: QualityScale = [
  [1, 1],
  [25, 18],
  [50, 53, 58],
  [60, 64, 69],
  [75, 81, 85],
  [85, 89, 92],
  [89, 92, 94],
  [90, 96, 99],
  [100, 100],
]

/**
 * From this quality on and up to this size, sharp's slower reduction of chroma: at equal scores 12 % fewer bytes at 512 px, for
 * twice the time. At 1,100 px it gains nothing.
 */
const SMART_CHROMA = { quality: 90, megapixels: 0.5 } as const

/** libwebp's quality with the same SSIM as libjpeg's, on photographs at 1,024 px. */
const alike: QualityScale = [
  [1, 1],
  [50, 64],
  [75, 80],
  [90, 90],
  [100, 100],
]

/** Drawings are mostly smaller than this; above it, three more encodings of a second or more take too long. */
const NEAR_LOSSLESS_MEGAPIXELS = 1.2

/** A file up to this much above the requested quality is not re-encoded. */
const REACH = 8

/** By how much quality is lowered after the first partition overflowed. */
const COARSER = 5

/** Longest delay that sharp accepts, in milliseconds; WebP allows 256 times as much (24 bits), GIF ten times. */
const MOST_DELAY = 65_535

/** Encodes a WebP. Delays longer than sharp accepts are patched into the file afterwards. */
async function writeWebp(pixels: Sharp, animation: Animation | undefined, options: WebpOptions): Promise<Written> {
  const { delay, loop } = animation ?? {}
  const acceptedDelay = delay?.map((ms) => Math.min(ms, MOST_DELAY))
  const timing = { ...(acceptedDelay && { delay: acceptedDelay }), ...(loop !== undefined && { loop }) }
  const file = await writeFile(pixels.clone().webp({ ...options, ...timing }))
  const isShort = delay?.some((ms) => ms > MOST_DELAY)
  return delay && acceptedDelay && isShort ? { ...file, bytes: withDurations(file.bytes, acceptedDelay, delay) } : file
}

/**
 * VP8 stores block headers in a first partition of at most 512 KiB (RFC 6386, 9.1). Large pictures at a high
 * quality overflow it, from 35 megapixels at 95 on, and libwebp fails: the highest quality that fits is used.
 */
async function lossyWebp(
  pixels: Sharp,
  animation: Animation | undefined,
  options: WebpOptions & { readonly quality: number },
): Promise<Written> {
  for (let { quality } = options; ; quality -= COARSER) {
    try {
      return await writeWebp(pixels, animation, { ...options, quality })
    } catch (error) {
      const overran = error instanceof Error && error.message.includes('webpsave: unable to encode')
      if (!overran || quality <= COARSER) throw error
    }
  }
}

/**
 * For images with a palette lossless is nearly always smaller: for all of 45 GIFs that are not photographs.
 * So both are encoded, for 0.1 s a megapixel more, and the smaller is sent.
 */
async function encode(pixels: Sharp, settings: EncodeSettings): Promise<Written> {
  const { quality = limits.quality.default, megapixels, animation, fewColours } = settings
  const lossy = () => levels.write(pixels, settings, levels.of(quality, settings))
  if (!fewColours) return lossy()
  const [, packing] = packings.find(([most]) => megapixels <= most) ?? []
  const exact = await writeWebp(pixels, animation, { lossless: true, ...packing })
  const other = await lossy()
  return exact.bytes.length <= other.bytes.length ? exact : other
}

/** Median SSIMULACRA2 by level of 26 photographs at 512 and 2,048 px: where a search begins. */
const scores: Curve = [
  [1, 7],
  [10, 33],
  [20, 44],
  [30, 52],
  [40, 57],
  [50, 62],
  [60, 65],
  [70, 69],
  [79, 73],
  [85, 78],
  [90, 82],
  [95, 86],
  [100, 89],
]

const frameMegapixels = ({ megapixels, animation }: Pick<EncodeSettings, 'megapixels' | 'animation'>): number =>
  megapixels / (animation?.delay?.length ?? 1)

const levels: Levels = {
  min: 1,
  max: 100,
  scores,
  tilesBelow: 1,
  of: (quality, settings) => onScale(webpScale, quality, frameMegapixels(settings)),
  write(pixels, settings, level) {
    const { animation, megapixels } = settings
    const fine = level >= onScale(webpScale, SMART_CHROMA.quality, frameMegapixels(settings))
    const smartSubsample = fine && megapixels <= SMART_CHROMA.megapixels
    return lossyWebp(pixels, animation, { quality: level, smartSubsample, effort: effortFor(effortTable(settings), megapixels) })
  },
}

/**
 * By megapixels. `minSize`, which optimises the area of each frame, saves up to a fifth; quality 100 a twelfth, in 5 s
 * a megapixel.
 */
const packings: readonly (readonly [number, WebpOptions])[] = [
  [0.05, { effort: 6, quality: 100, minSize: true }],
  [0.5, { effort: 4, minSize: true }],
  [Infinity, { effort: EXACT_EFFORT }],
]

/** A lossless source is also tried lossless, which is smaller for drawings; a lossy source would only grow. */
function candidates(pixels: Sharp, { quality, megapixels, animation, plain, source }: OptimizeSettings): readonly Attempt[] {
  const kind = source && webpKindOf(source.bytes)
  const wasLossless = !kind?.vp8
  const packing = { lossless: true, effort: effortFor(losslessEfforts, megapixels) }
  const lossless = () => writeWebp(pixels, animation, packing)
  if (quality === 100) return wasLossless ? [lossless] : []
  const effort = effortFor(plain ? optimizeEfforts : effortsWithAlpha, megapixels)
  const guess = onScale(alike, quality)
  if (kind?.vp8 && webpQualityFor(coarsenessOfVp8(kind.vp8)) <= guess + REACH + 1) return []
  const lossy: Graded = {
    levels: { min: Math.max(1, guess - 30), guess, max: 98, step: 3 },
    tries: effortFor(tries, megapixels),
    write: (level) => lossyWebp(pixels, animation, { effort, quality: level }),
  }
  if (!wasLossless) return [lossy]
  return megapixels <= NEAR_LOSSLESS_MEGAPIXELS ? [lossy, lossless, nearLossless(pixels, animation, packing)] : [lossy, lossless]
}

/** Colours are rounded before compression: quality 60 changes a channel by at most 2, 20 by at most 4. */
const nearLossless = (pixels: Sharp, animation: Animation | undefined, packing: WebpOptions): Graded => ({
  levels: { min: 0, guess: 1, max: 2, step: 1 },
  tries: 2,
  write: (level) => writeWebp(pixels, animation, { ...packing, nearLossless: true, quality: 20 + level * 20 }),
})

export const webp: Codec = {
  ...imageFormats.webp,
  name: 'webp',
  alpha: true,
  animated: true,
  deep: false,
  maxSide: 16_383,
  matches: (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  excess: webpExcess,
  completed: completedWebp,
  // Lossy files only. A lossless file without metadata begins with the chunk VP8L.
  reducesWhileDecoding: (bytes) => bytes.toString('latin1', 12, 16) !== 'VP8L',
  encode,
  levels,
  encodeExactly: (pixels, { animation }) => writeWebp(pixels, animation, { lossless: true, effort: EXACT_EFFORT }),
  lossy: (bytes) => webpKindOf(bytes)?.vp8 !== undefined,
  photographIn: (bytes) => webpKindOf(bytes)?.vp8 !== undefined,
  candidates,
  strip: stripWebp,
  improvedQuality: 90,
  loader: 'Webp',
  cost: {
    decoding: 0.015,
    encoding: 0.025,
    small: 0.17,
    optimizing: 0.5,
    trial: [[Infinity, 80]],
    exactTrial: [[Infinity, 900]],
  },
  container: webpContainer,
  isManifestIn: isManifestInWebp,
}
