import type { PngOptions, Sharp } from 'sharp'
import { apngExcess, apngTiming, hasFallback, isAnimation, lacksFrames } from './apng/read-apng.ts'
import { apngReader } from './apng/reader.ts'
import { writeApng } from './apng/write-apng.ts'
import {
  type Attempt,
  type Codec,
  type Completed,
  type EncodeSettings,
  type Graded,
  type Levels,
  type OptimizeSettings,
  type Written,
  writeFile,
} from './codec.ts'
import { limits } from './contract/limits.ts'
import { imageFormats } from './image-formats.ts'
import { oxipng } from './lossless-tools.ts'
import { pngContainer } from './metadata/containers/png.ts'
import { pngDensity } from './metadata/density.ts'
import { isManifestInPng } from './metadata/manifests.ts'
import { completedPng, pngSpace, pngTransfer, stripPng } from './png-chunks.ts'
import { decodePng } from './png-decode.ts'
import { exactPng } from './png-exact.ts'
import { SIGNATURE } from './png-file.ts'
import { withSoundProfile } from './png-profile.ts'
import { type EffortTable, effortFor } from './scales.ts'
import { sharp } from './sharp.ts'

/** libimagequant on a 2-megapixel photograph: effort 7 takes 3.3 s, 4 takes 0.9 s for 17 % more bytes, 2 takes 0.8 s. */
const paletteEfforts: EffortTable = [
  [8, 4],
  [Infinity, 1],
]
/**
 * Optimize spends more: 1.5, 0.6 and 0.35 s a megapixel of photograph; at 5 the result is 8 % larger than at 7, at 4 11 %. A
 * palette of a drawing is found several times faster: the file size counts, in megabytes.
 */
const optimizePaletteEfforts: EffortTable = [
  [1, 7],
  [3, 5],
  [20, 4],
  [Infinity, 1],
]
/** Enough dithering that gradients do not band; at 0.5 a palette of the same SSIM takes an eighth more bytes on a screenshot. */
const DITHER = 0.25
const paletteTries: EffortTable = [
  [0.5, 6],
  [1, 4],
  [3, 2],
  [Infinity, 1],
]
/** 16 colours are tried for drawings, whose palettes are found quickly. */
const FEW_COLOURS_EFFORT = 4
/** zlib's 9 takes three times as long as 7 for 1.5 % fewer bytes. */
const compressionLevels: EffortTable = [
  [1, 9],
  [Infinity, 7],
]
/** oxipng's default filters take up to 3 s a megapixel, one filter 0.3 s; skipped where libvips writes files as small. */
const oxipngFilters = (megapixels: number) => (megapixels <= 0.5 ? undefined : megapixels <= 3 ? [filter.none, filter.sub] : [])
/** PngRowFilter of @napi-rs/image. */
const filter = { none: 0, sub: 1 } as const
/** oxipng saves up to a quarter over zlib, never half. */
const OXIPNG_AT_BEST = 0.5

const { parts } = limits.structure

/** Chunks before the pixel data, which libspng stores in a list; and what animations have of frames. */
function excess(bytes: Buffer): string | undefined {
  let count = 0
  for (let at = SIGNATURE.length; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') break
    if (count++ === parts) return `${parts} chunks before its pixels`
  }
  return apngExcess(bytes)
}

/** With its end, and a profile that libpng accepts. */
function completedFile(bytes: Buffer): Completed | undefined {
  const endedPng = completedPng(bytes)
  const sound = withSoundProfile(endedPng?.file ?? bytes)
  return sound ? { ...endedPng, file: sound } : endedPng
}

const PALETTE = 3
/** In the header chunk, as the colour type behind it (PNG, 11.2.2). */
const DEPTH_AT = 24
const hasPalette = (bytes: Buffer): boolean => bytes[25] === PALETTE

/** Channels of the colour types without a palette. */
const channelsOf: readonly (number | undefined)[] = [1, undefined, 3, undefined, 2, undefined, 4]

