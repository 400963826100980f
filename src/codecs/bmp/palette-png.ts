import { inflateSync } from 'node:zlib'
import type { Indexed } from './indexed.ts'

const SIGNATURE_BYTES = 8
/** Length and type before a chunk's data, checksum behind it. */
const [BEFORE, BEHIND] = [8, 4]
const PALETTE_COLOUR = 3

/** The indices and colours of a PNG with a palette, as libvips writes one. */
export function readPalettePng(png: Buffer): Indexed {
  const chunks = chunksOf(png)
  const [head, palette] = [chunks('IHDR')[0], chunks('PLTE')[0]]
  if (!head || !palette || head[9] !== PALETTE_COLOUR) throw new Error('the PNG has no palette')
  const [width, height, bits] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8] ?? 0]
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
  return (asked) => chunks.flatMap(({ type, data }) => (type === asked ? [data] : []))
}

/** One byte a pixel from rows of 1, 2, 4 or 8 bits, each behind the byte of its filter. */
function unpack(rows: Buffer, width: number, height: number, bits: number): Uint8Array {
  const stride = 1 + Math.ceil((width * bits) / 8)
  const indices = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    if (rows[y * stride] !== 0) throw new Error('libvips filters the rows of a palette')
    for (let x = 0; x < width; x++) {
      const bit = x * bits
      const byte = rows[y * stride + 1 + (bit >> 3)] ?? 0
      indices[y * width + x] = (byte >> (8 - bits - (bit & 7))) & (2 ** bits - 1)
    }
  }
  return indices
}
