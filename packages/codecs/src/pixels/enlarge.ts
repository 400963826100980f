import type { Bitmap } from '../reader.ts'
import type { Size } from './size.ts'

/** The part of the enlarged picture to compute, in its pixels. */
export interface Window extends Size {
  readonly left: number
  readonly top: number
}

/** Lanczos with three lobes covers three samples on either side. */
const LOBES = 3
const TAPS = 2 * LOBES

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
/** The weight of a sample at distance `x`, before normalising. */
export const lanczos3 = (x: number): number => (Math.abs(x) < LOBES ? sinc(x) * sinc(x / LOBES) : 0)

/** For each sample along one axis of the result: the first of the six source samples it depends on, and their weights. */
interface Axis {
  readonly first: Int32Array
  readonly weights: Float64Array
}

/** Pixels are squares and the edges of both pictures coincide: sample i lies at (i + ½) · from / to − ½ in the source. */
function axisOf(from: number, to: number, start: number, count: number): Axis {
  const first = new Int32Array(count)
  const weights = new Float64Array(count * TAPS)
  for (let i = 0; i < count; i++) {
    const centre = ((start + i + 0.5) * from) / to - 0.5
    const left = Math.floor(centre) - LOBES + 1
    const taps = Array.from({ length: TAPS }, (_, tap) => lanczos3(left + tap - centre))
    const sum = taps.reduce((total, weight) => total + weight)
    first[i] = left
    for (const [tap, weight] of taps.entries()) weights[i * TAPS + tap] = weight / sum
  }
  return { first, weights }
}

/** Unrolled, since a loop takes twice as long. */
const weigh = (samples: Float32Array, at: number, step: number, weights: Float64Array, tap: number): number =>
  (weights[tap] as number) * (samples[at] as number) +
  (weights[tap + 1] as number) * (samples[at + step] as number) +
  (weights[tap + 2] as number) * (samples[at + 2 * step] as number) +
  (weights[tap + 3] as number) * (samples[at + 3 * step] as number) +
  (weights[tap + 4] as number) * (samples[at + 4 * step] as number) +
  (weights[tap + 5] as number) * (samples[at + 5 * step] as number)

/** Reads row y of the source as floats; beyond the edges, the edge pixels repeat. */
function readRow({ data, width, height, channels }: Bitmap, y: number, opaque: number, row: Float32Array): void {
  const edge = LOBES * channels
  const length = width * channels
  const start = Math.max(0, Math.min(height - 1, y)) * length
  for (let i = 0; i < length; i++) row[edge + i] = data[start + i] as number
  // Premultiply by alpha: transparent pixels must not tint their neighbours.
  if (channels === 4) for (let i = edge; i < edge + length; i += 4) multiply(row, i, (row[i + 3] as number) / opaque)
  for (let i = 0; i < edge; i++) {
    row[i] = row[edge + (i % channels)] as number
    row[edge + length + i] = row[edge + length - channels + (i % channels)] as number
  }
}

function writeRow(row: Float32Array, channels: number, opaque: number, out: Bitmap['data'], at: number): void {
  if (channels === 4) {
    for (let i = 0; i < row.length; i += 4) multiply(row, i, (row[i + 3] as number) > 0 ? opaque / (row[i + 3] as number) : 0)
  }
  for (let i = 0; i < row.length; i++) {
    const sample = (row[i] as number) + 0.5
    out[at + i] = sample < 0 ? 0 : sample > opaque ? opaque : sample
  }
}

function multiply(row: Float32Array, at: number, factor: number): void {
  for (let colour = at; colour < at + 3; colour++) row[colour] = (row[colour] as number) * factor
}

/**
 * Enlarges by centred Lanczos-3 and writes the window of the result to `data`, in the bitmap's layout. An axis may keep its
 * length, but not shrink. libvips would use bicubic whatever the kernel, and shift the result by half a pixel to the right
 * and down.
 */
export function enlarge(bitmap: Bitmap, to: Size, window: Window, data: Bitmap['data']): void {
  const { channels } = bitmap
  const opaque = bitmap.data.BYTES_PER_ELEMENT === 2 ? 65_535 : 255
  const across = axisOf(bitmap.width, to.width, window.left, window.width)
  const down = axisOf(bitmap.height, to.height, window.top, window.height)
  const length = window.width * channels
  const source = new Float32Array((bitmap.width + 2 * LOBES) * channels)
  // A ring buffer of six stretched rows, row y in place y modulo six; the weights are rotated to match.
  const rows = new Float32Array(TAPS * length)
  const weights = new Float64Array(TAPS)
  const result = new Float32Array(length)
  let read = Number.NEGATIVE_INFINITY
  for (let y = 0; y < window.height; y++) {
    const first = down.first[y] as number
    for (let row = Math.max(first, read + 1); row < first + TAPS; row++) {
      readRow(bitmap, row, opaque, source)
      const place = ((row % TAPS) + TAPS) % TAPS
      stretch(source, channels, across, rows.subarray(place * length, (place + 1) * length))
      read = row
    }
    for (let tap = 0; tap < TAPS; tap++) weights[(((first + tap) % TAPS) + TAPS) % TAPS] = down.weights[y * TAPS + tap] as number
    mix(rows, weights, result)
    writeRow(result, channels, opaque, data, y * length)
  }
}

function stretch(row: Float32Array, channels: number, { first, weights }: Axis, out: Float32Array): void {
  for (let x = 0; x < first.length; x++) {
    const at = ((first[x] as number) + LOBES) * channels
    for (let channel = 0; channel < channels; channel++) {
      out[x * channels + channel] = weigh(row, at + channel, channels, weights, x * TAPS)
    }
  }
}

function mix(rows: Float32Array, weights: Float64Array, out: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = weigh(rows, i, out.length, weights, 0)
}
