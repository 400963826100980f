import { decodeFrames } from '@pixelmill/codecs/pixels/strip'
import type { Sharp } from 'sharp'
import type { Picture } from './picture.ts'

/** The same picture with its pixels in memory, from which any number of pipelines can start. */
export interface SettledPicture {
  /** A new pipeline. */
  picture(): Picture
  /** Of one frame only. */
  firstFrame(): Picture
}

/** Runs the pipeline, and keeps its pixels. */
export async function settle(picture: Picture): Promise<SettledPicture> {
  const { frames, header, canvas, stage, pixels } = picture
  const greyWith = stage === 'grey' ? { alpha: canvas.alpha } : undefined
  const decodedFrames = await decodeFrames(pixels, { frames, deep: header.deep, greyWith })
  const { width, height } = decodedFrames
  const state = { ...picture, canvas: { ...canvas, width, height }, samples: undefined, stage: 'decoded' } as const
  return {
    picture: () => ({ ...state, pixels: decodedFrames.all() }),
    firstFrame: () => ({ ...state, pixels: decodedFrames.first(), frames: 1 }),
  }
}

/** A pipeline of the first frame; the picture's own is not run. */
export async function firstFrame(picture: Picture): Promise<Sharp> {
  if (picture.frames === 1) return picture.pixels.clone()
  return (await settle({ ...picture, pixels: picture.pixels.clone() })).firstFrame().pixels
}
