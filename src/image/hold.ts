import type { Channels, Sharp } from 'sharp'
import type { Image } from './image.ts'
import { sharp } from './sharp.ts'
import type { Raster } from './ssim.ts'
import { readStrip } from './strip.ts'

/** A picture decoded once, from which it can be written many times. */
export interface Held {
  /** Grey, or in sRGB; with alpha where the file has it. The frames of an animation below one another. */
  readonly raster: Raster
  /** A new pipeline, which gives the very pixels that the one held would have given. */
  pixels(): Sharp
}

/** Decodes and edits now what waits in a pipeline. */
export async function hold(pixels: Sharp, { frames, header }: Image): Promise<Held> {
  const raster = header.grey ? await greyRaster(pixels) : await readStrip(pixels, frames, false)
  const { data, width, height, channels } = raster
  const raw = { width, height, channels: channels as Channels, ...(frames > 1 && { pageHeight: height / frames }) }
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return {
    raster: { data: bytes, width, height, channels },
    pixels: () => sharp(bytes, { raw, limitInputPixels: false, animated: frames > 1 }),
  }
}

async function greyRaster(pixels: Sharp): Promise<Raster> {
  const decoding = pixels.toColourspace('b-w').raw({ depth: 'uchar' })
  const { data, info } = await decoding.toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** Whether a pixel is transparent, however little. */
export function isTransparent({ data, channels }: Raster): boolean {
  if (channels !== 2 && channels !== 4) return false
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return true
  return false
}

/** Whether there are only shades of grey. */
export function isGrey({ data, channels }: Raster): boolean {
  if (channels < 3) return true
  for (let at = 0; at < data.length; at += channels) if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  return true
}
