import { UnreadableError } from '../reader.ts'
import { decompressors } from './decompress.ts'
import type { Layout } from './layout.ts'
import { undoPredictor } from './predictor.ts'

/** A strip or tile, unpacked, and where it goes. */
export interface Chunk {
  readonly plane: number
  readonly x: number
  readonly y: number
  /** Its rows that are inside the picture. */
  readonly rows: readonly DataView[]
}

/** Samples of one pixel that stand together. */
export const stride = ({ planar, samples }: Layout): number => (planar ? 1 : samples)

/** Bytes of one row of a chunk; each row begins on a byte. */
export const rowBytes = (layout: Layout): number => Math.ceil((layout.chunk.width * stride(layout) * layout.bits) / 8)

/**
 * All chunks in the order of the file.
 * @throws UnreadableError when data are missing or damaged
 */
export function* chunksOf(file: Buffer, layout: Layout): Generator<Chunk> {
  const { width, height, chunk, planar, samples, offsets, byteCounts } = layout
  const bytes = rowBytes(layout)
  let index = 0
  for (let plane = 0; plane < (planar ? samples : 1); plane++)
    for (let y = 0; y < height; y += chunk.height)
      for (let x = 0; x < width; x += chunk.width, index++) {
        const [offset, byteCount] = [offsets[index] ?? 0, byteCounts[index] ?? 0]
        const inside = Math.min(chunk.height, height - y)
        // The last strip may be as tall as the others.
        const data = unpack(file.subarray(offset, offset + byteCount), layout, bytes * chunk.height)
        if (data.length < bytes * inside) throw new UnreadableError('it ends before its pixels do')
        const rows = Array.from({ length: inside }, (_, row) => data.subarray(row * bytes, (row + 1) * bytes))
        if (layout.predictor !== 1) for (const row of rows) undoPredictor(row, layout, stride(layout))
        yield { plane, x, y, rows: rows.map((row) => new DataView(row.buffer, row.byteOffset, row.length)) }
      }
}

function unpack(data: Buffer, { compression, reversedBits }: Layout, bytes: number): Uint8Array {
  const packed = reversedBits ? new Uint8Array(data).map(reversed) : data
  try {
    return decompressors[compression]?.(packed, bytes) ?? packed
  } catch (cause) {
    throw new UnreadableError('its compressed pixels are damaged', { cause })
  }
}

/** A byte with its bits in the other order. */
function reversed(byte: number): number {
  let out = 0
  for (let bit = 0; bit < 8; bit++) out |= ((byte >> bit) & 1) << (7 - bit)
  return out
}
