import { inflateSync, constants as zlib, zstdDecompressSync } from 'node:zlib'
import type { Layout } from './layout.ts'

/** Returns at most `bytes` bytes, fewer for truncated data. May throw on damaged data. */
type Decompress = (data: Uint8Array, bytes: number) => Uint8Array

/** Some writers add a few bytes to a strip; larger output is rejected as a decompression bomb. */
const SLACK = 4_096

/** By Compression, those that need no picture codec. */
export const decompressors: Readonly<Record<number, Decompress>> = {
  // A copy, since the predictor is undone in place.
  1: (data, bytes) => new Uint8Array(data.subarray(0, bytes)),
  5: expandLzw,
  // Deflate by Adobe's number and by the one before it.
  8: inflate,
  32946: inflate,
  32773: expandPackBits,
  50000: (data, bytes) => zstdDecompressSync(data, { maxOutputLength: bytes + SLACK }),
}

function inflate(data: Uint8Array, bytes: number): Uint8Array {
  return inflateSync(data, { maxOutputLength: bytes + SLACK, finishFlush: zlib.Z_SYNC_FLUSH })
}

const CLEAR = 256
const END = 257
const FIRST_FREE = 258
const MAX_CODES = 4_096

/** Reads codes of a changing number of bits, the highest bit first; undefined at the end. */
function codeReader(data: Uint8Array): (bits: number) => number | undefined {
  let from = 0
  let held = 0
  let heldBits = 0
  return (bits) => {
    while (heldBits < bits && from < data.length) {
      held = ((held << 8) | (data[from++] ?? 0)) & 0xff_ff_ff
      heldBits += 8
    }
    if (heldBits < bits) return undefined
    heldBits -= bits
    return (held >> heldBits) & ((1 << bits) - 1)
  }
}

/** TIFF 6.0, section 13: codes of 9 to 12 bits, which grow one code early. Throws for an undefined code. */
export function expandLzw(data: Uint8Array, bytes: number): Uint8Array {
  const out = new Uint8Array(bytes)
  const read = codeReader(data)
  // A code's string is already in the output: its start and length.
  const starts = new Uint32Array(MAX_CODES)
  const lengths = new Uint32Array(MAX_CODES)
  let next = FIRST_FREE
  let bits = 9
  let to = 0
  let before = 0
  let beforeLength = 0
  for (let code = read(bits); to < bytes && code !== undefined && code !== END; code = read(bits)) {
    if (code === CLEAR) {
      ;[next, bits, beforeLength] = [FIRST_FREE, 9, 0]
      continue
    }
    const begin = to
    // The code that is about to be defined is what came before, and then its own first byte.
    if (code > next || (code === next && beforeLength === 0)) throw new RangeError('an LZW code is not defined yet')
    if (code < CLEAR) out[to++] = code
    else {
      const length = code < next ? (lengths[code] ?? 0) : beforeLength + 1
      const end = Math.min(bytes, to + length)
      for (let at = code < next ? (starts[code] ?? 0) : before; to < end; at++) out[to++] = out[at] ?? 0
    }
    if (beforeLength > 0 && next < MAX_CODES) {
      starts[next] = before
      lengths[next++] = beforeLength + 1
    }
    ;[before, beforeLength] = [begin, to - begin]
    if (next >= (1 << bits) - 1 && bits < 12) bits++
  }
  return out.subarray(0, to)
}

/** TIFF 6.0, section 9: after a count n >= 0 follow n + 1 literal bytes, after a negative one a byte to repeat. */
function expandPackBits(data: Uint8Array, bytes: number): Uint8Array {
  const out = new Uint8Array(bytes)
  let from = 0
  let to = 0
  while (from < data.length && to < bytes) {
    const count = data[from++] ?? 0
    if (count < 128) {
      const run = data.subarray(from, from + Math.min(count + 1, bytes - to))
      out.set(run, to)
      from += count + 1
      to += run.length
    } else if (count > 128) {
      const run = Math.min(257 - count, bytes - to)
      out.fill(data[from++] ?? 0, to, to + run)
      to += run
    }
  }
  return out.subarray(0, to)
}

const DIFFERENCE = 2
const FLOATING_POINT = 3

/** Undoes the predictor for one row of a chunk, in place; `stride` is the number of samples of a pixel. */
export function undoPredictor(row: Uint8Array, layout: Layout, stride: number): void {
  const bytes = layout.bits / 8
  if (layout.bits % 8 !== 0) addUpPacked(row, layout.bits, stride)
  else if (layout.predictor === DIFFERENCE) addUp(row, bytes, stride, layout.littleEndian)
  else if (layout.predictor === FLOATING_POINT) gather(row, bytes, stride, layout.littleEndian)
}

/** TIFF 6.0, section 14: each sample is the difference to the one of the pixel before. */
function addUp(row: Uint8Array, bytes: number, stride: number, littleEndian: boolean): void {
  for (let at = stride * bytes; at + bytes <= row.length; at += bytes) {
    let carry = 0
    for (let place = 0; place < bytes; place++) {
      const byte = at + (littleEndian ? place : bytes - 1 - place)
      carry += (row[byte] ?? 0) + (row[byte - stride * bytes] ?? 0)
      row[byte] = carry
      carry >>= 8
    }
  }
}

/** The same for samples that end within a byte. */
function addUpPacked(row: Uint8Array, bits: number, stride: number): void {
  const samples = Math.floor((row.length * 8) / bits)
  const before = new Array<number>(stride).fill(0)
  for (let sample = 0; sample < samples; sample++) {
    const value = (bitsAt(row, sample * bits, bits) + (before[sample % stride] ?? 0)) % 2 ** bits
    before[sample % stride] = value
    for (let bit = 0; bit < bits; bit++) {
      const place = sample * bits + bit
      const mask = 0x80 >> (place & 7)
      const isSet = ((value >> (bits - 1 - bit)) & 1) === 1
      row[place >> 3] = isSet ? (row[place >> 3] ?? 0) | mask : (row[place >> 3] ?? 0) & ~mask
    }
  }
}

function bitsAt(row: Uint8Array, start: number, bits: number): number {
  let value = 0
  for (let place = start; place < start + bits; place++) value = value * 2 + (((row[place >> 3] ?? 0) >> (7 - (place & 7))) & 1)
  return value
}

/** Adobe's TIFF Technical Note 3: first the highest bytes of all samples, then the next ones, differences of bytes throughout. */
function gather(row: Uint8Array, bytes: number, stride: number, littleEndian: boolean): void {
  for (let at = stride; at < row.length; at++) row[at] = (row[at] ?? 0) + (row[at - stride] ?? 0)
  const planes = new Uint8Array(row)
  const samples = Math.floor(row.length / bytes)
  for (let sample = 0; sample < samples; sample++)
    for (let place = 0; place < bytes; place++)
      row[sample * bytes + (littleEndian ? bytes - 1 - place : place)] = planes[place * samples + sample] ?? 0
}
