import type { Size } from './size.ts'

/** Pixels in rows, their channels interleaved, 8 bits each: grey or RGB, perhaps with alpha behind. */
export interface Raster {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: number
}

/** Whether a pixel is transparent, however little. */
export function isTransparent({ data, channels }: Raster): boolean {
  if (channels !== 2 && channels !== 4) return false
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return true
  return false
}

/** Whether there are only shades of grey. */
export function isGrey({ data, channels }: Raster): boolean {
  if (channels < 3) return true
  for (let at = 0; at < data.length; at += channels) if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  return true
}

/** More transparent pixels than this share of all: somebody has cut the picture out already. */
const ALREADY_CUT = 0.01
/** A pixel less opaque than this is transparent, be it a little; lossy formats leave some of the opaque ones just below 255. */
const OPAQUE = 250

/**
 * Whether a picture came with transparency that is worth keeping: more than 1 % of its pixels are not opaque. It has no
 * background to remove then, and nobody needs to be asked for one.
 * @param picture one without alpha, which never is, or RGBA in rows
 */
export function isCutOut({ data, width, height, channels }: Raster): boolean {
  if (channels !== RGBA) return false
  let transparent = 0
  for (let at = 3; at < data.length; at += RGBA) if ((data[at] as number) < OPAQUE) transparent++
  return transparent > ALREADY_CUT * width * height
}

/**
 * Sets the colours that cannot be seen to 0, in place: they would give away the background, and cost bytes.
 * @param picture RGBA in rows
 */
export function clearHidden({ data }: Raster): void {
  for (let at = 3; at < data.length; at += RGBA) if (data[at] === 0) data[at - 3] = data[at - 2] = data[at - 1] = 0
}

const RGBA = 4

/** The size in the same ratio whose longest side is at most that. */
export function insideSize({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * The picture at that size, no side of which may be longer than its own: each pixel is the mean of a block of its.
 * Grey stays grey, colour becomes RGB: alpha is left out.
 */
export function shrinkTo(picture: Raster, { width, height }: Size): Raster {
  const channels = Math.min(3, picture.channels)
  const small = { width, height, channels, data: new Uint8Array(width * height * channels) }
  const [columns, rows] = [blocks(picture.width, width), blocks(picture.height, height)]
  const sums = new Float64Array(width * channels)
  for (let row = 0; row < height; row++) {
    const [top, bottom] = [rows[row] as number, rows[row + 1] as number]
    sums.fill(0)
    for (let y = top; y < bottom; y++) addRow(picture, y, columns, sums)
    for (let at = 0; at < sums.length; at++) {
      const column = Math.floor(at / channels)
      const pixels = (bottom - top) * ((columns[column + 1] as number) - (columns[column] as number))
      small.data[row * sums.length + at] = Math.round((sums[at] as number) / pixels)
    }
  }
  return small
}

/** Where each of `count` blocks begins in a line of that length, and where the last one ends. */
const blocks = (length: number, count: number): Uint32Array =>
  Uint32Array.from({ length: count + 1 }, (_, block) => Math.ceil((block * length) / count))

function addRow({ data, width, channels }: Raster, y: number, columns: Uint32Array, sums: Float64Array): void {
  const kept = Math.min(3, channels)
  for (let column = 0; column < columns.length - 1; column++) {
    const from = (y * width + (columns[column] as number)) * channels
    const to = (y * width + (columns[column + 1] as number)) * channels
    for (let channel = 0; channel < kept; channel++) {
      let sum = 0
      for (let at = from + channel; at < to; at += channels) sum += data[at] as number
      sums[column * kept + channel] = (sums[column * kept + channel] as number) + sum
    }
  }
}
