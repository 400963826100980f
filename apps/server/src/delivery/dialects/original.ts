import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Box } from '@pixelmill/codecs/pixels/trim'
import type { Sketch, StepInput } from './sketch.ts'

/** What a dialect plans by: the size of the original as displayed, and the orientation of EXIF that was heeded for it. */
export interface Original extends Size {
  readonly orientation: number
  /** What is left without its border: all of it unless that is to be cut off. */
  readonly trimmedBox?: Box
  /** Of the pictures that are laid over it, by their paths. */
  readonly markSizes?: ReadonlyMap<string, Size>
}

/** What each orientation of EXIF asks for. */
const turns: Readonly<Record<number, readonly StepInput[]>> = {
  2: [{ flop: {} }],
  3: [{ rotate: { angle: 180 } }],
  4: [{ flip: {} }],
  5: [{ rotate: { angle: 90 } }, { flop: {} }],
  6: [{ rotate: { angle: 90 } }],
  7: [{ rotate: { angle: 90 } }, { flip: {} }],
  8: [{ rotate: { angle: 270 } }],
}
/** The orientation that undoes each: a quarter turn is undone by the other one, all others by themselves. */
const inverse: Readonly<Record<number, number>> = { 6: 8, 8: 6 }

/** Turns as an orientation of EXIF says. */
export function orient(sketch: Sketch, orientation: number): void {
  for (const turn of turns[orientation] ?? []) sketch.add('orient', turn)
}

/** How a picture that is shown by its orientation is turned back to what its file has. */
export const turnsBack = (orientation: number): readonly StepInput[] => turns[inverse[orientation] ?? orientation] ?? []

/** The picture as its file has it, before EXIF. */
export function asStored(sketch: Sketch, { orientation }: Original): void {
  for (const turn of turnsBack(orientation)) sketch.add('orient', turn)
}
