import type { Strip } from './strip.ts'
import type { Box } from './trim.ts'

/** Red, green and blue, each up to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

/** What transparent pixels are shown on, and so the colour that names them. */
const MAGENTA: Colour = [255, 0, 255]

/** A count of up to 9 for each way in which a channel may differ: too bright or too dark. */
const COUNT_BITS = 4
/** Added to counts, it sets the highest bit of those from 5 on, which are most of 9. */
const MAJORITY = 0x333333
const HIGHEST_BITS = 0x888888

/**
 * The picture without a border of one colour, as libvips finds it: medians of 3 × 3 pixels are compared, so that single pixels, as
 * compression leaves them, belong to the border. All of the picture if it has no other colour.
 * @param picture of 8 bits, one frame @param threshold how much a median may differ
 * @param colour of the border; by default that of the top-left pixel
 */
export function medianTrimBox(picture: Strip, threshold: number, colour = colourAt(picture, 0)): Box {
  const { width, height } = picture
  const columns = new Int32Array(width)
  let left = width
  let top = height
  let right = -1
  let bottom = -1
  let above = differences(picture, 0, threshold, colour)
  let row = above
  for (let y = 0; y < height; y++) {
    const below = y + 1 < height ? differences(picture, y + 1, threshold, colour) : row
    for (let x = 0; x < width; x++) columns[x] = at(above, x) + at(row, x) + at(below, x)
    for (let x = 0; x < width; x++) {
      // The edge is repeated beyond itself.
      const counts = at(columns, Math.max(0, x - 1)) + at(columns, x) + at(columns, Math.min(width - 1, x + 1))
      if (((counts + MAJORITY) & HIGHEST_BITS) === 0) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
    above = row
    row = below
  }
  if (right < 0) return { left: 0, top: 0, width, height }
  return { left, top, width: right - left + 1, height: bottom - top + 1 }
}

const at = (row: Int32Array, x: number): number => row[x] as number

/** A pixel, on magenta where it is transparent. */
function colourAt({ data, channels }: Strip, pixel: number): Colour {
  const start = pixel * channels
  const share = channels === 4 ? (data[start + 3] as number) / 255 : 1
  const channel = (index: 0 | 1 | 2) => (data[start + index] as number) * share + MAGENTA[index] * (1 - share)
  return [channel(0), channel(1), channel(2)]
}

/** For each pixel of a row, ones in the counts of the ways in which it differs. */
function differences(picture: Strip, y: number, threshold: number, border: Colour): Int32Array {
  const { width } = picture
  const counts = new Int32Array(width)
  for (let x = 0; x < width; x++) {
    const colour = colourAt(picture, y * width + x)
    let fields = 0
    for (let channel = 0; channel < 3; channel++) {
      const difference = (colour[channel] as number) - (border[channel] as number)
      if (difference > threshold) fields |= 1 << (2 * channel * COUNT_BITS)
      else if (difference < -threshold) fields |= 1 << ((2 * channel + 1) * COUNT_BITS)
    }
    counts[x] = fields
  }
  return counts
}
