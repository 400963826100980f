import { limits } from '../contract/limits.ts'
import type { Codec } from './codec.ts'
import { type EffortTable, effortFor } from './effort.ts'
import { codePointsOf } from './isobmff/code-points.ts'
import { written } from './written.ts'

/**
 * libaom's cost doubles with each effort, and past 3 it grows fivefold for 2 % fewer bytes. Effort 0 gives no fewer
 * bytes than WebP at equal SSIM, so it is left for images that would otherwise take longer than a caller waits.
 */
const efforts: EffortTable = [
  [1, 2],
  [16, 1],
  [Infinity, 0],
]
const optimizeEfforts: EffortTable = [
  [4, 3],
  [12, 2],
  [25, 1],
  [Infinity, 0],
]

/**
 * [quality asked for, libaom quality whose SSIM equals JPEG's at it]; between rows in proportion.
 * Measured by scripts/measure-quality.ts on twelve photographs at 768 px.
 */
const qualityTable: readonly (readonly [asked: number, aom: number])[] = [
  [1, 1],
  [10, 16],
  [25, 37],
  [50, 49],
  [75, 62],
  [90, 82],
  [95, 92],
  [100, 100],
]

export function aomQuality(asked: number): number {
  const above = qualityTable.findIndex(([quality]) => quality >= asked)
  const [high, aomHigh] = qualityTable[above] ?? [100, 100]
  const [low, aomLow] = qualityTable[above - 1] ?? [high, aomHigh]
  return high === low ? aomHigh : Math.round(aomLow + ((asked - low) / (high - low)) * (aomHigh - aomLow))
}

const isBrand = (brand: string) => brand === 'avif' || brand === 'avis'

/** ISO BMFF: the first box is `ftyp`; AVIF names itself as the major brand or among the compatible ones (AV1-AVIF §6). */
function matches(head: Buffer): boolean {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return false
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [8, ...Array.from({ length: Math.max(0, (end - 16) >> 2) }, (_, index) => 16 + index * 4)]
  return brands.some((at) => isBrand(head.toString('latin1', at, at + 4)))
}

export const avif: Codec = {
  name: 'avif',
  mime: 'image/avif',
  extension: 'avif',
  target: true,
  alpha: true,
  animated: false,
  deep: false,
  maxSide: 16_384,
  matches,
  codePoints: codePointsOf,
  encode: (pixels, { quality = limits.quality.default, megapixels }) =>
    written(
      pixels.avif({ quality: aomQuality(quality), effort: effortFor(efforts, megapixels), chromaSubsampling: chroma(quality) }),
    ),
  candidates: (pixels, { quality, megapixels }) => [
    () =>
      written(
        pixels.clone().avif({
          quality: aomQuality(quality),
          effort: effortFor(optimizeEfforts, megapixels),
          chromaSubsampling: chroma(quality),
          lossless: quality === 100,
        }),
      ),
  ],
}

/** As for JPEG: half-resolution chroma where the eye forgives it. */
const chroma = (quality: number) => (quality >= 90 ? '4:4:4' : '4:2:0')
