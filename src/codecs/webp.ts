import { limits } from '../contract/limits.ts'
import type { Codec } from './codec.ts'
import { type EffortTable, effortFor } from './effort.ts'
import { stripWebp } from './strip/webp.ts'
import { written } from './written.ts'

/** Effort 2 costs half of effort 4 for 3 % more bytes at the same SSIM; on a thumbnail even 4 is cheap. */
const efforts: EffortTable = [
  [0.05, 4],
  [40, 2],
  [Infinity, 1],
]

/** Optimize spends more: effort 4 saves those 3 %, up to where one call would take longer than ten seconds. */
const optimizeEfforts: EffortTable = [
  [20, 4],
  [Infinity, 2],
]

export const webp: Codec = {
  name: 'webp',
  mime: 'image/webp',
  extension: 'webp',
  target: true,
  alpha: true,
  animated: true,
  deep: false,
  maxSide: 16_383,
  matches: (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  encode: (pixels, { quality = limits.quality.default, megapixels, animation }) =>
    written(pixels.webp({ ...animation, quality, effort: effortFor(efforts, megapixels) })),
  candidates: (pixels, { quality, megapixels, animation }) => [
    () =>
      written(
        pixels.clone().webp({ ...animation, quality, effort: effortFor(optimizeEfforts, megapixels), lossless: quality === 100 }),
      ),
  ],
  strip: stripWebp,
}
