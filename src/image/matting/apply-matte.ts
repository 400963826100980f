import type { Raster } from '../raster.ts'
import { clearHidden, insideSize, shrinkTo } from '../raster.ts'
import type { Size } from '../size.ts'
import { applyMaps } from './apply-maps.ts'
import { matteMaps } from './matte-maps.ts'

/** How opaque each pixel of a picture ought to be: a Float32Array says it in 0–1, a Uint8Array in 0–255. */
export interface Matte extends Size {
  readonly data: Float32Array | Uint8Array
}

/** A larger matte is shrunk to this longest side: at full resolution the picture itself knows its outline better. */
const MOST_SIDE = 1024

/**
 * Makes a picture transparent, in place, as a matte of lower resolution says: the matte decides where the subject is, the
 * picture's own edges and colours where exactly it ends, and what the background mixed into the outline is taken out.
 * Colour is 0 where nothing is left to see; alpha that the picture has already stays at most as it was.
 * Beside the picture it takes some 250 bytes for each pixel of the matte.
 * @param picture RGBA in rows, of any size
 * @param matte of the whole picture; its sides may be in another ratio, as those of models are, and be larger
 */
export function applyMatte(picture: Raster, matte: Matte): void {
  const inside = insideSize(matte, MOST_SIDE)
  const size = { width: Math.min(inside.width, picture.width), height: Math.min(inside.height, picture.height) }
  const opacity = shrinkTo({ ...matte, data: asBytes(matte.data), channels: 1 }, size)
  applyMaps(picture, matteMaps(shrinkTo(picture, size), opacity.data))
  clearHidden(picture)
}

const asBytes = (data: Float32Array | Uint8Array): Uint8Array =>
  data instanceof Uint8Array ? data : Uint8Array.from(data, (opacity) => Math.round(255 * Math.max(0, Math.min(1, opacity))))

/** A matte with at least this share of a picture's sides shows itself how opaque each pixel is. */
const DETAILED = 0.75
const OPAQUE = 255

/** How opaque the pixel of a picture may be, in the place of the one that lies there in the matte. */
interface Bounds {
  readonly least: Uint8Array
  readonly most: Uint8Array
}

/**
 * Makes no pixel of a cut-out more or less opaque than a trusted matte is within a pixel of its own, or, where that is nearly
 * as large as the picture, than the matte is there. Subjects with the colours of the background would have holes otherwise.
 * @param cut what `applyMatte` made, RGBA in rows; changed in place
 * @param own the picture's pixels before that: opaque ones have their colours
 * @param matte 0–255
 */
export function boundAlpha(cut: Raster, own: Uint8Array, matte: Matte & { readonly data: Uint8Array }): void {
  const { width, height } = cut
  const columns = positions(width, matte.width)
  const isDetailed = matte.width >= DETAILED * width
  const bounds = isDetailed ? undefined : boundsOf(matte)
  for (let y = 0, pixel = 0; y < height; y++) {
    const row = positionOf(y, height, matte.height)
    for (let x = 0; x < width; x++, pixel += 4) {
      const column = columns[x] as number
      const alpha = cut.data[pixel + 3] as number
      const bounded = bounds
        ? within(alpha, bounds, Math.round(row) * matte.width + Math.round(column))
        : between(matte, column, row)
      if (bounded !== alpha) setAlpha(cut.data, own, pixel, bounded)
    }
  }
}

const within = (alpha: number, { least, most }: Bounds, at: number): number =>
  Math.max(least[at] as number, Math.min(most[at] as number, alpha))

/** Where a sample lies in the matte: pixels are squares, and the edges of both coincide. */
const positionOf = (sample: number, length: number, matteLength: number): number =>
  Math.max(0, Math.min(matteLength - 1, ((sample + 0.5) * matteLength) / length - 0.5))

const positions = (length: number, matteLength: number): Float64Array =>
  Float64Array.from({ length }, (_, sample) => positionOf(sample, length, matteLength))

/** Interpolated linearly. */
function between({ data, width, height }: Matte, column: number, row: number): number {
  const [left, upper] = [Math.floor(column), Math.floor(row)]
  const [right, lower] = [Math.min(left + 1, width - 1), Math.min(upper + 1, height - 1)]
  const along = (y: number): number => {
    const [from, to] = [data[y * width + left] as number, data[y * width + right] as number]
    return from + (to - from) * (column - left)
  }
  const above = along(upper)
  return Math.round(above + (along(lower) - above) * (row - upper))
}

/** The least and the most of each pixel and its eight neighbours: of three in its row, then of three rows. */
function boundsOf({ data, width, height }: Matte & { readonly data: Uint8Array }): Bounds {
  const [least, most] = [data.slice(), data.slice()]
  for (const [step, length, lines, stride] of [
    [1, width, height, width],
    [width, height, width, 1],
  ] as const) {
    spread(least, Math.min, { step, length, lines, stride })
    spread(most, Math.max, { step, length, lines, stride })
  }
  return { least, most }
}

interface Lines {
  /** From one pixel of a line to the next, and how many it has. */
  readonly step: number
  readonly length: number
  /** How many lines there are, and from one to the next. */
  readonly lines: number
  readonly stride: number
}

function spread(plane: Uint8Array, pick: (...of: number[]) => number, { step, length, lines, stride }: Lines): void {
  for (let line = 0; line < lines; line++) {
    let before = plane[line * stride] as number
    for (let at = 0, pixel = line * stride; at < length; at++, pixel += step) {
      const here = plane[pixel] as number
      const next = at + 1 < length ? (plane[pixel + step] as number) : here
      plane[pixel] = pick(before, here, next)
      before = here
    }
  }
}

function setAlpha(data: Uint8Array, own: Uint8Array, pixel: number, alpha: number): void {
  // What has been invisible has no colour, and what is opaque has none of the background's.
  const source = alpha === OPAQUE || data[pixel + 3] === 0 ? own : data
  for (let channel = 0; channel < 3; channel++) data[pixel + channel] = alpha === 0 ? 0 : (source[pixel + channel] as number)
  data[pixel + 3] = alpha
}
