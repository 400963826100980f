import type { Sharp } from 'sharp'

/** Pixels to be written: sRGB or grey, 8 bits a channel, rows from the top. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
  /** Samples of a pixel: grey or red, green, blue, then perhaps alpha. */
  readonly channels: number
  /** Where green and blue stand behind red: at 0 if they are grey. */
  readonly green: number
  readonly blue: number
  /** Where alpha stands; undefined if nothing is transparent, whatever the channels. */
  readonly alpha: number | undefined
}

/** Runs the pipeline: everything that was asked of it is decoded and edited here. */
export async function rasterOf(pixels: Sharp): Promise<Raster> {
  const { data, info } = await pixels.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2]
  const alpha = channels % 2 === 0 && !isOpaque(data, channels) ? channels - 1 : undefined
  return { width, height, data, channels, green, blue, alpha }
}

function isOpaque(data: Uint8Array, channels: number): boolean {
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return false
  return true
}
