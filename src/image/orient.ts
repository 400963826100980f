import type { Sharp } from 'sharp'

/** EXIF orientation (2–8) undone: sharp mirrors before it turns, in whatever order it is asked. */
const undone: Readonly<Record<number, (frame: Sharp) => Sharp>> = {
  2: (frame) => frame.flop(),
  3: (frame) => frame.rotate(180),
  4: (frame) => frame.flip(),
  5: (frame) => frame.rotate(90).flip(),
  6: (frame) => frame.rotate(90),
  7: (frame) => frame.rotate(90).flop(),
  8: (frame) => frame.rotate(270),
}

/** A picture as it is to be displayed. */
export const oriented = (frame: Sharp, orientation: number): Sharp => undone[orientation]?.(frame) ?? frame

/** Whether width and height change places. */
export const isSideways = (orientation: number): boolean => orientation >= 5
