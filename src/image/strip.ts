import type { Channels, Sharp } from 'sharp'
import type { Bitmap } from '../codecs/bitmap.ts'
import type { Image } from './open.ts'
import type { Raster } from './raster.ts'
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
  const samples = deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data
  if (channels > RGBA) return { width, height, channels: RGBA, data: firstChannels(samples, channels), frames }
  if (channels !== 3 && channels !== 4) throw new Error(`sRGB with ${channels} channels`)
  return { width, height, channels, data: samples, frames }
}

const RGBA = 4

/** What stands behind colour and alpha, in TIFFs, is nothing to see; moved together in place. */
function firstChannels(samples: Uint8Array | Uint16Array, channels: number): Uint8Array | Uint16Array {
  const pixels = samples.length / channels
  for (let pixel = 1; pixel < pixels; pixel++) samples.copyWithin(pixel * RGBA, pixel * channels, pixel * channels + RGBA)
  return samples.subarray(0, pixels * RGBA)
}

/** The strip as the beginning of a pipeline. */
export function pipelineOf({ data, width, height, channels, frames }: Strip): Sharp {
  const raw = { width, height, channels, ...(frames > 1 && { pageHeight: height / frames }) }
  return sharp(data, { raw, limitInputPixels: false, animated: frames > 1 })
}

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
