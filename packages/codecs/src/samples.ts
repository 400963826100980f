import type { Sharp } from 'sharp'

/** Pixels to be written: sRGB or grey, 8 bits a channel, rows from the top. */
export interface Samples {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
  /** Samples of a pixel: grey or red, green, blue, then perhaps alpha. */
  readonly channels: number
  /** Offsets of green and blue from red; 0 for grey. */
  readonly green: number
  readonly blue: number
  /** Offset of alpha; undefined if all pixels are opaque. */
  readonly alpha: number | undefined
}

/** Runs the pipeline: decoding and editing happen here. */
export async function samplesOf(pixels: Sharp): Promise<Samples> {
  const { data, info } = await pixels.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const isGrey = channels < 3
  const alpha = channels % 2 === 0 && !isOpaque(data, channels) ? channels - 1 : undefined
  return { width, height, data, channels, green: isGrey ? 0 : 1, blue: isGrey ? 0 : 2, alpha }
}

function isOpaque(data: Uint8Array, channels: number): boolean {
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return false
  return true
}
