import type { Point, Rectangle } from './rectangle.ts'

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
