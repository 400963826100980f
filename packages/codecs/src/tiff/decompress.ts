import { inflateSync, constants as zlib, zstdDecompressSync } from 'node:zlib'
import { expandLzw } from '../lzw.ts'
import { type Layout, predictors } from './layout.ts'

/** Returns at most `bytes` bytes, fewer for truncated data. May throw on damaged data. */
type Decompress = (data: Uint8Array, bytes: number) => Uint8Array

/** Some writers add a few bytes to a strip; larger output is rejected as a decompression bomb. */
const SLACK = 4_096

/** By Compression, those that need no picture codec. */
export const decompressors: Readonly<Record<number, Decompress>> = {
  // A copy, since the predictor is undone in place.
  1: (data, bytes) => new Uint8Array(data.subarray(0, bytes)),
  5: (data, bytes) => expandLzw(data, LZW, bytes),
  // Deflate by Adobe's number and by the one before it.
  8: inflate,
  32946: inflate,
  32773: expandPackBits,
  50000: (data, bytes) => zstdDecompressSync(data, { maxOutputLength: bytes + SLACK }),
}

function inflate(data: Uint8Array, bytes: number): Uint8Array {
  return inflateSync(data, { maxOutputLength: bytes + SLACK, finishFlush: zlib.Z_SYNC_FLUSH })
}

/** TIFF 6.0, section 13. */
const LZW = { literalBits: 8, isHighestFirst: true, growsEarly: true } as const

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

/** Undoes the predictor for one row of a chunk, in place; `stride` is the number of samples of a pixel. */
export function undoPredictor(row: Uint8Array, layout: Layout, stride: number): void {
  const bytes = layout.bits / 8
  if (layout.bits % 8 !== 0) addUpPacked(row, layout.bits, stride)
  else if (layout.predictor === predictors.difference) addUp(row, bytes, stride, layout.littleEndian)
  else if (layout.predictor === predictors.floatingPoint) gather(row, bytes, stride, layout.littleEndian)
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
