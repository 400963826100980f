import type { Channels, Sharp } from 'sharp'
import type { Bitmap } from '../codecs/reader.ts'
import type { Image } from './open.ts'
import type { Raster } from './raster.ts'
import { sharp } from './sharp.ts'

/** Decoded sRGB pixels, with or without alpha; the frames of an animation are stacked vertically, as libvips holds them. */
export interface Strip extends Bitmap {
  readonly channels: 3 | 4
  readonly frames: number
}

/** Decodes a pipeline into memory, with 16 bits a channel if `deep`. */
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

/** Drops the extra channels that TIFFs may have after colour and alpha, in place: they are not visible. */
function firstChannels(samples: Uint8Array | Uint16Array, channels: number): Uint8Array | Uint16Array {
  const pixels = samples.length / channels
  for (let pixel = 1; pixel < pixels; pixel++) samples.copyWithin(pixel * RGBA, pixel * channels, pixel * channels + RGBA)
  return samples.subarray(0, pixels * RGBA)
}

/** Starts a new pipeline from decoded pixels. */
export function pipelineOf({
  data,
  width,
  height,
  channels,
  frames,
}: Omit<Strip, 'channels'> & { readonly channels: Channels }): Sharp {
  const raw = { width, height, channels, ...(frames > 1 && { pageHeight: height / frames }) }
  return sharp(data, { raw, limitInputPixels: false, animated: frames > 1 })
}

/** A picture that is decoded once and can be encoded many times. */
export interface DecodedImage {
  /** 8 bits; grey, or sRGB; with alpha if the file has it. The frames of an animation are stacked vertically. */
  readonly raster: Raster
  /** A new pipeline with the same pixels as the one that was decoded. */
  pixels(): Sharp
}

/** Runs a pipeline and keeps its result in memory. */
export async function decodeToMemory(pixels: Sharp, { frames, header }: Pick<Image, 'frames' | 'header'>): Promise<DecodedImage> {
  const raster = header.grey ? await readGrey(pixels) : await readStrip(pixels, frames, false)
  const { data, width, height, channels } = raster
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return {
    raster: { data: bytes, width, height, channels },
    pixels: () => pipelineOf({ data: bytes, width, height, channels: channels as Channels, frames }),
  }
}

async function readGrey(pixels: Sharp): Promise<Raster> {
  const decoding = pixels.toColourspace('b-w').raw({ depth: 'uchar' })
  const { data, info } = await decoding.toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}