/**
 * Bytes of a file for each byte of its samples. Of 150 PNGs, all drawings, icons, diagrams and screenshots had at most 0.12,
 * photographs 0.21 to 0.7; between 0.2 and 0.4 there were also a game with dithered colours and pages with photographs.
 */
const PHOTOGRAPHIC = 0.2

function photographIn(bytes: Buffer): boolean {
  if (bytes.length < HEADER_BYTES) return false
  const width = bytes.readUInt32BE(16)
  const height = bytes.readUInt32BE(20)
  const bits = bytes[24] ?? 0
  const channels = channelsOf[bytes[25] ?? PALETTE]
  return channels !== undefined && bits >= 8 && bytes.length >= (PHOTOGRAPHIC * width * height * channels * bits) / 8
}

/** The signature and the header chunk without its checksum. */
const HEADER_BYTES = 29

async function repack(png: Written, filters: readonly number[] | undefined): Promise<Written> {
  const bytes = await oxipng(png.bytes, filters)
  return bytes && bytes.length < png.bytes.length ? { ...png, bytes } : png
}

function candidates(pixels: Sharp, settings: OptimizeSettings): readonly Attempt[] {
  const { quality, megapixels, deep, source } = settings
  if (settings.animation) return animationCandidates(pixels, settings)
  const compressionLevel = effortFor(compressionLevels, megapixels)
  let ofZlib: Written | undefined
  const note = (png: Written) => {
    if (!ofZlib || png.bytes.length < ofZlib.bytes.length) ofZlib = png
    return png
  }
  /** Whether a lossless file could be smaller than the best one so far. */
  const isWithinReach = (toBeat: number) => ofZlib === undefined || ofZlib.bytes.length * OXIPNG_AT_BEST < toBeat
  const zlib = (adaptiveFiltering: boolean) => async (toBeat: number) =>
    isWithinReach(toBeat) ? note(await writeFile(pixels.clone().png({ compressionLevel, adaptiveFiltering }))) : undefined
  const reduce = async () => note(await exactPng(pixels.clone(), settings))
  const filters = oxipngFilters(megapixels)
  const repackBest = async (toBeat: number) => {
    const png = ofZlib ?? (await reduce())
    return isWithinReach(toBeat) && filters?.length !== 0 ? repack(png, filters) : png
  }
  const withSetFilters = [zlib(false), zlib(true)]
  // A palette has 8 bits a channel; a file that has one is not quantised again, since each time loses quality.
  if (quality === 100 || deep || (source && hasPalette(source.bytes))) return [reduce, ...withSetFilters, repackBest]
  const weight = Math.min(megapixels, (source?.bytes.length ?? Number.POSITIVE_INFINITY) / 1e6)
  const effort = effortFor(optimizePaletteEfforts, weight)
  const palette = { palette: true, dither: DITHER, compressionLevel }
  const polish = (png: Written) => (megapixels <= 8 ? repack(png, [filter.none]) : Promise.resolve(png))
  const levelledBy = (colours: number, effort: number, tries: number): Graded => ({
    levels: { min: 1, guess: 40, max: 90, step: 15 },
    tries,
    write: (level) => writeFile(pixels.clone().png({ ...palette, colours, effort, quality: level })),
    polish,
  })
  const fewColours = levelledBy(16, Math.min(effort, FEW_COLOURS_EFFORT), 1)
  const manyColours = levelledBy(256, effort, effortFor(paletteTries, weight))
  const palettes = settings.photograph ? [manyColours] : [fewColours, manyColours]
  return [reduce, ...palettes, ...withSetFilters, repackBest]
}

/** Of a palette: dithering would differ from frame to frame where nothing moves. */
const STEADY = { palette: true, dither: 0 } as const

