import type { Sharp } from 'sharp'
import type { Bitmap } from '../codecs/bitmap.ts'
import type { DecodeJpeg, Reader } from '../codecs/reader.ts'
import { limits } from '../contract/limits.ts'
import { sharp } from './sharp.ts'
import { tiffAround } from './tiff-around.ts'
import { toSrgb } from './to-srgb.ts'

/** The pixels that a reader of ours decodes, as a pipeline: of an animation `frames`, or those before a damaged one. Throws UnreadableError. */
export async function readPixels(
  reader: Reader,
  bytes: Buffer,
  frames = 1,
): Promise<{ readonly pixels: Sharp; readonly frames: number }> {
  const bitmap = await reader.decode(bytes, decodeJpeg, frames)
  return { pixels: await fromBitmap(bitmap), frames: bitmap.frames ?? 1 }
}

/**
 * Decoded pixels as a pipeline. libvips takes raw pixels to be sRGB; those in another space, and inks, go in as an
 * uncompressed TIFF, the plainest container that carries an ICC profile.
 */
export async function fromBitmap(bitmap: Bitmap): Promise<Sharp> {
  const { data, width, height, channels, icc, inks, frames = 1 } = bitmap
  if (icc || inks || channels === 5) {
    const deep = data.BYTES_PER_ELEMENT === 2
    const pixels = sharp(tiffAround(bitmap, icc), { limitInputPixels: limits.pixels, ignoreIcc: deep })
    return deep ? toSrgb(pixels, channels === 1) : pixels
  }
  const raw = { width, height, channels, ...(frames > 1 && { pageHeight: height / frames }) }
  return sharp(data, { raw, limitInputPixels: limits.pixels, animated: frames > 1 })
}

/** By libvips. One that says that its colours are not transformed comes back as its components. */
const decodeJpeg: DecodeJpeg = async (jpeg) => {
  const options = { failOn: 'truncated', limitInputPixels: limits.pixels, ignoreIcc: true } as const
  const { space = 'srgb' } = await sharp(jpeg, options).metadata()
  const colourspace = space === 'cmyk' ? 'cmyk' : space === 'b-w' ? 'b-w' : 'srgb'
  const pixels = sharp(jpeg, options).pipelineColourspace(colourspace).toColourspace(colourspace)
  const { data, info } = await pixels.raw().toBuffer({ resolveWithObject: true })
  // libvips holds that four components are inks, and that JPEG has them inverted.
  const components = space === 'cmyk' ? data.map((value) => 255 - value) : data
  return { data: components, width: info.width, height: info.height, channels: info.channels }
}
