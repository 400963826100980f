import type { Placement } from '@pixelmill/codecs/hdr/placement'
import type { Image } from '@pixelmill/codecs/pixels/open'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { pipelineOf, readGrey, readStrip } from '@pixelmill/codecs/pixels/strip'
import type { Sharp } from 'sharp'

/** What is known of a picture before it is decoded: the size of one frame, and its channels. */
export interface Canvas extends Size {
  readonly alpha: boolean
  /** One channel, and perhaps alpha. */
  readonly grey: boolean
}

/**
 * What a pipeline already does. libvips does these in this order, whatever the order of the calls: a step that comes earlier in
 * the list than the pipeline's last one starts from decoded pixels.
 */
export const stages = ['decoded', 'placed', 'sized', 'blurred', 'grey', 'finished'] as const
export type Stage = (typeof stages)[number]

/** A picture between two steps. */
export interface Picture extends Image {
  readonly canvas: Canvas
  readonly stage: Stage
  /** What the steps did to the places of the source's pixels, as displayed. */
  readonly placements: readonly Placement[]
}

export const pictureOf = (image: Image): Picture => ({
  ...image,
  canvas: canvasOf(image.header),
  stage: 'decoded',
  placements: [],
})

export const canvasOf = ({ width, height, alpha, grey }: Canvas): Canvas => ({ width, height, alpha, grey })

/** The same picture with its pixels in memory, from which any number of pipelines can start. */
export interface Settled {
  /** A new pipeline. */
  picture(): Picture
  /** Of one frame only. */
  firstFrame(): Picture
}

/** Runs the pipeline, and keeps its pixels. */
export async function settle(picture: Picture): Promise<Settled> {
  const { frames, header, canvas } = picture
  const isGrey = picture.stage === 'grey'
  const pixels = isGrey ? pipelineOf({ ...(await readGrey(picture.pixels, header.deep, canvas.alpha)), frames }) : picture.pixels
  const strip = await readStrip(pixels, frames, header.deep)
  const [width, height] = [strip.width, strip.height / frames]
  const state = { ...picture, canvas: { ...canvas, width, height }, stage: 'decoded' } as const
  const one = { ...strip, height, frames: 1, data: strip.data.subarray(0, width * height * strip.channels) }
  const start = (pixels: Sharp, frames: number): Picture => ({ ...state, pixels, frames })
  return { picture: () => start(pipelineOf(strip), frames), firstFrame: () => start(pipelineOf(one), 1) }
}

/** A pipeline of the first frame; the picture's own is not run. */
export async function firstFrame(picture: Picture): Promise<Sharp> {
  if (picture.frames === 1) return picture.pixels.clone()
  return (await settle({ ...picture, pixels: picture.pixels.clone() })).firstFrame().pixels
}
