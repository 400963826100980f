import { boundsOf, union } from './bounds.ts'
import type { GifFile, Rectangle } from './gif-file.ts'
import type { FramePlan } from './plan-frames.ts'

/** What a frame covers: the pixels that change, and what is cleared behind it; one pixel where there is neither. */
export const areaOf = ({ width, height }: GifFile, { covers }: FramePlan, changes: (at: number) => boolean): Rectangle =>
  union(boundsOf(width, height, changes), covers) ?? { left: 0, top: 0, width: 1, height: 1 }
