import type { Raster } from '@pixelmill/codecs/pixels/raster'

const BLOCK = 8
/** Wang et al. 2004, eq. 13: (0.01 · 255)² and (0.03 · 255)². */
const C1 = 6.5025
const C2 = 58.5225

/** Luma counts for three quarters: 4:2:0 has four luma samples for each pair of chroma. */
const LUMA = 0.75
const CHROMA = 0.125

/**
 * Mean structural similarity of two rasters of equal size, both grey or both in colour; 1 means equal. If both have alpha,
 * the worse of colour and alpha counts.
 */
export function ssim(a: Raster, b: Raster): number {
  const colours = a.channels < 3 ? 1 : 3
  const colour = colours === 1 ? ofPlane(a, b, 0) : ofColour(a, b)
  const alpha = a.channels > colours && b.channels > colours
  return alpha ? Math.min(colour, ofPlane(a, b, colours)) : colour
}

/** Mean over blocks of 8 × 8 pixels, smaller at the right and lower edge. */
function ofPlane(a: Raster, b: Raster, channel: number): number {
  const { width, height } = a
  let sum = 0
  for (let top = 0; top < height; top += BLOCK) {
    const bottom = Math.min(top + BLOCK, height)
    for (let left = 0; left < width; left += BLOCK) {
      const right = Math.min(left + BLOCK, width)
      let sumA = 0
      let sumB = 0
      let sumAA = 0
      let sumBB = 0
      let sumAB = 0
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const p = a.data[(y * width + x) * a.channels + channel] as number
          const q = b.data[(y * width + x) * b.channels + channel] as number
          sumA += p
          sumB += q
          sumAA += p * p
          sumBB += q * q
          sumAB += p * q
        }
      }
      sum += ofBlock((right - left) * (bottom - top), sumA, sumB, sumAA, sumBB, sumAB)
    }
  }
  return sum / (Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK))
}

/** Of a plane of a block. */
const SAMPLES = BLOCK * BLOCK

/** Luma and chroma of ITU-R BT.601, each pixel read once. */
function ofColour(a: Raster, b: Raster): number {
  const { width, height } = a
  const planesA = new Float64Array(3 * SAMPLES)
  const planesB = new Float64Array(3 * SAMPLES)
  let sum = 0
  for (let top = 0; top < height; top += BLOCK) {
    const rows = Math.min(BLOCK, height - top)
    for (let left = 0; left < width; left += BLOCK) {
      const columns = Math.min(BLOCK, width - left)
      readBlock(a, left, top, columns, rows, planesA)
      readBlock(b, left, top, columns, rows, planesB)
      const n = columns * rows
      sum += LUMA * compare(planesA, planesB, 0, n)
      sum += CHROMA * (compare(planesA, planesB, SAMPLES, n) + compare(planesA, planesB, 2 * SAMPLES, n))
    }
  }
  return sum / (Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK))
}

function readBlock(from: Raster, left: number, top: number, columns: number, rows: number, planes: Float64Array): void {
  const { data, width, channels } = from
  let to = 0
  for (let y = top; y < top + rows; y++) {
    let at = (y * width + left) * channels
    for (let x = 0; x < columns; x++) {
      const r = data[at] as number
      const g = data[at + 1] as number
      const b = data[at + 2] as number
      planes[to] = 0.299 * r + 0.587 * g + 0.114 * b
      planes[to + SAMPLES] = 128 - 0.1687 * r - 0.3313 * g + 0.5 * b
      planes[to + 2 * SAMPLES] = 128 + 0.5 * r - 0.4187 * g - 0.0813 * b
      to++
      at += channels
    }
  }
}

function compare(a: Float64Array, b: Float64Array, from: number, n: number): number {
  let sumA = 0
  let sumB = 0
  let sumAA = 0
  let sumBB = 0
  let sumAB = 0
  for (let at = from; at < from + n; at++) {
    const p = a[at] as number
    const q = b[at] as number
    sumA += p
    sumB += q
    sumAA += p * p
    sumBB += q * q
    sumAB += p * q
  }
  return ofBlock(n, sumA, sumB, sumAA, sumBB, sumAB)
}

function ofBlock(n: number, sumA: number, sumB: number, sumAA: number, sumBB: number, sumAB: number): number {
  const meanA = sumA / n
  const meanB = sumB / n
  const varA = sumAA / n - meanA * meanA
  const varB = sumBB / n - meanB * meanB
  const covariance = sumAB / n - meanA * meanB
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA * meanA + meanB * meanB + C1) * (varA + varB + C2))
}
