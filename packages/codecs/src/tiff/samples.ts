import { endianness } from 'node:os'
import { sampleTable } from '../pixels/sample-table.ts'
import { formats, type Layout, photometrics } from './layout.ts'

/** Some samples of a row, by their numbers, and their places among the samples of the picture. */
export interface Span {
  readonly first: number
  readonly step: number
  readonly count: number
  readonly to: number
  readonly toStep: number
}

/** Reads samples of the row that begins at a byte. */
export type ReadSpan = (data: Uint8Array, row: number, into: Uint16Array, span: Span) => void

const FULL = 65_535

/** Reads samples as 0–65,535; floats are scaled by `white`. Palette indices are unchanged. */
export function spanReader({ bits, format, littleEndian, photometric }: Layout, white: number): ReadSpan {
  if (photometric === photometrics.palette) return placeReader(bits, littleEndian)
  if (format === formats.float) return scaledFloats(bits, littleEndian, white)
  if (bits === 8) return wholeBytes(257)
  const read = bits % 8 === 0 ? highestBytes(bits / 8, littleEndian) : packedBits(bits, FULL / (2 ** bits - 1))
  return format === formats.signed && isCountedFromBlack(bits, photometric) ? countedFromBlack(read) : read
}

function placeReader(bits: number, littleEndian: boolean): ReadSpan {
  if (bits === 8) return wholeBytes(1)
  return bits === 16 ? highestBytes(2, littleEndian) : packedBits(bits, 1)
}

const wholeBytes =
  (scale: number): ReadSpan =>
  (data, row, into, { first, step, count, to, toStep }) => {
    const end = to + count * toStep
    for (let from = row + first, at = to; at < end; from += step, at += toStep) into[at] = (data[from] as number) * scale
  }

/** The two highest bytes of each sample, which is the most that any output format holds. */
function highestBytes(bytes: number, littleEndian: boolean): ReadSpan {
  const high = littleEndian ? bytes - 1 : 0
  const low = littleEndian ? bytes - 2 : 1
  return (data, row, into, { first, step, count, to, toStep }) => {
    const end = to + count * toStep
    for (let from = row + first * bytes, at = to; at < end; from += step * bytes, at += toStep)
      into[at] = ((data[from + high] as number) << 8) | (data[from + low] as number)
  }
}

/** Samples of up to 15 bits that end within a byte, the highest bit first whatever the byte order: each lies in three bytes. */
function packedBits(bits: number, scale: number): ReadSpan {
  const mask = 2 ** bits - 1
  const values = sampleTable(mask + 1, (value) => Math.round(value * scale))
  return (data, row, into, { first, step, count, to, toStep }) => {
    const end = to + count * toStep
    for (let bit = first * bits, at = to; at < end; bit += step * bits, at += toStep) {
      const from = row + (bit >> 3)
      const three = ((data[from] as number) << 16) | ((data[from + 1] ?? 0) << 8) | (data[from + 2] ?? 0)
      into[at] = values[(three >> (24 - (bit & 7) - bits)) & mask] as number
    }
  }
}

/**
 * Whether the lowest signed number is black: from 16 bits on, as ImageMagick reads them. Files of 8 bits hold unsigned numbers, whatever
 * they say, and libtiff reads them so; the a* and b* of CIELAB are signed by themselves.
 */
const isCountedFromBlack = (bits: number, photometric: Layout['photometric']): boolean =>
  bits > 8 && photometric !== photometrics.cieLab && photometric !== photometrics.iccLab

const HALF = 32_768

const countedFromBlack =
  (read: ReadSpan): ReadSpan =>
  (data, row, into, span) => {
    read(data, row, into, span)
    const end = span.to + span.count * span.toStep
    for (let at = span.to; at < end; at += span.toStep) into[at] = (into[at] as number) ^ HALF
  }

function scaledFloats(bits: number, littleEndian: boolean, white: number): ReadSpan {
  const floatsOf = floatReader(bits, littleEndian)
  return (data, row, into, { first, step, count, to, toStep }) => {
    const floats = floatsOf(data, row, first + (count - 1) * step + 1)
    const end = to + count * toStep
    for (let from = first, at = to; at < end; from += step, at += toStep) {
      const value = (floats[from] as number) / white
      into[at] = value > 0 ? Math.min(1, value) * FULL + 0.5 : 0
    }
  }
}

type Floats = Float16Array | Float32Array | Float64Array

/** Reads the first IEEE 754 numbers of a row, of 16, 32 or 64 bits. They are valid until the next call. */
export function floatReader(bits: number, littleEndian: boolean): (data: Uint8Array, row: number, count: number) => Floats {
  const bytes = bits / 8
  let copy = Buffer.alloc(0)
  let floats: Floats = new Float64Array()
  return (data, row, count) => {
    if (floats.length < count) {
      copy = Buffer.from(new ArrayBuffer(count * bytes))
      floats =
        bits === 64 ? new Float64Array(copy.buffer) : bits === 32 ? new Float32Array(copy.buffer) : new Float16Array(copy.buffer)
    }
    copy.set(data.subarray(row, row + count * bytes))
    if (littleEndian !== IS_LITTLE_ENDIAN) swap(copy, bits)
    return floats
  }
}

const IS_LITTLE_ENDIAN = endianness() === 'LE'

function swap(bytes: Buffer, bits: number): void {
  if (bits === 64) bytes.swap64()
  else if (bits === 32) bytes.swap32()
  else bytes.swap16()
}
