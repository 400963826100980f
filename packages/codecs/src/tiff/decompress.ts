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
  const { bits, predictor, littleEndian } = layout
  if (bits % 8 !== 0) addUpPacked(row, bits, stride)
  else if (predictor === predictors.floatingPoint) gatherFloats(row, bits / 8, stride, littleEndian)
  else if (predictor !== predictors.difference) return
  else if (bits === 8) addUpBytes(row, stride)
  else if (bits === 16) addUpPairs(row, stride, littleEndian)
  else addUp(row, bits / 8, stride, littleEndian)
}

/** TIFF 6.0, section 14: each sample is the difference to the one of the pixel before. */
function addUp(row: Uint8Array, bytes: number, stride: number, littleEndian: boolean): void {
  for (let at = stride * bytes; at + bytes <= row.length; at += bytes) {
    let carry = 0
    for (let place = 0; place < bytes; place++) {
      const byte = at + (littleEndian ? place : bytes - 1 - place)
      carry += (row[byte] as number) + (row[byte - stride * bytes] as number)
      row[byte] = carry
      carry >>= 8
    }
  }
}

/** The same for samples of one byte. */
function addUpBytes(row: Uint8Array, stride: number): void {
  if (stride > 1) {
    for (let at = stride; at < row.length; at++) row[at] = (row[at] as number) + (row[at - stride] as number)
    return
  }
  let sum = 0
  for (let at = 0; at < row.length; at++) {
    sum = (sum + (row[at] as number)) & 255
    row[at] = sum
  }
}

/** The same for samples of two bytes. */
function addUpPairs(row: Uint8Array, stride: number, littleEndian: boolean): void {
  const high = littleEndian ? 1 : 0
  const low = 1 - high
  for (let at = stride * 2; at + 2 <= row.length; at += 2) {
    const before = at - stride * 2
    const sum =
      (row[at + low] as number) +
      (row[before + low] as number) +
      (((row[at + high] as number) + (row[before + high] as number)) << 8)
    row[at + low] = sum
    row[at + high] = sum >> 8
  }
}

/** The same for samples that end within a byte. */
function addUpPacked(row: Uint8Array, bits: number, stride: number): void {
  const samples = Math.floor((row.length * 8) / bits)
  const mask = 2 ** bits - 1
  const sums = new Uint32Array(stride)
  for (let sample = 0, start = 0, place = 0; sample < samples; sample++, start += bits) {
    const sum = (bitsAt(row, start, bits) + (sums[place] as number)) & mask
    sums[place] = sum
    putBits(row, start, bits, sum)
    place = place + 1 === stride ? 0 : place + 1
  }
}

/** Up to 16 bits, which lie in three bytes. */
function bitsAt(row: Uint8Array, start: number, bits: number): number {
  const at = start >> 3
  const three = ((row[at] ?? 0) << 16) | ((row[at + 1] ?? 0) << 8) | (row[at + 2] ?? 0)
  return (three >> (24 - (start & 7) - bits)) & (2 ** bits - 1)
}

/** Beyond the end of the row, nothing is written. */
function putBits(row: Uint8Array, start: number, bits: number, value: number): void {
  const at = start >> 3
  const shift = 24 - (start & 7) - bits
  const three = ((row[at] ?? 0) << 16) | ((row[at + 1] ?? 0) << 8) | (row[at + 2] ?? 0)
  const bytes = (three & ~((2 ** bits - 1) << shift)) | (value << shift)
  row[at] = bytes >> 16
  if (at + 1 < row.length) row[at + 1] = bytes >> 8
  if (at + 2 < row.length) row[at + 2] = bytes
}

/** Adobe's TIFF Technical Note 3: first the highest bytes of all samples, then the next ones, differences of bytes throughout. */
function gatherFloats(row: Uint8Array, bytes: number, stride: number, littleEndian: boolean): void {
  addUpBytes(row, stride)
  const planes = new Uint8Array(row)
  const samples = Math.floor(row.length / bytes)
  for (let place = 0; place < bytes; place++) {
    const plane = place * samples
    for (let sample = 0, to = littleEndian ? bytes - 1 - place : place; sample < samples; sample++, to += bytes)
      row[to] = planes[plane + sample] as number
  }
}
