import type { Raster } from './raster.ts'

/** A picture of at most 256 colours, all opaque. */
export interface Indexed {
  readonly width: number
  readonly height: number
  /** 0xrrggbb. */
  readonly colours: readonly number[]
  /** The number of a colour for each pixel, rows from the top. */
  readonly indices: Uint8Array
}

const MOST_COLOURS = 256
/** Slots of the hash table: with a quarter of them taken, a colour is found at the first look or the second. */
const SLOT_BITS = 10
const SLOTS = 2 ** SLOT_BITS
/** 2^32 divided by the golden ratio spreads neighbouring colours (Knuth, The Art of Computer Programming, 6.4). */
const FIBONACCI = 0x9e3779b1

/** The same picture with a palette in ascending order, black first; undefined where it has more colours or transparency. */
export function indexedOf({ width, height, data, channels, green, blue, alpha }: Raster): Indexed | undefined {
  if (alpha !== undefined) return undefined
  const indices = new Uint8Array(width * height)
  const colours: number[] = []
  const keys = new Int32Array(SLOTS).fill(-1)
  const numbers = new Uint8Array(SLOTS)
  let [last, index] = [-1, 0]
  for (let pixel = 0, at = 0; pixel < indices.length; pixel++, at += channels) {
    const colour = ((data[at] ?? 0) << 16) | ((data[at + green] ?? 0) << 8) | (data[at + blue] ?? 0)
    if (colour !== last) {
      let slot = Math.imul(colour, FIBONACCI) >>> (32 - SLOT_BITS)
      while (keys[slot] !== -1 && keys[slot] !== colour) slot = (slot + 1) % SLOTS
      if (keys[slot] === -1) {
        if (colours.length === MOST_COLOURS) return undefined
        keys[slot] = colour
        numbers[slot] = colours.push(colour) - 1
      }
      last = colour
      index = numbers[slot] ?? 0
    }
    indices[pixel] = index
  }
  return { width, height, ...ascending(colours, indices) }
}

/** Sorts the colours; the indices are changed in place. */
function ascending(colours: readonly number[], indices: Uint8Array): Pick<Indexed, 'colours' | 'indices'> {
  const sorted = colours.toSorted((a, b) => a - b)
  const ranks = Uint8Array.from(colours, (colour) => sorted.indexOf(colour))
  for (let pixel = 0; pixel < indices.length; pixel++) indices[pixel] = ranks[indices[pixel] ?? 0] ?? 0
  return { colours: sorted, indices }
}
