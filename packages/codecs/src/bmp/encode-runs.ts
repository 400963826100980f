import { END_OF_BITMAP, END_OF_LINE } from './layout.ts'
import type { Indexed } from './pixels.ts'

/** Counts are one byte. */
const LONGEST = 255
/** Shorter literals cannot be written: counts 0–2 are escapes. */
const SHORTEST_LITERAL = 3

interface Kind {
  /** Number of colours that a run repeats alternately. */
  readonly period: 1 | 2
  /** From this length on a run is shorter than a literal: on its own, and when it interrupts a literal. */
  readonly alone: number
  readonly amid: number
}
const kinds: Readonly<Record<4 | 8, Kind>> = { 8: { period: 1, alone: 3, amid: 5 }, 4: { period: 2, alone: 5, amid: 9 } }

/** RLE8 or RLE4, rows from the bottom up; undefined where it takes more than `limit` bytes. */
export function encodeRuns({ width, height, indices }: Indexed, bits: 4 | 8, limit: number): Buffer | undefined {
  // One extra row: the limit is only checked at the end of a row. A row takes at most two bytes a pixel, plus an escape.
  const out = Buffer.allocUnsafeSlow(limit + width * 2 + 2)
  let at = 0
  for (let y = height - 1; y >= 0; y--) {
    at = encodeRow(indices.subarray(y * width, (y + 1) * width), bits, out, at)
    out[at++] = 0
    out[at++] = y === 0 ? END_OF_BITMAP : END_OF_LINE
    if (at > limit) return undefined
  }
  return out.subarray(0, at)
}

/** Writes one row from `start` on and returns the end. */
function encodeRow(row: Uint8Array, bits: 4 | 8, out: Buffer, start: number): number {
  const { period, alone, amid } = kinds[bits]
  let at = start
  for (let x = 0; x < row.length; ) {
    const run = runLength(row, x, period, LONGEST)
    const literal = run < alone ? literalLength(row, x, period, amid) : 0
    if (literal >= SHORTEST_LITERAL) {
      at = encodeLiteral(row.subarray(x, x + literal), bits, out, at)
      x += literal
    } else {
      const first = row[x] ?? 0
      const second = row[x + 1] ?? 0
      out[at++] = run
      out[at++] = bits === 8 ? first : (first << 4) | second
      x += run
    }
  }
  return at
}

/** How many pixels from x on, up to `most`, repeat the first `period` of them. */
function runLength(row: Uint8Array, x: number, period: number, most: number): number {
  const end = Math.min(row.length, x + most)
  let next = Math.min(x + period, end)
  while (next < end && row[next] === row[next - period]) next++
  return next - x
}

/** How many pixels from x on to write as a literal, up to where a run is worth ending it. */
function literalLength(row: Uint8Array, x: number, period: number, amid: number): number {
  const end = Math.min(row.length, x + LONGEST)
  let next = x
  while (next < end && runLength(row, next, period, amid) < amid) next++
  return next - x
}

function encodeLiteral(pixels: Uint8Array, bits: 4 | 8, out: Buffer, start: number): number {
  let at = start
  out[at++] = 0
  out[at++] = pixels.length
  if (bits === 8) {
    out.set(pixels, at)
    at += pixels.length
  } else {
    for (let x = 0; x < pixels.length; x += 2) out[at++] = ((pixels[x] ?? 0) << 4) | (pixels[x + 1] ?? 0)
  }
  // Padded to 16 bits.
  if ((at - start) % 2 === 1) out[at++] = 0
  return at
}
