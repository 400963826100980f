import { inflateSync } from 'node:zlib'
import type { Samples } from '../samples.ts'

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
/** Slots of the hash table: at most a quarter full, so that a lookup takes one or two probes. */
const SLOT_BITS = 10
const SLOTS = 2 ** SLOT_BITS
/** 2^32 divided by the golden ratio spreads neighbouring colours (Knuth, The Art of Computer Programming, 6.4). */
const FIBONACCI = 0x9e3779b1

/** The picture with a palette in ascending order; undefined when it has more colours or transparency. */
export function indexedOf({ width, height, data, channels, green, blue, alpha }: Samples): Indexed | undefined {
  if (alpha !== undefined) return undefined
  const indices = new Uint8Array(width * height)
  const colours: number[] = []
  const keys = new Int32Array(SLOTS).fill(-1)
  const numbers = new Uint8Array(SLOTS)
  let last = -1
  let index = 0
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
  const ascendingColours = colours.toSorted((a, b) => a - b)
  const ranks = Uint8Array.from(colours, (colour) => ascendingColours.indexOf(colour))
  for (let pixel = 0; pixel < indices.length; pixel++) indices[pixel] = ranks[indices[pixel] ?? 0] ?? 0
  return { colours: ascendingColours, indices }
}

const SIGNATURE_BYTES = 8
/** Length and type before a chunk's data, checksum after it. */
const BEFORE = 8
const BEHIND = 4
const PALETTE_COLOUR = 3

/** The indices and colours of a PNG with a palette, as libvips writes one. */
export function readPalettePng(png: Buffer): Indexed {
  const chunks = chunksOf(png)
  const head = chunks('IHDR')[0]
  const palette = chunks('PLTE')[0]
  if (!head || !palette || head[9] !== PALETTE_COLOUR) throw new Error('the PNG has no palette')
  const width = head.readUInt32BE(0)
  const height = head.readUInt32BE(4)
  const bits = head[8] ?? 0
  const colours = Array.from({ length: palette.length / 3 }, (_, index) => palette.readUIntBE(index * 3, 3))
  return { width, height, colours, indices: unpack(inflateSync(Buffer.concat(chunks('IDAT'))), width, height, bits) }
}

/** The data of all chunks of a type. */
function chunksOf(png: Buffer): (type: string) => readonly Buffer[] {
  const chunks: { readonly type: string; readonly data: Buffer }[] = []
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const from = at + BEFORE
    const to = from + png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, from), data: png.subarray(from, to) })
    at = to + BEHIND
  }
  return (chunkType) => chunks.flatMap(({ type, data }) => (type === chunkType ? [data] : []))
}

/** Unpacks rows of 1, 2, 4 or 8 bits a pixel, each after its filter byte, to one byte a pixel. */
function unpack(rows: Buffer, width: number, height: number, bits: number): Uint8Array {
  const stride = 1 + Math.ceil((width * bits) / 8)
  const indices = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    if (rows[y * stride] !== 0) throw new Error('libvips filters the rows of a palette')
    if (bits === 8) {
      indices.set(rows.subarray(y * stride + 1, (y + 1) * stride), y * width)
      continue
    }
    for (let x = 0; x < width; x++) {
      const bit = x * bits
      const byte = rows[y * stride + 1 + (bit >> 3)] ?? 0
      indices[y * width + x] = (byte >> (8 - bits - (bit & 7))) & (2 ** bits - 1)
    }
  }
  return indices
}
