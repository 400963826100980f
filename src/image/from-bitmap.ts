import type { Sharp } from 'sharp'
import type { Bitmap } from '../codecs/bitmap.ts'
import { limits } from '../contract/limits.ts'
import { sharp } from './sharp.ts'
import { tiffAround } from './tiff-around.ts'
import { toSrgb } from './to-srgb.ts'

/**
 * Decoded pixels as a pipeline. libvips takes raw pixels to be sRGB; those in another space go in as an uncompressed TIFF,
 * the plainest container that carries an ICC profile.
 */
export async function fromBitmap(bitmap: Bitmap): Promise<Sharp> {
  const { data, width, height, channels } = bitmap
  if (bitmap.icc) {
    const deep = data.BYTES_PER_ELEMENT === 2
    const pixels = sharp(tiffAround(bitmap, bitmap.icc), { limitInputPixels: limits.pixels, ignoreIcc: deep })
    return deep ? toSrgb(pixels, channels === 1) : pixels
  }
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: limits.pixels })
}
