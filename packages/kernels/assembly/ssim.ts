// Structural similarity of blocks of 8 × 8, in rows of floats. Means are taken around the middle, so that 32 bits are enough.

const BLOCK = 8
const MIDDLE: f32 = 128
/** Wang et al. 2004, eq. 13: (0.01 · 255)² and (0.03 · 255)². */
const C1: f64 = 6.5025
const C2: f64 = 58.5225

/** Every `channels`th byte of a row. */
export function channel8(from: usize, width: i32, channels: i32, to: usize): void {
  for (let end = to + (<usize>width << 2); to < end; to += 4) {
    store<f32>(to, <f32>load<u8>(from))
    from += channels
  }
}

/**
 * The sum of the similarities of blocks that lie side by side, the last of which may be narrower.
 * @param one rows of `stride` bytes @param centre what is subtracted from the floats to have them around 0, the middle of the range
 */
export function compareBlocks(one: usize, other: usize, stride: usize, width: i32, rows: i32, centre: f32): f64 {
  let sum: f64 = 0
  const middle = f32x4.splat(centre)
  for (let left = 0; left < width; left += BLOCK) {
    const columns = min<i32>(BLOCK, width - left)
    let a = one + (<usize>left << 2)
    let b = other + (<usize>left << 2)
    let sumA = f32x4.splat(0)
    let sumB = f32x4.splat(0)
    let sumAA = f32x4.splat(0)
    let sumBB = f32x4.splat(0)
    let sumAB = f32x4.splat(0)
    for (let row = 0; row < rows; row++) {
      for (let x = 0; x < columns; x += 4) {
        const inside = i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(columns - x))
        const p = v128.and(f32x4.sub(v128.load(a + (<usize>x << 2)), middle), inside)
        const q = v128.and(f32x4.sub(v128.load(b + (<usize>x << 2)), middle), inside)
        sumA = f32x4.add(sumA, p)
        sumB = f32x4.add(sumB, q)
        sumAA = f32x4.add(sumAA, f32x4.mul(p, p))
        sumBB = f32x4.add(sumBB, f32x4.mul(q, q))
        sumAB = f32x4.add(sumAB, f32x4.mul(p, q))
      }
      a += stride
      b += stride
    }
    const n = 1 / <f64>(columns * rows)
    sum += similarity(total(sumA) * n, total(sumB) * n, total(sumAA) * n, total(sumBB) * n, total(sumAB) * n)
  }
  return sum
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function total(sums: v128): f64 {
  const low = <f64>f32x4.extract_lane(sums, 0) + <f64>f32x4.extract_lane(sums, 1)
  return low + <f64>f32x4.extract_lane(sums, 2) + <f64>f32x4.extract_lane(sums, 3)
}

// @ts-ignore
@inline
function similarity(a: f64, b: f64, aa: f64, bb: f64, ab: f64): f64 {
  const covariance = ab - a * b
  const variances = aa - a * a + bb - b * b
  const meanA = a + <f64>MIDDLE
  const meanB = b + <f64>MIDDLE
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA * meanA + meanB * meanB + C1) * (variances + C2))
}
