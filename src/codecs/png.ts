import type { Codec } from './codec.ts'
import { type EffortTable, effortFor } from './effort.ts'
import { stripPng } from './strip/png.ts'
import { written } from './written.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** libimagequant on a 2-megapixel photograph: effort 7 takes 3.3 s, 4 takes 0.9 s for 17 % more bytes, 2 takes 0.8 s. */
const paletteEfforts: EffortTable = [
  [8, 4],
  [Infinity, 1],
]
const optimizePaletteEfforts: EffortTable = [
  [2.5, 7],
  [8, 4],
  [Infinity, 1],
]
/** zlib's 9 takes three times as long as 7 for 1.5 % fewer bytes. */
const compressionLevels: EffortTable = [
  [8, 9],
  [Infinity, 7],
]

export const png: Codec = {
  name: 'png',
  mime: 'image/png',
  extension: 'png',
  target: true,
  alpha: true,
  animated: false,
  deep: true,
  // The format allows 2^31; libpng's default limit is a million.
  maxSide: 1_000_000,
  matches: (head) => head.subarray(0, SIGNATURE.length).equals(SIGNATURE),
  encode: (pixels, { quality = 100, megapixels }) =>
    written(pixels.png(quality < 100 ? { palette: true, quality, effort: effortFor(paletteEfforts, megapixels) } : {})),
  // Adaptive filters win on photographs, none on drawings. Where a palette is allowed, it beats both on photographs.
  candidates(pixels, { quality, megapixels }) {
    const compressionLevel = effortFor(compressionLevels, megapixels)
    const palette = { palette: true, quality, effort: effortFor(optimizePaletteEfforts, megapixels), compressionLevel }
    return [
      () => written(pixels.clone().png({ compressionLevel })),
      () => written(pixels.clone().png(quality < 100 ? palette : { compressionLevel, adaptiveFiltering: true })),
    ]
  },
  strip: stripPng,
}
