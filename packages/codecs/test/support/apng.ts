import { deflateSync } from 'node:zlib'
import { chunk, SIGNATURE } from '../../src/png-file.ts'

/** Describes a frame; by default it covers the screen and is drawn over nothing, for a tenth of a second. */
export interface PlainFrame {
  readonly left?: number
  readonly top?: number
  readonly width?: number
  readonly height?: number
  /** Bytes of its rows, one behind the other, without filters; or what each of its pixels has. */
  readonly rows: Uint8Array | readonly number[]
  /** A fraction of a second. */
  readonly delay?: readonly [part: number, unit: number]
  readonly disposal?: number
  readonly blend?: number
}

export interface PlainApng {
  readonly width: number
  readonly height: number
  readonly bits?: number
  readonly colourType?: number
  readonly interlaced?: boolean
  /** Chunks between the header and the first frame. */
  readonly chunks?: readonly Buffer[]
  readonly plays?: number
  /** The frames that the file says to have. */
  readonly count?: number
  /** Image data that is no frame. */
  readonly fallback?: Uint8Array | readonly number[]
  readonly frames: readonly PlainFrame[]
}

const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Builds an APNG. */
export const plainApng = (apng: PlainApng): Buffer => Buffer.concat([SIGNATURE, ...apngChunks(apng)])

/** Its chunks, in order. */
export function apngChunks(apng: PlainApng): readonly Buffer[] {
  const { width, height, bits = 8, colourType = 6, interlaced = false, chunks = [], plays = 0, fallback, frames } = apng
  const fields = Buffer.concat([longs(width, height), Buffer.from([bits, colourType, 0, 0, interlaced ? 1 : 0])])
  const pixelBits = bits * (channelsOf[colourType] ?? 1)
  const dataOf = (rows: Uint8Array | readonly number[], across: number, down: number) => {
    const rowBytes = Math.ceil((across * pixelBits) / 8)
    const whole = rows.length === rowBytes * down ? Uint8Array.from(rows) : filledRows(rows, across, down, pixelBits)
    return deflateSync(interlaced ? interlacedRows(whole, across, down, pixelBits) : withoutFilter(whole, rowBytes))
  }
  let sequence = 0
  const frameChunks = frames.flatMap((frame, index) => {
    const { left = 0, top = 0, width: across = width, height: down = height, disposal = 0, blend = 0 } = frame
    const [part, unit] = frame.delay ?? [1, 10]
    const rest = Buffer.from([part >> 8, part & 255, unit >> 8, unit & 255, disposal, blend])
    const control = chunk('fcTL', Buffer.concat([longs(sequence++, across, down, left, top), rest]))
    const data = dataOf(frame.rows, across, down)
    if (index === 0 && !fallback) return [control, chunk('IDAT', data)]
    return [control, chunk('fdAT', Buffer.concat([longs(sequence++), data]))]
  })
  const stillData = fallback ? [chunk('IDAT', dataOf(fallback, width, height))] : []
  const head = [chunk('IHDR', fields), chunk('acTL', longs(apng.count ?? frames.length, plays)), ...chunks]
  return [...head, ...stillData, ...frameChunks, chunk('IEND', Buffer.alloc(0))]
}

export function longs(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** Rows of one pixel, again and again. */
function filledRows(pixel: Uint8Array | readonly number[], across: number, down: number, pixelBits: number): Uint8Array {
  const row = new Uint8Array(Math.ceil((across * pixelBits) / 8)).map((_, at) => pixel[at % pixel.length] ?? 0)
  return Uint8Array.from({ length: row.length * down }, (_, at) => row[at % row.length] ?? 0)
}

function withoutFilter(rows: Uint8Array, rowBytes: number): Buffer {
  const parts: Uint8Array[] = []
  for (let at = 0; at < rows.length; at += rowBytes) parts.push(Uint8Array.of(0), rows.subarray(at, at + rowBytes))
  return Buffer.concat(parts)
}

/** Where each pass of Adam7 begins and how far its pixels are apart (PNG, third edition, 8.1). */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

function interlacedRows(rows: Uint8Array, across: number, down: number, pixelBits: number): Buffer {
  const rowBytes = Math.ceil((across * pixelBits) / 8)
  const bitOf = (row: number, bit: number) => ((rows[row * rowBytes + (bit >> 3)] ?? 0) >> (7 - (bit & 7))) & 1
  const parts: Uint8Array[] = []
  for (const [left, top, columns, lines] of passes) {
    const width = Math.ceil((across - left) / columns)
    for (let y = top; y < down && width > 0; y += lines) {
      const row = new Uint8Array(Math.ceil((width * pixelBits) / 8))
      for (let bit = 0; bit < width * pixelBits; bit++) {
        const x = left + columns * Math.floor(bit / pixelBits)
        row[bit >> 3] = (row[bit >> 3] ?? 0) | (bitOf(y, x * pixelBits + (bit % pixelBits)) << (7 - (bit & 7)))
      }
      parts.push(Uint8Array.of(0), row)
    }
  }
  return Buffer.concat(parts)
}
