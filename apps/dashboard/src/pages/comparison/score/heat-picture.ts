import type { ShownPicture } from '../../playground/shown-picture.ts'
import type { Likeness } from './scorer.ts'

/** Pixels a side of a block of a map of errors. */
const BLOCK_SIDE = 8

/**
 * A map of errors as a picture to lay over the result. The blocks at its right and bottom may reach beyond it. Its URL is to be revoked.
 * @param factor pixels of the whole picture for one of what was compared, along a side
 */
export const heatPicture = ({ heat, columns, rows }: Likeness, factor: number): ShownPicture => ({
  url: URL.createObjectURL(heat),
  width: columns * BLOCK_SIDE * factor,
  height: rows * BLOCK_SIDE * factor,
})
