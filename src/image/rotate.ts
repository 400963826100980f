import type { Sharp } from 'sharp'
import { sharp } from './sharp.ts'

const TRANSPARENT = { r: 255, g: 255, b: 255, alpha: 0 }

/**
 * Turns clockwise by degrees, 0–360; the corners that open are transparent. Quarter turns are lossless and stay in the
 * pipeline. Any other angle is finished first: sharp would apply a later resize before it, to the picture not yet turned.
 */
export async function rotate(pixels: Sharp, degrees: number): Promise<Sharp> {
  if (degrees % 360 === 0) return pixels
  if (degrees % 90 === 0) return pixels.rotate(degrees)
  const turned = pixels.toColourspace('srgb').ensureAlpha().rotate(degrees, { background: TRANSPARENT })
  const { data, info } = await turned.raw().toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels }, limitInputPixels: false })
}
