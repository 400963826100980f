import type { Choices } from './choices.ts'
import type { Rectangle } from './gif-file.ts'
import type { Encoded } from './lzw-encode.ts'

/** How one frame is written, and how near to the source it has to be. */
export interface FrameCoding {
  /** How well what is shown before does for a place of the screen: 0 not at all, 1 is the same, up to 255 is still allowed. */
  shows(at: number): number
  code(choices: Choices, colours: readonly number[], area: Rectangle): Encoded
}

/** @param canvas what is to be seen with the frame, `shown` what it is drawn on: rows of `across` pixels */
export type FrameCoder = (canvas: Uint32Array, shown: Uint32Array, across: number) => FrameCoding
