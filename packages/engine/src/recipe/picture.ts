import type { Placement } from '@pixelmill/codecs/hdr/placement'
import type { Image } from '@pixelmill/codecs/pixels/open'
import type { Size } from '@pixelmill/codecs/pixels/size'

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
