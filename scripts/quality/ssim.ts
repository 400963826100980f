const BLOCK = 8
/** Wang et al. 2004, eq. 13: (0.01 · 255)² and (0.03 · 255)². */
const [C1, C2] = [6.5025, 58.5225]

/** Mean structural similarity of two pictures of one channel and equal size, over blocks of 8 × 8; 1 is equal. */
export function ssim(a: Buffer, b: Buffer, width: number, height: number): number {
  let sum = 0
  let blocks = 0
  for (let top = 0; top + BLOCK <= height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= width; left += BLOCK) {
      sum += blockSsim(a, b, top * width + left, width)
      blocks++
    }
  }
  return sum / blocks
}

function blockSsim(a: Buffer, b: Buffer, start: number, stride: number): number {
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0]
  for (let y = 0; y < BLOCK; y++) {
    for (let x = 0; x < BLOCK; x++) {
      const at = start + y * stride + x
      const [p, q] = [a[at] ?? 0, b[at] ?? 0]
      sumA += p
      sumB += q
      sumAA += p * p
      sumBB += q * q
      sumAB += p * q
    }
  }
  const n = BLOCK * BLOCK
  const [meanA, meanB] = [sumA / n, sumB / n]
  const [varA, varB, covariance] = [sumAA / n - meanA ** 2, sumBB / n - meanB ** 2, sumAB / n - meanA * meanB]
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA ** 2 + meanB ** 2 + C1) * (varA + varB + C2))
}
