// Means of boxes around each float of a plane, and the guided filter, whose numbers they are.

import { storeTransposed } from './transpose'

/**
 * The mean over the square of 2 · radius + 1 floats around each, clipped at the edges.
 * @param scratch room for a plane, and after it for a double for each column or row @param to room for a plane
 */
export function boxMean(plane: usize, width: i32, height: i32, radius: i32, scratch: usize, to: usize): void {
  const sums = scratch + ((<usize>width * <usize>height << 2) + 16)
  meansDown(plane, width, height, radius, sums, to)
  transpose(to, width, height, scratch)
  meansDown(scratch, height, width, radius, sums, to)
  transpose(to, height, width, scratch)
  memory.copy(to, scratch, <usize>width * <usize>height << 2)
}

/** By running sums of doubles, so that rounding does not add up. */
function meansDown(plane: usize, width: i32, height: i32, radius: i32, sums: usize, to: usize): void {
  memory.fill(sums, 0, <usize>width << 3)
  const row = <usize>width << 2
  let count = 0
  for (let y = -radius; y < height; y++) {
    const entering = y + radius
    const leaving = y - radius - 1
    if (entering < height) {
      addRow(plane + <usize>entering * row, width, sums)
      count++
    }
    if (leaving >= 0) {
      subtractRow(plane + <usize>leaving * row, width, sums)
      count--
    }
    if (y >= 0) divideRow(sums, width, 1 / <f64>count, to + <usize>y * row)
  }
}

function addRow(row: usize, width: i32, sums: usize): void {
  const end = row + (<usize>width << 2)
  for (; row + 8 <= end; row += 8) {
    v128.store(sums, f64x2.add(v128.load(sums), f64x2.promote_low_f32x4(v128.load64_zero(row))))
    sums += 16
  }
  if (row < end) store<f64>(sums, load<f64>(sums) + <f64>load<f32>(row))
}

function subtractRow(row: usize, width: i32, sums: usize): void {
  const end = row + (<usize>width << 2)
  for (; row + 8 <= end; row += 8) {
    v128.store(sums, f64x2.sub(v128.load(sums), f64x2.promote_low_f32x4(v128.load64_zero(row))))
    sums += 16
  }
  if (row < end) store<f64>(sums, load<f64>(sums) - <f64>load<f32>(row))
}

function divideRow(sums: usize, width: i32, factor: f64, to: usize): void {
  const end = to + (<usize>width << 2)
  const factors = f64x2.splat(factor)
  for (; to + 8 <= end; to += 8) {
    v128.store64_lane(to, f32x4.demote_f64x2_zero(f64x2.mul(v128.load(sums), factors)), 0)
    sums += 16
  }
  if (to < end) store<f32>(to, <f32>(load<f64>(sums) * factor))
}

function transpose(plane: usize, width: i32, height: i32, to: usize): void {
  const row = <usize>width << 2
  const column = <usize>height << 2
  let y = 0
  for (; y + 4 <= height; y += 4) {
    let from = plane + <usize>y * row
    let at = to + (<usize>y << 2)
    let x = 0
    for (; x + 4 <= width; x += 4) {
      const a = v128.load(from)
      const b = v128.load(from + row)
      const c = v128.load(from + 2 * row)
      const d = v128.load(from + 3 * row)
      storeTransposed(a, b, c, d, at, column)
      from += 16
      at += 4 * column
    }
    for (; x < width; x++) for (let line = y; line < y + 4; line++) move(plane, row, column, x, line, to)
  }
  for (; y < height; y++) for (let x = 0; x < width; x++) move(plane, row, column, x, y, to)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function move(plane: usize, row: usize, column: usize, x: i32, y: i32, to: usize): void {
  store<f32>(to + <usize>x * column + (<usize>y << 2), load<f32>(plane + <usize>y * row + (<usize>x << 2)))
}

// @ts-ignore
@inline
function plane(planes: usize, index: usize, stride: usize, at: usize): v128 {
  return v128.load(planes + index * stride + at)
}

// @ts-ignore
@inline
function covariance(product: v128, one: v128, other: v128): v128 {
  return f32x4.sub(product, f32x4.mul(one, other))
}

/**
 * The linear model of a plane by three others: factors and a constant, by the covariances of means around each place.
 * @param means planes of `stride` bytes: of red, green, blue and the plane; of rr, rg, rb, gg, gb, bb; of the plane times r, g and b
 * @param epsilon is added to variances @param to four planes
 */
export function linearModel(means: usize, stride: usize, epsilon: f32, to: usize): void {
  const floor = f32x4.splat(epsilon)
  for (let at: usize = 0; at < stride; at += 16) {
    const r = plane(means, 0, stride, at)
    const g = plane(means, 1, stride, at)
    const b = plane(means, 2, stride, at)
    const o = plane(means, 3, stride, at)
    const rr = f32x4.add(covariance(plane(means, 4, stride, at), r, r), floor)
    const rg = covariance(plane(means, 5, stride, at), r, g)
    const rb = covariance(plane(means, 6, stride, at), r, b)
    const gg = f32x4.add(covariance(plane(means, 7, stride, at), g, g), floor)
    const gb = covariance(plane(means, 8, stride, at), g, b)
    const bb = f32x4.add(covariance(plane(means, 9, stride, at), b, b), floor)
    const ro = covariance(plane(means, 10, stride, at), r, o)
    const go = covariance(plane(means, 11, stride, at), g, o)
    const bo = covariance(plane(means, 12, stride, at), b, o)
    // By cofactors of the symmetric matrix.
    const first = f32x4.sub(f32x4.mul(gg, bb), f32x4.mul(gb, gb))
    const second = f32x4.sub(f32x4.mul(rb, gb), f32x4.mul(rg, bb))
    const third = f32x4.sub(f32x4.mul(rg, gb), f32x4.mul(rb, gg))
    const fourth = f32x4.sub(f32x4.mul(rr, bb), f32x4.mul(rb, rb))
    const fifth = f32x4.sub(f32x4.mul(rg, rb), f32x4.mul(rr, gb))
    const sixth = f32x4.sub(f32x4.mul(rr, gg), f32x4.mul(rg, rg))
    const scale = f32x4.div(f32x4.splat(1), f32x4.add(f32x4.add(f32x4.mul(rr, first), f32x4.mul(rg, second)), f32x4.mul(rb, third)))
    const red = f32x4.mul(f32x4.add(f32x4.add(f32x4.mul(first, ro), f32x4.mul(second, go)), f32x4.mul(third, bo)), scale)
    const green = f32x4.mul(f32x4.add(f32x4.add(f32x4.mul(second, ro), f32x4.mul(fourth, go)), f32x4.mul(fifth, bo)), scale)
    const blue = f32x4.mul(f32x4.add(f32x4.add(f32x4.mul(third, ro), f32x4.mul(fifth, go)), f32x4.mul(sixth, bo)), scale)
    const modelSum = f32x4.add(f32x4.add(f32x4.mul(red, r), f32x4.mul(green, g)), f32x4.mul(blue, b))
    v128.store(to + at, red)
    v128.store(to + stride + at, green)
    v128.store(to + 2 * stride + at, blue)
    v128.store(to + 3 * stride + at, f32x4.sub(o, modelSum))
  }
}
