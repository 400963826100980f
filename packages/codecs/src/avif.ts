import type { Sharp } from 'sharp'
import {
  type Attempt,
  type Codec,
  type Effort,
  type EncodeSettings,
  type Graded,
  type Levels,
  type Mode,
  type OptimizeSettings,
  writeFile,
} from './codec.ts'
import { limits } from './contract/limits.ts'
import { mapInIsobmff } from './hdr/in-isobmff.ts'
import { MAP_QUALITY } from './hdr/values.ts'
import { imageFormats } from './image-formats.ts'
import { avifSequenceReader } from './isobmff/avif-sequence.ts'
import { brandsOf } from './isobmff/boxes.ts'
import { limitedRangeOf, pointsIn } from './isobmff/code-points.ts'
import { completedIsobmff } from './isobmff/completed.ts'
import { isobmffExcess } from './isobmff/excess.ts'
import { codedItemOf } from './isobmff/items.ts'
import { sequenceTiming } from './isobmff/sequence-timing.ts'
import { stripIsobmff } from './isobmff/strip.ts'
import { isobmffContainer } from './metadata/containers/isobmff.ts'
import { isMapInIsobmff } from './metadata/gain-maps.ts'
import { isManifestInIsobmff } from './metadata/manifests.ts'
import { rgbSpaceOf } from './rgb-space.ts'
import { type Curve, type EffortTable, effortFor, onScale, type QualityScale } from './scales.ts'

/**
 * libaom's efforts and bits. At equal SSIMULACRA2 its effort 0 with 10 bits takes 4 to 8 % more bytes than effort 1 for two fifths of the
 * CPU, with 8 bits 12 to 18 %, so that is left for pictures that would otherwise take longer than a caller waits. The tables are in
 * docs/design/encoders.md.
 */
const settingsByEffort: Readonly<Record<Effort, readonly AvifRow[]>> = {
  fast: [
    { megapixels: 16, effort: 0, bitdepth: 10 },
    { megapixels: Infinity, effort: 0, bitdepth: 8 },
  ],
  balanced: [
    { megapixels: 16, effort: 1, bitdepth: 8 },
    { megapixels: Infinity, effort: 0, bitdepth: 8 },
  ],
  small: [
    { megapixels: 2, effort: 4, bitdepth: 8 },
    { megapixels: 12, effort: 3, bitdepth: 8 },
    { megapixels: 25, effort: 1, bitdepth: 8 },
    { megapixels: Infinity, effort: 0, bitdepth: 8 },
  ],
}

interface AvifRow {
  /** Up to so many. */
  readonly megapixels: number
  readonly effort: number
  readonly bitdepth: 8 | 10
}

function aomSettings(megapixels: number, effort: Effort = 'balanced'): Pick<AvifRow, 'effort' | 'bitdepth'> {
  const row = settingsByEffort[effort].find((each) => megapixels <= each.megapixels)
  if (!row) throw new Error('the last row is for all larger pictures')
  return { effort: row.effort, bitdepth: row.bitdepth }
}

const optimizeEfforts: EffortTable = [
  [4, 3],
  [12, 2],
  [25, 1],
  [Infinity, 0],
]

/** libaom at efforts 0 and 1 beside JPEG, by lab/measure-quality.ts: below 90 with half-resolution chroma, from 90 on with full. */
export const aomScale: QualityScale = [
  [1, 1],
  [10, 10],
  [25, 31],
  [50, 47, 45],
  [60, 51, 48],
  [75, 61, 64],
  [85, 72, 75],
  [89, 78, 79],
  [90, 86, 87],
  [95, 94],
  [100, 100],
]

/** The same at effort `small`, whose scores are a point higher at the same level. */
const smallScale: QualityScale = [
  [1, 1],
  [10, 9],
  [25, 30],
  [50, 45, 43],
  [60, 49, 46],
  [75, 59, 62],
  [85, 69, 72],
  [89, 74, 76],
  [90, 83, 84],
  [95, 92],
  [100, 100],
]

/** libaom's quality with the same SSIM as libjpeg's and libwebp's, on photographs: where optimize begins to search. */
const alike: QualityScale = [
  [1, 1],
  [10, 20],
  [25, 37],
  [50, 48],
  [75, 58],
  [90, 80],
  [95, 89],
  [100, 100],
]

/** AVIF names itself as the major brand or among the compatible ones (AV1-AVIF §6). */
const matches = (head: Buffer): boolean => brandsOf(head).some((brand) => brand === 'avif' || brand === 'avis')

/**
 * libaom takes 40 bytes of memory for each pixel at full chroma resolution and 25 at half, and as much again for alpha, which is a
 * second encoder's. In a renderer with 3,072 MB, 42 megapixels with alpha were written and 46 were not; at full chroma resolution 24
 * were and 36 were not. Opaque images at half resolution have no limit of their own.
 */
const MOST_FULL_CHROMA_MEGAPIXELS = 48
const MOST_FULL_CHROMA_ALPHA_MEGAPIXELS = 24
const MOST_ALPHA_MEGAPIXELS = 40

/** As for JPEG: half-resolution chroma below it. */
const FULL_CHROMA_QUALITY = 90

const mostFullChroma = ({ alpha }: Omit<EncodeSettings, 'quality'>): number =>
  alpha ? MOST_FULL_CHROMA_ALPHA_MEGAPIXELS : MOST_FULL_CHROMA_MEGAPIXELS

const chroma = (settings: OptimizeSettings): '4:4:4' | '4:2:0' =>
  settings.quality >= FULL_CHROMA_QUALITY && settings.megapixels <= mostFullChroma(settings) ? '4:4:4' : '4:2:0'

