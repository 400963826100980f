import type { Channels, Sharp } from 'sharp'
import type { Image } from './open.ts'
import type { Raster } from './raster.ts'
import { pipelineOf, readGrey, readStrip } from './strip.ts'

/** A picture that is decoded once and can be encoded many times. */
export interface DecodedImage {
  /** 8 bits; grey, or sRGB; with alpha if the file has it. The frames of an animation are stacked vertically. */
  readonly raster: Raster
  /** A new pipeline with the same pixels as the one that was decoded. */
  pixels(): Sharp
}

/** Runs a pipeline and keeps its result in memory. */
export async function decodeToMemory(pixels: Sharp, { frames, header }: Pick<Image, 'frames' | 'header'>): Promise<DecodedImage> {
  const raster = header.grey ? await readGrey(pixels, false, header.alpha) : await readStrip(pixels, frames, false)
  const { data, width, height, channels } = raster
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return {
    raster: { data: bytes, width, height, channels },
    pixels: () => pipelineOfRaster({ data: bytes, width, height, channels }, frames),
  }
}

/** Starts a new pipeline from a raster, whose frames are stacked vertically. */
export const pipelineOfRaster = ({ channels, ...raster }: Raster, frames = 1): Sharp =>
  pipelineOf({ ...raster, channels: channels as Channels, frames })
