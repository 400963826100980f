import type { Tile } from './planes.ts'

/** One thing done to a picture, tile by tile. */
export interface Step {
  /** Pixels that reach into a result from each side. */
  readonly reach: number
  /** How many times as wide and as high the result is. */
  readonly scale: 1 | 2
  apply(tile: Tile): Tile
}
