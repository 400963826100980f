import type { Channels, Sharp } from 'sharp'
import type { Bitmap } from '../reader.ts'
import { sharp } from '../sharp.ts'
import type { Size } from './size.ts'

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

/** A picture in memory, from which any number of pipelines can start. */
export interface DecodedFrames {
  /** Of one frame. */
  readonly width: number
  readonly height: number
  /** A new pipeline of all frames. */
  all(): Sharp
  /** A new pipeline of the first frame. */
  first(): Sharp
}

interface FrameKind {
  readonly frames: number
  readonly deep: boolean
  /** Whether the picture has alpha, where its pipeline gives shades of grey. */
  readonly greyWith?: { readonly alpha: boolean } | undefined
}

/** Runs a pipeline and keeps its pixels, with 16 bits a channel if `deep`. */
export async function decodeFrames(pixels: Sharp, { frames, deep, greyWith }: FrameKind): Promise<DecodedFrames> {
  const inColour = greyWith ? pipelineOf({ ...(await readGrey(pixels, deep, greyWith.alpha)), frames }) : pixels
  const strip = await readStrip(inColour, frames, deep)
  const { width, channels } = strip
  const height = strip.height / frames
  const one = { ...strip, height, frames: 1, data: strip.data.subarray(0, width * height * channels) }
  return { width, height, all: () => pipelineOf(strip), first: () => pipelineOf(one) }
}

interface Shades extends Size {
  readonly data: Uint8Array | Uint16Array
  /** Grey, perhaps with alpha. */
  readonly channels: 1 | 2
}

/**
 * Decodes a picture in shades of grey. Raw pixels of one channel lose their alpha, and after `grayscale` sharp gives one channel
 * whatever is asked for: so alpha is read apart.
 */
export async function readGrey(pixels: Sharp, deep: boolean, alpha: boolean): Promise<Shades> {
  const shades = await oneChannel(pixels.clone(), deep)
  if (!alpha) return { ...shades, channels: 1 }
  const opacity = await oneChannel(pixels.clone().ensureAlpha().extractChannel('alpha'), deep)
  const data = deep ? new Uint16Array(2 * shades.data.length) : new Uint8Array(2 * shades.data.length)
  interleave(shades.data, opacity.data, data)
  return { ...shades, data, channels: 2 }
}

type ArrayOfSamples = Uint8Array | Uint16Array

function interleave(shades: ArrayOfSamples, opacity: ArrayOfSamples, into: ArrayOfSamples): void {
  for (let at = 0, to = 0; at < shades.length; at++, to += 2) {
    into[to] = shades[at] as number
    into[to + 1] = opacity[at] as number
  }
}

async function oneChannel(pixels: Sharp, deep: boolean) {
  const decoding = deep
    ? pixels.toColourspace('grey16').raw({ depth: 'ushort' })
    : pixels.toColourspace('b-w').raw({ depth: 'uchar' })
  const { data, info } = await decoding.toBuffer({ resolveWithObject: true })
  const samples = deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data
  return { width: info.width, height: info.height, data: samples }
}
