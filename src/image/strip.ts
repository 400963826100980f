import type { Sharp } from 'sharp'
import type { Bitmap } from '../codecs/bitmap.ts'
import { sharp } from './sharp.ts'

/** Decoded pixels in sRGB, with alpha or without; the frames of an animation below one another, as libvips holds them. */
export interface Strip extends Bitmap {
  readonly channels: 3 | 4
  readonly frames: number
}

/** Decodes now, with 16 bits a channel if they are to be kept. */
export async function readStrip(pixels: Sharp, frames: number, deep: boolean): Promise<Strip> {
  const decoding = deep ? pixels.toColourspace('rgb16').raw({ depth: 'ushort' }) : pixels.toColourspace('srgb').raw()
  const { data, info } = await decoding.toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels !== 3 && channels !== 4) throw new Error(`sRGB with ${channels} channels`)
  const samples = deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data
  return { width, height, channels, data: samples, frames }
}

/** The strip as the beginning of a pipeline. */
export function pipelineOf({ data, width, height, channels, frames }: Strip): Sharp {
  const raw = { width, height, channels, ...(frames > 1 && { pageHeight: height / frames }) }
  return sharp(data, { raw, limitInputPixels: false, animated: frames > 1 })
}
