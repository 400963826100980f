import { type Size, scaledSize } from './size.ts'

/** Pixels in rows, their channels interleaved, 8 bits each: grey or RGB, optionally followed by alpha. */
export interface Raster extends Size {
  readonly data: Uint8Array
  readonly channels: number
}

const RGBA = 4

/** Whether any pixel is not fully opaque. */
export function isTransparent({ data, channels }: Raster): boolean {
  if (channels !== 2 && channels !== 4) return false
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return true
  return false
}

/** Whether every pixel is a shade of grey, at 8 or 16 bits a channel. */
export function isGrey({ data, channels }: { readonly data: Uint8Array | Uint16Array; readonly channels: number }): boolean {
  if (channels < 3) return true
  for (let at = 0; at < data.length; at += channels) if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  return true
}

/** With a larger share of transparent pixels than this, a picture counts as already cut out. */
export const ALREADY_CUT = 0.01
/** A pixel with alpha below this counts as transparent; lossy formats leave some opaque pixels just below 255. */
export const OPAQUE = 250

/**
 * Whether the picture came without a background: more than 1 % of its pixels are not opaque. There is nothing to remove then.
 * @param picture any channels; only RGBA can be cut out
 */
export function isCutOut({ data, width, height, channels }: Raster): boolean {
  if (channels !== RGBA) return false
  let transparent = 0
  for (let at = 3; at < data.length; at += RGBA) if ((data[at] as number) < OPAQUE) transparent++
  return transparent > ALREADY_CUT * width * height
}

/**
 * Sets the colours of fully transparent pixels to 0, in place: they would reveal the background, and cost bytes.
 * @param picture RGBA; of grey with alpha likewise, and nothing of one without alpha
 */
export function clearHidden({ data, channels }: Raster): void {
  if (channels === 2) for (let at = 1; at < data.length; at += 2) if (data[at] === 0) data[at - 1] = 0
  if (channels !== RGBA) return
  for (let at = 3; at < data.length; at += RGBA) if (data[at] === 0) data[at - 3] = data[at - 2] = data[at - 1] = 0
}

/** The size, in the same ratio, whose longer side is at most `side`. */
export function insideSize({ width, height }: Size, side: number): Size {
  return Math.max(width, height) <= side
    ? { width, height }
    : scaledSize({ width, height }, { width: side, height: side, fit: 'inside' })
}

/**
 * Shrinks by box averaging: each pixel is the mean of a block of pixels. Grey stays grey, colour becomes RGB; alpha is
 * dropped.
 * @param size neither side may be longer than the picture's
 */
export function shrinkTo(picture: Raster, { width, height }: Size): Raster {
  const channels = Math.min(3, picture.channels)
  const small = { width, height, channels, data: new Uint8Array(width * height * channels) }
  const columns = blocks(picture.width, width)
  const rows = blocks(picture.height, height)
  const sums = new Float64Array(width * channels)
  for (let row = 0; row < height; row++) {
    const top = rows[row] as number
    const bottom = rows[row + 1] as number
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

/** Where each of `count` blocks along a side of that length begins, and where the last one ends. */
const blocks = (length: number, count: number): Uint32Array =>
  Uint32Array.from({ length: count + 1 }, (_, block) => Math.ceil((block * length) / count))

function addRow({ data, width, channels }: Raster, y: number, columns: Uint32Array, sums: Float64Array): void {
  const colourChannels = Math.min(3, channels)
  for (let column = 0; column < columns.length - 1; column++) {
    const from = (y * width + (columns[column] as number)) * channels
    const to = (y * width + (columns[column + 1] as number)) * channels
    for (let channel = 0; channel < colourChannels; channel++) {
      let sum = 0
      for (let at = from + channel; at < to; at += channels) sum += data[at] as number
      sums[column * colourChannels + channel] = (sums[column * colourChannels + channel] as number) + sum
    }
  }
}
