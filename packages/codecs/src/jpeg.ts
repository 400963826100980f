import type { JpegOptions, Sharp } from 'sharp'
import {
  type Attempt,
  type Codec,
  type Effort,
  type EncodeSettings,
  type Graded,
  type Levels,
  type OptimizeSettings,
  type Written,
  writeFile,
} from './codec.ts'
import { limits } from './contract/limits.ts'
import { mapInJpeg } from './hdr/in-jpeg.ts'
import { MAP_QUALITY } from './hdr/values.ts'
import { imageFormats } from './image-formats.ts'
import { usualJpegHeader } from './jpeg-header.ts'
import { completedJpeg, jpegExcess, stripJpeg, withAbsentComponents, withMetadataOf } from './jpeg-segments.ts'
import { repackedJpeg } from './lossless-tools.ts'
import { jpegContainer } from './metadata/containers/jpeg.ts'
import { jfifDensity } from './metadata/density.ts'
import { isMapInJpeg } from './metadata/gain-maps.ts'
import { isManifestInJpeg } from './metadata/manifests.ts'
import { type Curve, type EffortTable, effortFor, onScale, type QualityScale } from './scales.ts'
import { withoutDensity } from './without-density.ts'

/** From this quality on, half-resolution chroma is visible on saturated edges. */
const FULL_CHROMA_QUALITY = 90

const options = (quality: number) => ({
  quality,
  chromaSubsampling: quality >= FULL_CHROMA_QUALITY ? '4:4:4' : '4:2:0',
})

/** mozjpeg's quality with the same SSIM as libjpeg's, on photographs: at the same number its tables and trellis are coarser. */
const alike: QualityScale = [
  [1, 3],
  [10, 11],
  [30, 43],
  [50, 62],
  [75, 80],
  [90, 92],
  [100, 100],
]
/** mozjpeg's quality with tables as coarse as libjpeg's: a file up to it already has the requested quality and is not re-quantised. */
const coarse: QualityScale = [
  [1, 2],
  [3, 3],
  [10, 11],
  [20, 24],
  [30, 43],
  [50, 67],
  [75, 83],
  [90, 93],
  [100, 100],
]

/** The accuracy of the table above. */
const TOLERANCE = 1

/** mozjpeg takes 0.15 s a megapixel, decoding and comparing 0.05 s. */
const tries: EffortTable = [
  [8, 4],
  [16, 3],
  [30, 2],
  [Infinity, 1],
]

/** What transcoding leaves of a file: 0.8 to 0.98 of one with fixed Huffman tables. */
const TRANSCODED_AT_BEST = 0.65

/** The same coefficients in fewer bytes: progressive, with optimised Huffman tables. */
async function transcode(source: Written, toBeat: number): Promise<Written | undefined> {
  if (toBeat < TRANSCODED_AT_BEST * source.bytes.length) return undefined
  const bytes = await repackedJpeg(source.bytes)
  return bytes ? { ...source, bytes: withMetadataOf(source.bytes, withoutDensity(bytes, 'jpeg')) } : source
}

/** The part of mozjpeg that changes pixels. A sample is spared the search for scans, a third of the time. */
const trellis = { trellisQuantisation: true, overshootDeringing: true, quantisationTable: 3 } as const

const levelledBy = (pixels: Sharp, { quality, megapixels }: OptimizeSettings, chromaSubsampling: string): Graded => {
  const max = onScale(coarse, quality)
  const guess = Math.min(max, onScale(alike, quality))
  return {
    levels: { min: Math.max(1, guess - 30), guess, max, step: 2 },
    tries: effortFor(tries, megapixels),
    write: (level) => writeFile(pixels.clone().jpeg({ quality: level, chromaSubsampling, mozjpeg: true })),
    writeSample: (sample, level) => writeFile(sample.clone().jpeg({ quality: level, chromaSubsampling, ...trellis })),
    writePlain: (sample) =>
      writeFile((sample ?? pixels).clone().jpeg({ ...options(quality), progressive: !sample, optimiseScans: !sample })),
  }
}

/** A file of no more than the requested quality is not re-quantised, only repacked. */
function candidates(pixels: Sharp, settings: OptimizeSettings): readonly Attempt[] {
  const { quality, source } = settings
  const exact = source ? [(toBeat: number) => transcode(source, toBeat)] : []
  if (quality === 100 || (source && jpegQualityOf(source.bytes) <= quality + TOLERANCE)) return exact
  const chroma = quality >= FULL_CHROMA_QUALITY ? ['4:2:0', '4:4:4'] : ['4:2:0']
  return [...chroma.map((subsampling) => levelledBy(pixels, settings, subsampling)), ...exact]
}

/** Median SSIMULACRA2 by level of 26 photographs at 512 and 2,048 px: where a search begins. */
const scores: Curve = [
  [1, -62],
  [10, -5],
  [20, 36],
  [30, 50],
  [40, 59],
  [50, 65],
  [60, 69],
  [70, 74],
  [80, 79],
  [89, 85],
  [90, 90],
  [95, 93],
  [100, 97],
]

/** The same at full chroma resolution, of 12 photographs. */
const fullChromaScores: Curve = [
  [1, -58],
  [10, 0],
  [20, 39],
  [30, 54],
  [40, 63],
  [50, 69],
  [60, 73],
  [70, 78],
  [80, 82],
  [89, 87],
  [90, 90],
  [95, 93],
  [100, 97],
]

