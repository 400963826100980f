import type { Size } from '../result-size.ts'
import type { Raster } from '../ssim.ts'

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
