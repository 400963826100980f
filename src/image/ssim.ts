import type { Raster } from './raster.ts'

const BLOCK = 8
/** Wang et al. 2004, eq. 13: (0.01 · 255)² and (0.03 · 255)². */
const [C1, C2] = [6.5025, 58.5225]

/** Luma counts for three quarters: 4:2:0 has four luma samples for each pair of chroma. */
const [LUMA, CHROMA] = [0.75, 0.125]

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
      let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0]
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

/** The three planes in one pass: luma and chroma of ITU-R BT.601. */
function ofColour({ data: dataA, channels: stepA, width, height }: Raster, { data: dataB, channels: stepB }: Raster): number {
  let sum = 0
  for (let top = 0; top < height; top += BLOCK) {
    const bottom = Math.min(top + BLOCK, height)
    for (let left = 0; left < width; left += BLOCK) {
      const right = Math.min(left + BLOCK, width)
      let [yA, yB, yAA, yBB, yAB] = [0, 0, 0, 0, 0]
      let [uA, uB, uAA, uBB, uAB] = [0, 0, 0, 0, 0]
      let [vA, vB, vAA, vBB, vAB] = [0, 0, 0, 0, 0]
      for (let y = top; y < bottom; y++) {
        let [i, j] = [(y * width + left) * stepA, (y * width + left) * stepB]
        for (let x = left; x < right; x++, i += stepA, j += stepB) {
          const [r, g, b] = [dataA[i] as number, dataA[i + 1] as number, dataA[i + 2] as number]
          const [s, t, u] = [dataB[j] as number, dataB[j + 1] as number, dataB[j + 2] as number]
          let p = 0.299 * r + 0.587 * g + 0.114 * b
          let q = 0.299 * s + 0.587 * t + 0.114 * u
          yA += p
          yB += q
          yAA += p * p
          yBB += q * q
          yAB += p * q
          p = 128 - 0.1687 * r - 0.3313 * g + 0.5 * b
          q = 128 - 0.1687 * s - 0.3313 * t + 0.5 * u
          uA += p
          uB += q
          uAA += p * p
          uBB += q * q
          uAB += p * q
          p = 128 + 0.5 * r - 0.4187 * g - 0.0813 * b
          q = 128 + 0.5 * s - 0.4187 * t - 0.0813 * u
          vA += p
          vB += q
          vAA += p * p
          vBB += q * q
          vAB += p * q
        }
      }
      const n = (right - left) * (bottom - top)
      sum += LUMA * ofBlock(n, yA, yB, yAA, yBB, yAB)
      sum += CHROMA * (ofBlock(n, uA, uB, uAA, uBB, uAB) + ofBlock(n, vA, vB, vAA, vBB, vAB))
    }
  }
  return sum / (Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK))
}

function ofBlock(n: number, sumA: number, sumB: number, sumAA: number, sumBB: number, sumAB: number): number {
  const [meanA, meanB] = [sumA / n, sumB / n]
  const [varA, varB, covariance] = [sumAA / n - meanA * meanA, sumBB / n - meanB * meanB, sumAB / n - meanA * meanB]
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA * meanA + meanB * meanB + C1) * (varA + varB + C2))
}