const levels: Levels = {
  min: 1,
  max: 100,
  scores,
  // Saturated drawings reach no high score at half chroma resolution, and at full resolution they do at a low level.
  modes(settings) {
    const firstFull = levels.of(FULL_CHROMA_QUALITY, settings)
    return [
      { min: 1, max: firstFull - 1, scores: scores.filter(([level]) => level < firstFull), write: levels.write },
      { min: 1, max: 100, scores: fullChromaScores, write: (pixels, settings, level) => writeAt(pixels, level, true, settings) },
    ]
  },
  of: (quality, { effort }) => (effort === 'small' ? onScale(smallScale, quality) : quality),
  write: (pixels, settings, level) => writeAt(pixels, level, level >= levels.of(FULL_CHROMA_QUALITY, settings), settings),
}

/**
 * mozjpeg's quality with the same SSIMULACRA2 as libjpeg's, of 12 photographs at 512 px: half-resolution chroma below 90, full from there
 * on.
 */
const smallScale: QualityScale = [
  [1, 2],
  [10, 12],
  [25, 30],
  [50, 59],
  [60, 65],
  [75, 76],
  [85, 86],
  [89, 89],
  [90, 92],
  [95, 96],
  [100, 100],
]

/**
 * By effort, beside libvips' JPEG with Huffman tables of its own: with those of libjpeg 2 to 9 % more bytes in two thirds of the CPU;
 * mozjpeg's trellis and scans 9 to 17 % fewer in five times the CPU.
 */
const writings: Readonly<Record<Effort, JpegOptions>> = {
  fast: { optimiseCoding: false },
  balanced: {},
  small: { mozjpeg: true },
}

/** In a small file the Huffman tables count: of 150 px a fifth would be added. */
const MOST_SMALL_MEGAPIXELS = 0.1

function writeAt(pixels: Sharp, level: number, full: boolean, settings: Omit<EncodeSettings, 'quality'>): Promise<Written> {
  const { megapixels, effort = 'balanced' } = settings
  const writing = effort === 'fast' && megapixels <= MOST_SMALL_MEGAPIXELS ? writings.balanced : writings[effort]
  return writeFile(pixels.jpeg({ quality: level, chromaSubsampling: full ? '4:4:4' : '4:2:0', ...writing }))
}

export const jpeg: Codec = {
  ...imageFormats.jpeg,
  name: 'jpeg',
  alpha: false,
  animated: false,
  deep: false,
  // The format allows 65,535; libjpeg's limit is lower.
  maxSide: 65_500,
  matches: (head) => head.length >= 3 && head.readUIntBE(0, 3) === 0xffd8ff,
  excess: jpegExcess,
  completed: completedJpeg,
  rowsTest: withAbsentComponents,
  reducesWhileDecoding: () => true,
  usualHeader: usualJpegHeader,
  photographIn: () => true,
  encode: (pixels, settings) => levels.write(pixels, settings, levels.of(settings.quality ?? limits.quality.default, settings)),
  levels,
  lossy: () => true,
  candidates,
  strip: stripJpeg,
  qualityOf: jpegQualityOf,
  improvedQuality: 90,
  loader: 'Jpeg',
  cost: { decoding: 0.004, encoding: 0.006, fast: 0.004, small: 0.06, optimizing: 0.4, trial: [[Infinity, 25]] },
  container: jpegContainer,
  isManifestIn: isManifestInJpeg,
  density: jfifDensity,
  gainMap: {
    isIn: isMapInJpeg,
    find: mapInJpeg,
    write: (map) => map.jpeg({ quality: MAP_QUALITY, chromaSubsampling: '4:4:4' }).toBuffer(),
  },
}

/** ITU-T T.81, table K.1, in zigzag order, as files store it: libjpeg scales it to make its qualities. */
const LUMINANCE = [
  16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61, 60, 57, 51,
  56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87, 95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92,
  101, 103, 99,
] as const

const DQT = 0xdb
const SOS = 0xda

/** Sum of libjpeg's table at a quality of 1–100, its entries held to 8 bits as baseline JPEG has them. */
function coarsenessAt(quality: number): number {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - quality * 2
  return LUMINANCE.reduce((sum, entry) => sum + Math.min(255, Math.max(1, Math.floor((entry * percent + 50) / 100))), 0)
}

/**
 * The libjpeg quality, 1–100, that quantises luma as coarsely as this file: exact for files by libjpeg, an
 * estimate for other tables. 100 when the segments are damaged.
 */
export function jpegQualityOf(bytes: Buffer): number {
  const coarseness = coarsenessOf(bytes)
  if (coarseness === undefined) return 100
  for (let quality = 1; quality < 100; quality++) if (coarsenessAt(quality) <= coarseness) return quality
  return 100
}

/** The sum of the first quantisation table, which is that of luma. */
function coarsenessOf(bytes: Buffer): number | undefined {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== SOS; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at + 1] !== DQT || at + 5 + 64 > bytes.length) continue
    const wide = ((bytes[at + 4] ?? 0) & 0xf0) !== 0
    const table = bytes.subarray(at + 5, at + 5 + (wide ? 128 : 64))
    return table.reduce((sum, entry, index) => sum + (wide && index % 2 === 0 ? entry * 256 : entry), 0)
  }
  return undefined
}
