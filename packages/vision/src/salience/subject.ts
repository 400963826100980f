import type { Size } from '@pixelmill/codecs/pixels/size'

/** Salience of each pixel, row by row, scaled over the whole image. */
export interface SalienceMap {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** What a crop should keep. */
export interface Subject {
  /** Null if nothing is salient. */
  readonly box: Rectangle | null
  /** The point to centre, in pixels of the image. */
  readonly focus: Point
  /** 0–1 */
  readonly confidence: number
  /** Present where the subject was found without a model. */
  readonly map?: SalienceMap
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** In whole pixels of the image as displayed, from its upper left corner. */
export interface Rectangle extends Size, Point {}
