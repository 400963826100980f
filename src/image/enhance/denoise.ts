import { addRestored8, SIDE, shrink8, transform8 } from './dct8.ts'
import type { Plane } from './planes.ts'

/** Rows that reach into a result from above and below: one block. */
export const DENOISE_REACH = SIDE

/**
 * How many deviations a coefficient has to stand out by. Noise passes 2.7 in one of 144 cases; 3, as in the paper, takes more of
 * the picture along than of the noise.
 */
const THRESHOLD = 2.7

export interface Denoising {
  /** Standard deviation of the noise, on the scale of the samples. */
  readonly sigma: number
  /** How far apart the blocks are: every halving costs four times as much, for 0.9 dB at first. */
  readonly stride: 1 | 2 | 4 | 8
}

/**
 * Sliding DCT denoising (Yu and Sapiro, "DCT image denoising", IPOL 2011): a picture is few coefficients in any block of
 * 8 × 8, noise is a little of all. Those that noise explains become 0. Each sample is the mean over all blocks that have
 * it; blocks that needed fewer coefficients are the surer and count for more (Guleryuz 2007).
 * Blocks lie on multiples of the stride, so that a band which begins on one is worked on as the whole picture would be.
 */
export function denoise(plane: Plane, width: number, height: number, { sigma, stride }: Denoising): Plane {
  // Of less than a block nothing can be said.
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

/** Where blocks begin: every `stride` samples, and at the very end. */
function places(length: number, stride: number): Int32Array {
  const last = length - SIDE
  const regular = Math.floor(last / stride) + 1
  return Int32Array.from({ length: regular + (last % stride > 0 ? 1 : 0) }, (_, index) => Math.min(index * stride, last))
}

/**
 * Eight rows. Each column is transformed once for all blocks that have it, and restored once after these were added up:
 * both are linear, and that saves half of the time.
 */
interface Strip {
  readonly width: number
  readonly columns: Plane
  readonly sums: Plane
  /** The same in all eight rows. */
  readonly weights: Plane
  /** Of the rows that strips above have begun and this one goes on with, too. */
  readonly allWeights: Plane
  readonly block: Plane
  /** How many coefficients each row of the block has kept. */
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
    // The mean, which is the first of all, stays.
    const count = shrink8(columns, row * width + left, row === 0 ? 0 : least, least, block, row * SIDE)
    kept[row] = count
    all += count
  }
  // A block that is black all over has kept nothing, and is sure.
  const weight = 1 / Math.max(1, all)
  for (let row = 0; row < SIDE; row++) {
    if (kept[row] === 0) continue
    const from = row * SIDE
    const to = row * width + left
    for (let x = 0; x < SIDE; x++) sums[to + x] = (sums[to + x] as number) + weight * (block[from + x] as number)
  }
  for (let x = left; x < left + SIDE; x++) weights[x] = (weights[x] as number) + weight
}

/** Adds a strip to the picture, of which the rows above the next strip are then done. */
function write({ width, sums, weights, allWeights }: Strip, out: Plane, top: number, next: number): void {
  const at = top * width
  for (let x = 0; x < width; x++) addRestored8(sums, x, width, out, at + x)
  for (let row = 0; row < allWeights.length; row += width) {
    for (let x = 0; x < width; x++) allWeights[row + x] = (allWeights[row + x] as number) + (weights[x] as number)
  }
  const done = (next - top) * width
  for (let i = 0; i < done; i++) out[at + i] = (out[at + i] as number) / (allWeights[i] as number)
  allWeights.copyWithin(0, done)
  allWeights.fill(0, allWeights.length - done)
}
