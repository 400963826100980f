import type { Size } from '../../image/size.ts'

/** How much stands out where: rows of one number a pixel, over the whole image. */
export interface SalienceMap {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** What a crop should keep. */
export interface Subject {
  /** Null where nothing stands out. */
  readonly box: Rectangle | null
  /** What should come to the middle, in pixels of the image. */
  readonly focus: Point
  /** 0–1 */
  readonly confidence: number
  /** Where it was found without a model: how much of the subject is where. */
  readonly map?: SalienceMap
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** In whole pixels of the image as displayed, from its upper left corner. */
export interface Rectangle extends Size, Point {}
