import { restore8, SIDE, transform8 } from './dct8.ts'
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
  const sums = new Float32Array(plane.length)
  const weights = new Float32Array(plane.length)
  const strip = emptyStrip(width)
  const columns = places(width, stride)
  for (const top of places(height, stride)) {
    read(strip, plane, top * width)
    for (const left of columns) addBlock(strip, left, THRESHOLD * sigma)
    write(strip, sums, weights, top * width)
  }
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] as number) / (weights[i] as number)
  return sums
}

/** Where blocks begin: every `stride` samples, and at the very end. */
function places(length: number, stride: number): Int32Array {
  const last = length - SIDE
  const regular = Math.floor(last / stride) + 1
  return Int32Array.from({ length: regular + (last % stride > 0 ? 1 : 0) }, (_, index) => Math.min(index * stride, last))
}

/**
 * Eight rows. Each column is transformed once for all blocks that have it, and restored once after these were added up:
 * both are linear. That, and that empty rows of coefficients cost nothing, saves half of the time.
 */
interface Strip {
  readonly width: number
  readonly columns: Float64Array
  readonly sums: Float64Array
  /** The same in all eight rows. */
  readonly weights: Float64Array
  readonly block: Float64Array
  /** How many coefficients each row of the block has kept. */
  readonly kept: Int32Array
}

const emptyStrip = (width: number): Strip => ({
  width,
  columns: new Float64Array(SIDE * width),
  sums: new Float64Array(SIDE * width),
  weights: new Float64Array(width),
  block: new Float64Array(SIDE * SIDE),
  kept: new Int32Array(SIDE),
})

function read({ width, columns, sums, weights }: Strip, plane: Plane, at: number): void {
  columns.set(plane.subarray(at, at + columns.length))
  for (let x = 0; x < width; x++) transform8(columns, x, width, columns, x)
  sums.fill(0)
  weights.fill(0)
}

function addBlock({ width, columns, sums, weights, block, kept }: Strip, left: number, least: number): void {
  let all = 0
  for (let row = 0; row < SIDE; row++) {
    const from = row * width + left
    const to = row * SIDE
    transform8(columns, from, 1, block, to)
    // The mean, which is the first of all, stays.
    const count = row === 0 ? 1 + threshold(block, 1, SIDE, least) : threshold(block, to, to + SIDE, least)
    kept[row] = count
    all += count
  }
  const weight = 1 / all
  for (let row = 0; row < SIDE; row++) {
    if (kept[row] === 0) continue
    const from = row * SIDE
    const to = row * width + left
    restore8(block, from, 1)
    for (let x = 0; x < SIDE; x++) sums[to + x] = (sums[to + x] as number) + weight * (block[from + x] as number)
  }
  for (let x = left; x < left + SIDE; x++) weights[x] = (weights[x] as number) + weight
}

/** Makes 0 of coefficients below the threshold; says how many are left. */
function threshold(block: Float64Array, from: number, to: number, least: number): number {
  let kept = 0
  for (let i = from; i < to; i++) {
    const coefficient = block[i] as number
    if (coefficient < least && coefficient > -least) block[i] = 0
    else kept++
  }
  return kept
}

function write({ width, sums, weights }: Strip, plane: Plane, planeWeights: Plane, at: number): void {
  for (let x = 0; x < width; x++) restore8(sums, x, width)
  for (let i = 0; i < sums.length; i++) plane[at + i] = (plane[at + i] as number) + (sums[i] as number)
  for (let row = at; row < at + sums.length; row += width) {
    for (let x = 0; x < width; x++) planeWeights[row + x] = (planeWeights[row + x] as number) + (weights[x] as number)
  }
}
