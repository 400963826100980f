import type { Band } from './planes.ts'

/** One thing done to a picture, band by band. */
export interface Step {
  /** Rows that reach into a result from above and below. */
  readonly reach: number
  /** How many times as wide and as high the result is. */
  readonly scale: 1 | 2
  apply(band: Band): Band
}
