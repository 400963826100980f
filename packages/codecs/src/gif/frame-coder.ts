import { type Rectangle, TRANSPARENT } from './gif-file.ts'
import type { Encoded } from './lzw-encode.ts'
import type { FramePalette } from './plan-palettes.ts'

/** How one frame is encoded, and how close to the source it must be. */
export interface FrameCoding {
  /** How well the previous canvas matches a pixel: 0 not, 1 exactly, up to 255 within the tolerance. */
  shows(at: number): number
  code(choices: Choices, colours: readonly number[], area: Rectangle): Encoded
}

/** @param canvas the wanted canvas, `shown` the canvas that the frame is drawn on: rows of `across` pixels */
export type FrameCoder = (canvas: Uint32Array, picture: Uint32Array, across: number) => FrameCoding

/** The indices allowed for each pixel of a frame. */
export interface Choices {
  /** The index of each pixel's colour; the transparent index when the palette lacks it, which shows the previous canvas. */
  readonly own: Uint8Array
  /** Whether the transparent index is allowed instead: 0 no, 1 for an equal result, more the more it differs. */
  readonly free: Uint8Array
  readonly transparent: number
  /** Number of indices at the frame's minimum code size. */
  readonly indices: number
}

/**
 * The choices for a frame; undefined when a colour is neither in the palette nor can be left transparent.
 * @param shows see FrameCoding
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
  let last: number | undefined
  let index: number = transparent
  for (let row = 0, to = 0; row < area.height; row++) {
    let at = (area.top + row) * across + area.left
    for (const end = at + area.width; at < end; at++, to++) {
      const colour = canvas[at] ?? TRANSPARENT
      if (colour !== last) {
        last = colour
        const ownIndex = colour === TRANSPARENT ? transparent : table.indexOf(colour)
        // The index that is transparent here may be a colour elsewhere.
        index = ownIndex < 0 || ownIndex >= indices ? transparent : ownIndex
        if (index < 0) return undefined
      }
      own[to] = index
      if (index !== transparent && transparent >= 0) free[to] = shows(at)
    }
  }
  return { own, free, transparent, indices }
}
