import type { Raster } from './raster.ts'

/** A plane to compare: a weighted sum of the channels from `first` on, plus an offset that makes it 0–255. */
interface Plane {
  readonly first: number
  readonly weights: readonly [number, number, number]
  readonly offset: number
  readonly share: number
}

const BLOCK = 8
/** Wang et al. 2004, eq. 13: (0.01 · 255)² and (0.03 · 255)². */
const [C1, C2] = [6.5025, 58.5225]

const single = (first: number): Plane => ({ first, weights: [1, 0, 0], offset: 0, share: 1 })
/** Luma and chroma of ITU-R BT.601. Luma counts for three quarters: 4:2:0 has four luma samples for each pair of chroma. */
const colourPlanes: readonly Plane[] = [
  { first: 0, weights: [0.299, 0.587, 0.114], offset: 0, share: 0.75 },
  { first: 0, weights: [-0.1687, -0.3313, 0.5], offset: 128, share: 0.125 },
  { first: 0, weights: [0.5, -0.4187, -0.0813], offset: 128, share: 0.125 },
]

/**
 * Mean structural similarity of two rasters of equal size, both grey or both in colour; 1 means equal. If both have alpha,
 * the worse of colour and alpha counts.
 */
export function ssim(a: Raster, b: Raster): number {
  const colours = a.channels < 3 ? 1 : 3
  const colour = (colours === 1 ? [single(0)] : colourPlanes).reduce((sum, plane) => sum + plane.share * ofPlane(a, b, plane), 0)
  const alpha = a.channels > colours && b.channels > colours
  return alpha ? Math.min(colour, ofPlane(a, b, single(colours))) : colour
}

/** Mean over blocks of 8 × 8 pixels, smaller at the right and lower edge. */
function ofPlane(a: Raster, b: Raster, plane: Plane): number {
  let [sum, blocks] = [0, 0]
  for (let top = 0; top < a.height; top += BLOCK) {
    for (let left = 0; left < a.width; left += BLOCK) {
      sum += ofBlock(a, b, plane, left, top)
      blocks++
    }
  }
  return sum / blocks
}

function ofBlock(a: Raster, b: Raster, { first, weights: [wr, wg, wb], offset }: Plane, left: number, top: number): number {
  const { width, height } = a
  const [right, bottom] = [Math.min(left + BLOCK, width), Math.min(top + BLOCK, height)]
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0]
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const [i, j] = [(y * width + x) * a.channels + first, (y * width + x) * b.channels + first]
      const p = offset + wr * (a.data[i] ?? 0) + wg * (a.data[i + 1] ?? 0) + wb * (a.data[i + 2] ?? 0)
      const q = offset + wr * (b.data[j] ?? 0) + wg * (b.data[j + 1] ?? 0) + wb * (b.data[j + 2] ?? 0)
      sumA += p
      sumB += q
      sumAA += p * p
      sumBB += q * q
      sumAB += p * q
    }
  }
  const n = (right - left) * (bottom - top)
  const [meanA, meanB] = [sumA / n, sumB / n]
  const [varA, varB, covariance] = [sumAA / n - meanA * meanA, sumBB / n - meanB * meanB, sumAB / n - meanA * meanB]
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA * meanA + meanB * meanB + C1) * (varA + varB + C2))
}