/** An animation of 16 bits a channel would lose half of them, and one with a picture for other viewers loses that. */
function animationCandidates(pixels: Sharp, settings: OptimizeSettings): readonly Attempt[] {
  const { quality, megapixels, source } = settings
  if (source && (source.bytes[DEPTH_AT] === 16 || hasFallback(source.bytes))) return []
  const exact = () => writeApng(pixels, settings, BEST_LEVEL)
  if (quality === 100 || (source && hasPalette(source.bytes))) return [exact]
  const effort = effortFor(optimizePaletteEfforts, megapixels)
  const fewerColours: Graded = {
    levels: { min: 1, guess: 40, max: 90, step: 15 },
    tries: effortFor(paletteTries, megapixels),
    write: (level) => writeReduced(pixels, settings, { effort, quality: level }, BEST_LEVEL),
  }
  return [exact, fewerColours]
}

/** Of zlib. */
const BEST_LEVEL = 9

/** An animation in at most 256 colours. */
async function writeReduced(
  pixels: Sharp,
  settings: Omit<EncodeSettings, 'quality'>,
  options: PngOptions,
  level?: number,
): Promise<Written> {
  const { data, info } = await pixels
    .clone()
    .png({ ...STEADY, ...options })
    .toBuffer({ resolveWithObject: true })
  const { width, pages = 1, pageHeight = info.height } = info
  const strip = await sharp(data, { limitInputPixels: limits.pixels }).raw().toBuffer({ resolveWithObject: true })
  const raw = { width, height: strip.info.height, channels: strip.info.channels, ...(pages > 1 && { pageHeight }) }
  return writeApng(sharp(strip.data, { raw, limitInputPixels: limits.pixels, animated: pages > 1 }), settings, level)
}

/** At the effort `small` packed anew by oxipng, where that is installed. */
async function encodeExactly(pixels: Sharp, settings: Omit<EncodeSettings, 'quality'>): Promise<Written> {
  const { animation, megapixels, effort } = settings
  if (animation) return writeApng(pixels, settings, effort === 'small' ? BEST_LEVEL : undefined)
  const file = await exactPng(pixels, settings)
  const filters = oxipngFilters(megapixels)
  return effort === 'small' && filters?.length !== 0 ? repack(file, filters) : file
}

/** Palettes, and above them the picture as it is. */
const levels: Levels = {
  min: 1,
  max: 100,
  of: (quality) => quality,
  write(pixels, settings, quality) {
    const { animation, megapixels, effort } = settings
    if (quality >= 100) return encodeExactly(pixels, settings)
    const level = effort === 'small' ? BEST_LEVEL : undefined
    const options = { quality, effort: effortFor(level === undefined ? paletteEfforts : optimizePaletteEfforts, megapixels) }
    if (animation) return writeReduced(pixels, settings, options, level)
    return writeFile(pixels.png({ palette: true, ...options, ...(level !== undefined && { compressionLevel: level }) }))
  },
}

export const png: Codec = {
  excess,
  completed: completedFile,
  ...imageFormats.png,
  name: 'png',
  alpha: true,
  animated: true,
  deep: true,
  // The format allows 2^31; libpng's default limit is a million.
  maxSide: 1_000_000,
  matches: (head) => head.subarray(0, SIGNATURE.length).equals(SIGNATURE),
  spaceOf: pngSpace,
  transferOf: pngTransfer,
  photographIn,
  encode: (pixels, settings) => levels.write(pixels, settings, settings.quality ?? levels.max),
  levels,
  encodeExactly,
  lossy: () => false,
  timingOf: apngTiming,
  readerOf: (bytes) => (isAnimation(bytes) ? apngReader : undefined),
  // A viewer shows the picture that is there.
  moreInside: (bytes) => (lacksFrames(bytes) ? 'later_frames_damaged' : undefined),
  candidates,
  strip: stripPng,
  loader: 'Png',
  samplesOf: decodePng,
  isMostlyFlat: true,
  cost: {
    decoding: 0.01,
    encoding: 0.03,
    fast: 0.02,
    small: 1,
    optimizing: 2,
    palette: 0.23,
    animating: 0.3,
    exactTrial: [[Infinity, 60]],
  },
  container: pngContainer,
  isManifestIn: isManifestInPng,
  density: pngDensity,
}
