import { UnreadableError } from '../reader.ts'
import {
  ALPHA_BITFIELDS,
  ARRAY_HEADER_BYTES,
  BITFIELDS,
  CORE_HEADER_BYTES,
  FILE_HEADER_BYTES,
  INFO_HEADER_BYTES,
  MASKS_AT,
  NONE,
  V5_HEADER_BYTES,
} from './layout.ts'

/** The info header, its sizes and offsets checked. */
export interface InfoHeader {
  /** Where it begins in the file, and its length. */
  readonly at: number
  readonly length: number
  /** Pixels, 1 up to 2^31. */
  readonly width: number
  readonly height: number
  readonly topDown: boolean
  /** From the file, not yet checked. */
  readonly bits: number
  readonly compression: number
  /** Bytes of pixels and entries of the colour table; 0 when unspecified. */
  readonly pixelBytes: number
  readonly colours: number
  /** Where the channel masks, the colour table and the pixels begin in the file. */
  readonly masksAt: number
  readonly coloursAt: number
  readonly pixelsAt: number
}

/**
 * Reads the first bitmap's header.
 * @throws UnreadableError
 */
export function readInfoHeader(bytes: Buffer): InfoHeader {
  const start = firstBitmapAt(bytes)
  ensure(start !== undefined, 'it does not begin as a BMP')
  const at = start + FILE_HEADER_BYTES
  const length = bytes.readUInt32LE(at)
  ensure(at + length <= bytes.length, 'it ends within its header')
  const pixelsAt = bytes.readUInt32LE(start + 10)
  const { width, height, bits } = length === CORE_HEADER_BYTES ? coreSize(bytes, at) : infoSize(bytes, at)
  ensure(width > 0, `its header says a width of ${width}`)
  ensure(height !== 0, 'its header says a height of 0')
  // A short header leaves out fields at its end, which are then 0.
  const field = (offset: number) => (offset + 4 <= length ? bytes.readUInt32LE(at + offset) : 0)
  const compression = length === CORE_HEADER_BYTES ? NONE : field(16)
  const coloursAt = at + length + maskBytesBehind(length, bits, compression)
  ensure(pixelsAt >= coloursAt, 'its pixels begin within its header')
  ensure(pixelsAt < bytes.length, 'it ends before its pixels')
  return {
    at,
    length,
    width,
    height: Math.abs(height),
    topDown: height < 0,
    bits,
    compression,
    pixelBytes: field(20),
    colours: field(32),
    masksAt: at + MASKS_AT,
    coloursAt,
    pixelsAt,
  }
}

const coreSize = (bytes: Buffer, at: number) => ({
  width: bytes.readUInt16LE(at + 4),
  height: bytes.readUInt16LE(at + 6),
  bits: bytes.readUInt16LE(at + 10),
})

const infoSize = (bytes: Buffer, at: number) => ({
  width: bytes.readInt32LE(at + 4),
  height: bytes.readInt32LE(at + 8),
  bits: bytes.readUInt16LE(at + 14),
})

/** BITMAPINFOHEADER has no fields for masks; a compression that needs them has them after the header. */
function maskBytesBehind(length: number, bits: number, compression: number): number {
  if (length !== INFO_HEADER_BYTES || (bits !== 16 && bits !== 32)) return 0
  return { [BITFIELDS]: 12, [ALPHA_BITFIELDS]: 16 }[compression] ?? 0
}

/** OS/2 wrote headers of any length from here on, leaving out the fields at the end. */
const SHORTEST_INFO_BYTES = 16

/**
 * The offset of the first bitmap's file header in the first 64 bytes of a file: 0, or after the header of an
 * array. Undefined when there is none: a text may begin with "BM", but not with a valid header length after it.
 */
function firstBitmapAt(head: Buffer): number | undefined {
  const start = head.toString('latin1', 0, 2) === 'BA' ? ARRAY_HEADER_BYTES : 0
  if (head.toString('latin1', start, start + 2) !== 'BM') return undefined
  if (head.length < start + FILE_HEADER_BYTES + CORE_HEADER_BYTES) return undefined
  const bytes = head.readUInt32LE(start + FILE_HEADER_BYTES)
  const plausible = bytes === CORE_HEADER_BYTES || (bytes >= SHORTEST_INFO_BYTES && bytes <= V5_HEADER_BYTES)
  return plausible ? start : undefined
}

/** Whether the first 64 bytes of a file are those of a BMP. */
export const matchesBmp = (head: Buffer): boolean => firstBitmapAt(head) !== undefined

/** Throws an {@link UnreadableError} unless the condition holds; the message continues "The image cannot be read: ". */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new UnreadableError(message)
}
