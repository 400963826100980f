import type { Codec } from './codec.ts'
import { stripPng } from './strip/png.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** libimagequant beyond 7 changes bytes by under 1 %. */
const PALETTE_EFFORT = 7

const palette = (quality: number) => ({ palette: true, quality, effort: PALETTE_EFFORT })

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
  encode: (pixels, { quality = 100 }) => pixels.png(quality < 100 ? palette(quality) : {}),
  // Adaptive filters win on photographs, none on flat drawings: both are tried.
  candidates: (pixels, { quality }) => [
    pixels.clone().png({ compressionLevel: 9 }),
    pixels.clone().png({ compressionLevel: 9, adaptiveFiltering: true }),
    ...(quality < 100 ? [pixels.clone().png({ ...palette(quality), compressionLevel: 9 })] : []),
  ],
  strip: stripPng,
}
