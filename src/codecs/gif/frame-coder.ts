import { type Rectangle, TRANSPARENT } from './gif-file.ts'
import type { Encoded } from './lzw-encode.ts'
import type { FramePalette } from './plan-palettes.ts'

/** How one frame is written, and how near to the source it has to be. */
export interface FrameCoding {
  /** How well what is shown before does for a place of the screen: 0 not at all, 1 is the same, up to 255 is still allowed. */
  shows(at: number): number
  code(choices: Choices, colours: readonly number[], area: Rectangle): Encoded
}

/** @param canvas what is to be seen with the frame, `shown` what it is drawn on: rows of `across` pixels */
export type FrameCoder = (canvas: Uint32Array, shown: Uint32Array, across: number) => FrameCoding

/** What may be written for the pixels of a frame. */
export interface Choices {
  /** The index of each pixel's colour; the transparent one where the palette has none, as it shows what was there before. */
  readonly own: Uint8Array
  /** Where the transparent index, though not the pixel's own, does as well: 1 if it shows the same, more the more it differs. */
  readonly free: Uint8Array
  readonly transparent: number
  /** Indices that need no longer codes than the frame has anyway. */
  readonly indices: number
}

/**
 * What a frame may be made of; undefined where a colour is not in a palette that has no transparent index either.
 * @param shows how well what is shown does for the new colour at a place of the screen: 0 not at all, 1 perfectly
 */
export function choicesFor(
  canvas: Uint32Array,
  across: number,
  area: Rectangle,
  { table, needs, transparent }: FramePalette,
  shows: (at: number) => number,
): Choices | undefined {
  const own = new Uint8Array(area.width * area.height)
  const free = new Uint8Array(own.length)
  const highest = needs.reduce((max, colour) => Math.max(max, table.indexOf(colour)), Math.max(transparent, 0))
  const indices = 2 ** Math.max(2, Math.ceil(Math.log2(highest + 1)))
  let [last, index]: [number | undefined, number] = [undefined, transparent]
  for (let row = 0, to = 0; row < area.height; row++) {
    let at = (area.top + row) * across + area.left
    for (const end = at + area.width; at < end; at++, to++) {
      const colour = canvas[at] ?? TRANSPARENT
      if (colour !== last) {
        last = colour
        const known = colour === TRANSPARENT ? transparent : table.indexOf(colour)
        // The index that is transparent here may be a colour elsewhere.
        index = known < 0 || known >= indices ? transparent : known
        if (index < 0) return undefined
      }
      own[to] = index
      if (index !== transparent && transparent >= 0) free[to] = shows(at)
    }
  }
  return { own, free, transparent, indices }
}
