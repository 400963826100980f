// Filters of rows of floats. Rows have room up to the next multiple of 16 floats, and the kernels write there.

/** Repeats the first and the last float of a row beyond its ends. @param row its first float; `reach` lie before it and behind */
export function repeatEnds(row: usize, width: i32, reach: i32): void {
  const last = row + (<usize>(width - 1) << 2)
  for (let step: usize = 1; step <= <usize>reach; step++) {
    store<f32>(row - (step << 2), load<f32>(row))
    store<f32>(last + (step << 2), load<f32>(last))
  }
}

/** A symmetric filter along a row whose ends are repeated. @param weights from the middle outwards, `reach` + 1 of them */
export function blurAcross(row: usize, weights: usize, reach: i32, width: i32, to: usize): void {
  for (let x: usize = 0; x < <usize>width << 2; x += 32) {
    const at = row + x
    const middle = v128.load32_splat(weights)
    let low = f32x4.mul(v128.load(at), middle)
    let high = f32x4.mul(v128.load(at, 16), middle)
    for (let step: usize = 4; step <= <usize>reach << 2; step += 4) {
      const weight = v128.load32_splat(weights + step)
      low = f32x4.add(low, f32x4.mul(f32x4.add(v128.load(at - step), v128.load(at + step)), weight))
      high = f32x4.add(high, f32x4.mul(f32x4.add(v128.load(at - step, 16), v128.load(at + step, 16)), weight))
    }
    v128.store(to + x, low)
    v128.store(to + x, high, 16)
  }
}

/** The weighted sum of `count` rows at the addresses in `rows`. */
export function mixRows(rows: usize, weights: usize, count: i32, width: i32, to: usize): void {
  for (let x: usize = 0; x < <usize>width << 2; x += 64) {
    let a = f32x4.splat(0)
    let b = f32x4.splat(0)
    let c = f32x4.splat(0)
    let d = f32x4.splat(0)
    for (let row: usize = 0; row < <usize>count << 2; row += 4) {
      const at = <usize>load<u32>(rows + row) + x
      const weight = v128.load32_splat(weights + row)
      a = f32x4.add(a, f32x4.mul(v128.load(at), weight))
      b = f32x4.add(b, f32x4.mul(v128.load(at, 16), weight))
      c = f32x4.add(c, f32x4.mul(v128.load(at, 32), weight))
      d = f32x4.add(d, f32x4.mul(v128.load(at, 48), weight))
    }
    v128.store(to + x, a)
    v128.store(to + x, b, 16)
    v128.store(to + x, c, 32)
    v128.store(to + x, d, 48)
  }
}

/**
 * Doubles a row whose ends are repeated: each float becomes two, a quarter before and a quarter behind its centre.
 * @param row the first float
 * @param weights `taps` of those for the one before, whose mirror images are those for the one behind
 */
export function doubleAcross(row: usize, weights: usize, taps: i32, width: i32, to: usize): void {
  const reach = <usize>taps << 1
  for (let x: usize = 0; x < <usize>width << 2; x += 16) {
    let before = f32x4.splat(0)
    let behind = f32x4.splat(0)
    for (let tap: usize = 0; tap < <usize>taps << 2; tap += 4) {
      const weight = v128.load32_splat(weights + tap)
      before = f32x4.add(before, f32x4.mul(v128.load(row + x - reach + tap), weight))
      behind = f32x4.add(behind, f32x4.mul(v128.load(row + x + reach - tap), weight))
    }
    v128.store(to + (x << 1), v128.shuffle<f32>(before, behind, 0, 4, 1, 5))
    v128.store(to + (x << 1), v128.shuffle<f32>(before, behind, 2, 6, 3, 7), 16)
  }
}

/**
 * Halves a row whose ends are repeated: each float of the result is the weighted sum of `taps` around two.
 * @param row the first float
 * @param halfWidth of the result
 */
export function halveAcross(row: usize, weights: usize, taps: i32, halfWidth: i32, to: usize): void {
  const first = row - (<usize>(taps / 2 - 1) << 2)
  for (let x: usize = 0; x < <usize>halfWidth << 2; x += 16) {
    let sum = f32x4.splat(0)
    for (let tap: usize = 0; tap < <usize>taps << 2; tap += 8) {
      const left = v128.load(first + (x << 1) + tap)
      const right = v128.load(first + (x << 1) + tap, 16)
      sum = f32x4.add(sum, f32x4.mul(v128.shuffle<f32>(left, right, 0, 2, 4, 6), v128.load32_splat(weights + tap)))
      sum = f32x4.add(sum, f32x4.mul(v128.shuffle<f32>(left, right, 1, 3, 5, 7), v128.load32_splat(weights + tap, 4)))
    }
    v128.store(to + x, sum)
  }
}

export function multiplyRows(one: usize, other: usize, width: i32, to: usize): void {
  for (let x: usize = 0; x < <usize>width << 2; x += 16) v128.store(to + x, f32x4.mul(v128.load(one + x), v128.load(other + x)))
}

/** Where opacity is 0, the quotient of two sums, and elsewhere the row itself. @param weights of `sums`; 0 gives 0 */
export function fillHidden(row: usize, opacity: usize, sums: usize, weights: usize, width: i32, to: usize): void {
  const zero = f32x4.splat(0)
  for (let x: usize = 0; x < <usize>width << 2; x += 16) {
    const weight = v128.load(weights + x)
    const around = v128.and(f32x4.div(v128.load(sums + x), weight), f32x4.gt(weight, zero))
    v128.store(to + x, v128.bitselect(around, v128.load(row + x), f32x4.eq(v128.load(opacity + x), zero)))
  }
}

export function clear(at: usize, bytes: usize): void {
  memory.fill(at, 0, bytes)
}

export function copy(from: usize, bytes: usize, to: usize): void {
  memory.copy(to, from, bytes)
}
