import type { Size } from '../../image/size.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** In whole pixels of the image as displayed, from its upper left corner. */
export interface Rectangle extends Size, Point {}
