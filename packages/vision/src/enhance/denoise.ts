import { addRestored8, SIDE, shrink8, transform8 } from './dct8.ts'
import type { Plane } from './planes.ts'

/** Rows above and below that influence a result: one block. */
export const DENOISE_REACH = SIDE

/**
 * How many standard deviations a coefficient has to exceed. Noise exceeds 2.7 in one of 144 cases; 3, as in the paper, removes
 * more detail than noise.
 */
const THRESHOLD = 2.7

export interface Denoising {
  /** Standard deviation of the noise, on the scale of the samples. */
  readonly sigma: number
  /** Distance between blocks: each halving costs four times as much; the first gains 0.9 dB. */
  readonly stride: 1 | 2 | 4 | 8
}

/**
 * Sliding DCT denoising (Yu and Sapiro, "DCT image denoising", IPOL 2011): in a block of 8 × 8, a picture needs few
 * coefficients, while noise is spread over all. Coefficients small enough to be noise become 0. Each sample is the mean over
 * all blocks that contain it; blocks with fewer coefficients are more reliable and weigh more (Guleryuz 2007).
 * Blocks lie on multiples of the stride, so a tile that begins on one gives the same result as the whole picture.
 */
export function denoise(plane: Plane, width: number, height: number, { sigma, stride }: Denoising): Plane {
  // Too small for a single block.
  if (width < SIDE || height < SIDE || sigma <= 0) return plane
  const out = new Float32Array(plane.length)
  const strip = emptyStrip(width)
  const columns = places(width, stride)
  const rows = places(height, stride)
  for (const [index, top] of rows.entries()) {
    read(strip, plane, top * width)
    for (let i = 0; i < columns.length; i++) addBlock(strip, columns[i] as number, THRESHOLD * sigma)
    write(strip, out, top, rows[index + 1] ?? height)
  }
  return out
}

/** Where blocks begin: every `stride` samples, and once more to cover the end. */
function places(length: number, stride: number): Int32Array {
  const last = length - SIDE
  const regular = Math.floor(last / stride) + 1
  return Int32Array.from({ length: regular + (last % stride > 0 ? 1 : 0) }, (_, index) => Math.min(index * stride, last))
}

/**
 * Eight rows. Each column is transformed once for all blocks that contain it, and restored once after they were summed: both
 * are linear, so this saves half of the time.
 */
interface Strip {
  readonly width: number
  readonly columns: Plane
  readonly sums: Plane
  /** One row, valid for all eight. */
  readonly weights: Plane
  /** Includes the weights that overlapping strips above have added. */
  readonly allWeights: Plane
  readonly block: Plane
  /** How many coefficients each row of the block keeps. */
  readonly kept: Int32Array
}

const emptyStrip = (width: number): Strip => ({
  width,
  columns: new Float32Array(SIDE * width),
  sums: new Float32Array(SIDE * width),
  weights: new Float32Array(width),
  allWeights: new Float32Array(SIDE * width),
  block: new Float32Array(SIDE * SIDE),
  kept: new Int32Array(SIDE),
})

function read({ width, columns, sums, weights }: Strip, plane: Plane, at: number): void {
  for (let x = 0; x < width; x++) transform8(plane, at + x, width, columns, x)
  sums.fill(0)
  weights.fill(0)
}

function addBlock({ width, columns, sums, weights, block, kept }: Strip, left: number, least: number): void {
  let all = 0
  for (let row = 0; row < SIDE; row++) {
    // The very first coefficient, the block's mean, is always kept.
    const count = shrink8(columns, row * width + left, row === 0 ? 0 : least, least, block, row * SIDE)
    kept[row] = count
    all += count
  }
  // An all-black block keeps nothing, and is reliable.
  const weight = 1 / Math.max(1, all)
  for (let row = 0; row < SIDE; row++) {
    if (kept[row] === 0) continue
    const from = row * SIDE
    const to = row * width + left
    for (let x = 0; x < SIDE; x++) sums[to + x] = (sums[to + x] as number) + weight * (block[from + x] as number)
  }
  for (let x = left; x < left + SIDE; x++) weights[x] = (weights[x] as number) + weight
}

/** Adds a strip to the picture and finishes the rows above the next strip. */
function write({ width, sums, weights, allWeights }: Strip, out: Plane, top: number, next: number): void {
  const at = top * width
  for (let x = 0; x < width; x++) addRestored8(sums, x, width, out, at + x)
  for (let row = 0; row < allWeights.length; row += width) {
    for (let x = 0; x < width; x++) allWeights[row + x] = (allWeights[row + x] as number) + (weights[x] as number)
  }
  const doneBytes = (next - top) * width
  for (let i = 0; i < doneBytes; i++) out[at + i] = (out[at + i] as number) / (allWeights[i] as number)
  allWeights.copyWithin(0, doneBytes)
  allWeights.fill(0, allWeights.length - doneBytes)
}