/** Effort 3 costs 0.7 s a megapixel, 2 costs 0.5 s, 1 and 0 a quarter of that; decoding and comparing costs 0.1 s. */
const tries: EffortTable = [
  [2, 3],
  [4, 2],
  [Infinity, 1],
]

/** Nothing is tried at quality 100: lossless AVIF takes several times the bytes of any lossy file. */
function candidates(pixels: Sharp, settings: OptimizeSettings): readonly Attempt[] {
  const { quality, megapixels, alpha, source } = settings
  if (quality === 100 || (source && isSequence(source.bytes))) return []
  if (alpha && megapixels > MOST_ALPHA_MEGAPIXELS) return []
  const guess = onScale(alike, quality)
  const effort = effortFor(optimizeEfforts, megapixels)
  const byLevel: Graded = {
    levels: { min: Math.max(1, guess - 30), guess, max: Math.min(99, guess + 15), step: 4 },
    tries: effortFor(tries, megapixels),
    write: (level) => writeFile(pixels.clone().avif({ quality: level, effort, chromaSubsampling: chroma(settings) })),
  }
  return [byLevel]
}

/** Only the first picture of an image sequence is decoded, so optimize must not replace the file by it. */
const isSequence = (bytes: Buffer): boolean => bytes.toString('latin1', 8, 12) === 'avis'

/** Median SSIMULACRA2 by level of 26 photographs at 512 and 2,048 px: where a search begins. */
const scores: Curve = [
  [1, -9],
  [10, 9],
  [20, 26],
  [30, 42],
  [40, 55],
  [50, 68],
  [60, 75],
  [70, 81],
  [79, 85],
  [85, 87],
  [86, 89],
  [90, 91],
  [98, 94],
  [100, 98],
]

/** The same at full chroma resolution, of 12 photographs. */
const fullChromaScores: Curve = [
  [1, -7],
  [10, 11],
  [20, 28],
  [30, 44],
  [40, 57],
  [50, 70],
  [60, 77],
  [70, 82],
  [79, 86],
  [86, 89],
  [90, 91],
  [98, 94],
  [100, 98],
]

const levelOf = (quality: number, { megapixels, effort }: Pick<EncodeSettings, 'megapixels' | 'effort'>): number =>
  onScale(effort === 'small' ? smallScale : aomScale, quality, megapixels)

const fullChromaLevel = (settings: Pick<EncodeSettings, 'megapixels' | 'effort'>): number =>
  levelOf(FULL_CHROMA_QUALITY, settings)

const writeAt = (pixels: Sharp, { megapixels, effort }: Omit<EncodeSettings, 'quality'>, level: number, full: boolean) =>
  writeFile(pixels.avif({ quality: level, ...aomSettings(megapixels, effort), chromaSubsampling: full ? '4:4:4' : '4:2:0' }))

const levels: Levels = {
  min: 1,
  max: 100,
  scores,
  modes(settings) {
    const firstFull = fullChromaLevel(settings)
    const halfScores = scores.filter(([level]) => level < firstFull)
    const half: Mode = { min: 1, max: firstFull - 1, scores: halfScores, write: levels.write }
    const full: Mode = {
      min: 1,
      max: 100,
      scores: fullChromaScores,
      write: (pixels, settings, level) => writeAt(pixels, settings, level, true),
    }
    return settings.megapixels <= mostFullChroma(settings) ? [half, full] : [{ ...half, max: 100 }]
  },
  of: levelOf,
  write: (pixels, settings, level) =>
    writeAt(pixels, settings, level, level >= fullChromaLevel(settings) && settings.megapixels <= mostFullChroma(settings)),
}

export const avif: Codec = {
  ...imageFormats.avif,
  name: 'avif',
  alpha: true,
  animated: false,
  deep: false,
  maxSide: 16_384,
  maxAlphaPixels: MOST_ALPHA_MEGAPIXELS * 1_000_000,
  matches,
  excess: isobmffExcess,
  completed: completedIsobmff,
  spaceOf(bytes) {
    const points = pointsIn(bytes)
    return points && rgbSpaceOf(points)
  },
  transferOf: (bytes) => pointsIn(bytes)?.transfer,
  limitedRangeOf,
  // libheif reads HEIC under AVIF's brand too: only AV1 data is AVIF.
  isOther: (bytes) => (codedItemOf(bytes)?.type ?? 'av01') !== 'av01',
  readerOf: (bytes) => (isSequence(bytes) ? avifSequenceReader : undefined),
  encode: (pixels, settings) => levels.write(pixels, settings, levels.of(settings.quality ?? limits.quality.default, settings)),
  levels,
  // Lossless AVIF exists but takes several times the bytes, so files are taken as lossy.
  lossy: () => true,
  photographIn: () => true,
  timingOf: sequenceTiming,
  moreInside: (bytes) => (isSequence(bytes) ? 'first_frame_only' : undefined),
  candidates,
  strip: stripIsobmff,
  improvedQuality: 90,
  loader: 'Heif',
  cost: {
    decoding: 0.035,
    encoding: 0.09,
    fast: 0.04,
    small: 1,
    optimizing: 1,
    trial: [
      [1, 800],
      [16, 420],
      [Infinity, 140],
    ],
  },
  container: isobmffContainer,
  isManifestIn: isManifestInIsobmff,
  gainMap: {
    isIn: isMapInIsobmff,
    find: mapInIsobmff,
    write: (map) => map.avif({ quality: MAP_QUALITY, effort: 1, chromaSubsampling: '4:4:4' }).toBuffer(),
    brands: 'avif\0\0\0\0avifmif1miaf',
  },
}
