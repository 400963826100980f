import type { Sharp } from 'sharp'

/** Pixels to be written: sRGB, 8 bits a channel, rows from the top. */
export interface Raster {
  readonly width: number
  readonly height: number
  /** Red, green, blue and perhaps alpha. */
  readonly channels: 3 | 4
  readonly data: Uint8Array
  /** Whether there is no transparency, whatever the channels. */
  readonly opaque: boolean
}

/** Runs the pipeline: everything that was asked of it is decoded and edited here. */
export async function rasterOf(pixels: Sharp): Promise<Raster> {
  const { data, info } = await pixels.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels !== 3 && channels !== 4) throw new Error(`sRGB came as ${channels} channels`)
  return { width, height, channels, data, opaque: channels === 3 || isOpaque(data) }
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false
  return true
}
