import type { Sharp } from 'sharp'
import type { Bitmap } from '../codecs/bitmap.ts'
import { limits } from '../contract/limits.ts'
import { sharp } from './sharp.ts'
import { tiffAround } from './tiff-around.ts'

/**
 * Decoded pixels as a pipeline. libvips takes raw pixels to be sRGB; those in another space go in as an uncompressed TIFF,
 * the plainest container that carries an ICC profile.
 */
export function fromBitmap(bitmap: Bitmap): Sharp {
  if (bitmap.icc) return sharp(tiffAround(bitmap, bitmap.icc), { limitInputPixels: limits.pixels })
  const { data, width, height, channels } = bitmap
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: limits.pixels })
}
