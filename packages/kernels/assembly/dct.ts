// Shrinking of the coefficients of sliding 8 × 8 blocks. A row of floats is spread to phases: those whose places have the same
// remainder by the blocks' distance lie together, so that a vector has the same sample of four neighbouring blocks.

import { storeTransposed } from './transpose'

const SIDE: usize = 8

// cos(k · π / 16) / 2: the factors of the orthonormal transform of eight samples. C4 is that of their mean, 1 / √8.
const C1: f32 = 0.49039264020161522
const C2: f32 = 0.46193976625564337
const C3: f32 = 0.41573480615127262
const C4: f32 = 0.35355339059327379
const C5: f32 = 0.27778511650980111
const C6: f32 = 0.19134171618254489
const C7: f32 = 0.097545161008064135

/** @param distance of blocks: 1, 2, 4 or 8 @param phaseBytes of all floats with one remainder */
export function spreadPhases(row: usize, width: i32, distance: i32, to: usize, phaseBytes: usize): void {
  if (distance == 4) return spreadFour(row, width, to, phaseBytes)
  const step = <usize>distance << 2
  for (let phase: usize = 0; phase < <usize>distance; phase++) {
    let slot = to + phase * phaseBytes
    for (let at = row + (phase << 2), end = row + (<usize>width << 2); at < end; at += step) {
      store<f32>(slot, load<f32>(at))
      slot += 4
    }
  }
}

function spreadFour(row: usize, width: i32, to: usize, phaseBytes: usize): void {
  for (let end = row + (<usize>width << 2); row < end; row += 64) {
    const a = v128.load(row)
    const b = v128.load(row, 16)
    const c = v128.load(row, 32)
    const d = v128.load(row, 48)
    storeTransposed(a, b, c, d, to, phaseBytes)
    to += 16
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function times(x: v128, factor: f32): v128 {
  return f32x4.mul(x, f32x4.splat(factor))
}

// @ts-ignore
@inline
function four(a: v128, b: v128, c: v128, d: v128): v128 {
  return f32x4.add(f32x4.add(a, b), f32x4.add(c, d))
}

/** Orthonormal DCT-II of eight vectors: sums and differences first, which halves the multiplications. */
// @ts-ignore
@inline
function transform(x0: v128, x1: v128, x2: v128, x3: v128, x4: v128, x5: v128, x6: v128, x7: v128, to: usize, step: usize): void {
  const d0 = f32x4.sub(x0, x7)
  const d1 = f32x4.sub(x1, x6)
  const d2 = f32x4.sub(x2, x5)
  const d3 = f32x4.sub(x3, x4)
  const s0 = f32x4.add(x0, x7)
  const s1 = f32x4.add(x1, x6)
  const s2 = f32x4.add(x2, x5)
  const s3 = f32x4.add(x3, x4)
  const outer = f32x4.add(s0, s3)
  const inner = f32x4.add(s1, s2)
  const e = f32x4.sub(s0, s3)
  const f = f32x4.sub(s1, s2)
  v128.store(to, times(f32x4.add(outer, inner), C4))
  v128.store(to + step, four(times(d0, C1), times(d1, C3), times(d2, C5), times(d3, C7)))
  v128.store(to + 2 * step, f32x4.add(times(e, C2), times(f, C6)))
  v128.store(to + 3 * step, four(times(d0, C3), times(d1, -C7), times(d2, -C1), times(d3, -C5)))
  v128.store(to + 4 * step, times(f32x4.sub(outer, inner), C4))
  v128.store(to + 5 * step, four(times(d0, C5), times(d1, -C1), times(d2, C7), times(d3, C3)))
  v128.store(to + 6 * step, f32x4.sub(times(e, C6), times(f, C2)))
  v128.store(to + 7 * step, four(times(d0, C7), times(d1, -C5), times(d2, C3), times(d3, -C1)))
}

/** The inverse of `transform`. */
// @ts-ignore
@inline
function restore(y0: v128, y1: v128, y2: v128, y3: v128, y4: v128, y5: v128, y6: v128, y7: v128, to: usize): void {
  const p = times(f32x4.add(y0, y4), C4)
  const q = times(f32x4.sub(y0, y4), C4)
  const r = f32x4.add(times(y2, C2), times(y6, C6))
  const t = f32x4.sub(times(y2, C6), times(y6, C2))
  const o0 = four(times(y1, C1), times(y3, C3), times(y5, C5), times(y7, C7))
  const o1 = four(times(y1, C3), times(y3, -C7), times(y5, -C1), times(y7, -C5))
  const o2 = four(times(y1, C5), times(y3, -C1), times(y5, C7), times(y7, C3))
  const o3 = four(times(y1, C7), times(y3, -C5), times(y5, C3), times(y7, -C1))
  const pr = f32x4.add(p, r)
  const qt = f32x4.add(q, t)
  const qMinus = f32x4.sub(q, t)
  const pMinus = f32x4.sub(p, r)
  v128.store(to, f32x4.add(pr, o0))
  v128.store(to, f32x4.add(qt, o1), 16)
  v128.store(to, f32x4.add(qMinus, o2), 32)
  v128.store(to, f32x4.add(pMinus, o3), 48)
  v128.store(to, f32x4.sub(pMinus, o3), 64)
  v128.store(to, f32x4.sub(qMinus, o2), 80)
  v128.store(to, f32x4.sub(qt, o1), 96)
  v128.store(to, f32x4.sub(pr, o0), 112)
}

/** Transforms columns of eight rows. @param rows eight addresses @param bytes of a row, a multiple of a vector's */
export function transformColumns(rows: usize, bytes: usize, to: usize): void {
  const r0 = <usize>load<u32>(rows)
  const r1 = <usize>load<u32>(rows, 4)
  const r2 = <usize>load<u32>(rows, 8)
  const r3 = <usize>load<u32>(rows, 12)
  const r4 = <usize>load<u32>(rows, 16)
  const r5 = <usize>load<u32>(rows, 20)
  const r6 = <usize>load<u32>(rows, 24)
  const r7 = <usize>load<u32>(rows, 28)
  for (let x: usize = 0; x < bytes; x += 16)
    transform(
      v128.load(r0 + x), v128.load(r1 + x), v128.load(r2 + x), v128.load(r3 + x),
      v128.load(r4 + x), v128.load(r5 + x), v128.load(r6 + x), v128.load(r7 + x), to + x, bytes,
    )
}

/** Less than any mean but 0: the first coefficient of a block always stays, and counts unless it is 0. */
const LEAST_MEAN: f32 = 1e-30

/**
 * Sets coefficients of blocks that are below a threshold to 0, and transforms the others back along the rows.
 * @param columns eight rows of transformed columns, in phases
 * @param count of blocks
 * @param scratch a kilobyte, and as much again for one row
 * @param sums what four blocks give to a place is stored in one array for each block that covers it, so that none is read again
 * @param weights one of each block: the inverse of the number of coefficients that stay
 */
export function shrinkBlocks(
  columns: usize, rowBytes: usize, phaseBytes: usize, distance: usize, count: i32, least: f32,
  scratch: usize, sums: usize, arrayBytes: usize, weights: usize,
): void {
  const row = scratch + SIDE * 128
  const o1 = offset(1, distance, phaseBytes)
  const o2 = offset(2, distance, phaseBytes)
  const o3 = offset(3, distance, phaseBytes)
  const o4 = offset(4, distance, phaseBytes)
  const o5 = offset(5, distance, phaseBytes)
  const o6 = offset(6, distance, phaseBytes)
  const o7 = offset(7, distance, phaseBytes)
  const threshold = f32x4.splat(least)
  for (let block = 0; block < count; block += 4) {
    const at = <usize>block << 2
    const isBlock = i32x4.lt_s(i32x4.add(i32x4.splat(block), i32x4(0, 1, 2, 3)), i32x4.splat(count))
    let keptCounts = i32x4.splat(0)
    let busyRows: u32 = 0
    let limit = f32x4.splat(LEAST_MEAN)
    for (let y: usize = 0; y < SIDE; y++) {
      const from = columns + y * rowBytes + at
      const to = scratch + y * 128
      transform(
        v128.load(from), v128.load(from + o1), v128.load(from + o2), v128.load(from + o3),
        v128.load(from + o4), v128.load(from + o5), v128.load(from + o6), v128.load(from + o7), to, 16,
      )
      let any = i32x4.splat(0)
      for (let k: usize = 0; k < 128; k += 16) {
        const value = v128.load(to + k)
        const stays = v128.and(f32x4.ge(f32x4.abs(value), limit), isBlock)
        any = v128.or(any, stays)
        keptCounts = i32x4.sub(keptCounts, stays)
        v128.store(to + k, v128.and(value, stays))
        limit = threshold
      }
      if (v128.any_true(any)) busyRows |= 1 << <u32>y
    }
    // A block that is black all over keeps nothing, and is reliable.
    const weight = v128.and(f32x4.div(f32x4.splat(1), f32x4.max(f32x4.splat(1), f32x4.convert_i32x4_s(keptCounts))), isBlock)
    v128.store(weights + at, weight)
    for (let y: usize = 0; y < SIDE; y++) {
      const from = scratch + y * 128
      const to = sums + y * rowBytes + at
      if (busyRows & (1 << <u32>y)) restore(
        v128.load(from), v128.load(from, 16), v128.load(from, 32), v128.load(from, 48),
        v128.load(from, 64), v128.load(from, 80), v128.load(from, 96), v128.load(from, 112), row,
      )
      else memory.fill(row, 0, 128)
      v128.store(to, f32x4.mul(v128.load(row), weight))
      v128.store(to + o1 + (1 / distance) * arrayBytes, f32x4.mul(v128.load(row, 16), weight))
      v128.store(to + o2 + (2 / distance) * arrayBytes, f32x4.mul(v128.load(row, 32), weight))
      v128.store(to + o3 + (3 / distance) * arrayBytes, f32x4.mul(v128.load(row, 48), weight))
      v128.store(to + o4 + (4 / distance) * arrayBytes, f32x4.mul(v128.load(row, 64), weight))
      v128.store(to + o5 + (5 / distance) * arrayBytes, f32x4.mul(v128.load(row, 80), weight))
      v128.store(to + o6 + (6 / distance) * arrayBytes, f32x4.mul(v128.load(row, 96), weight))
      v128.store(to + o7 + (7 / distance) * arrayBytes, f32x4.mul(v128.load(row, 112), weight))
    }
  }
}

/** Where the samples of blocks lie, relative to their first ones. */
// @ts-ignore
@inline
function offset(sample: usize, distance: usize, phaseBytes: usize): usize {
  return (sample % distance) * phaseBytes + ((sample / distance) << 2)
}

/** Adds the arrays of `shrinkBlocks`, transforms their columns back, and adds them to the rows at eight addresses. */
export function addColumns(sums: usize, arrays: i32, arrayBytes: usize, bytes: usize, scratch: usize, rows: usize): void {
  const r0 = <usize>load<u32>(rows)
  const r1 = <usize>load<u32>(rows, 4)
  const r2 = <usize>load<u32>(rows, 8)
  const r3 = <usize>load<u32>(rows, 12)
  const r4 = <usize>load<u32>(rows, 16)
  const r5 = <usize>load<u32>(rows, 20)
  const r6 = <usize>load<u32>(rows, 24)
  const r7 = <usize>load<u32>(rows, 28)
  for (let x: usize = 0; x < bytes; x += 16) {
    const from = sums + x
    restore(
      total(from, arrays, arrayBytes), total(from + bytes, arrays, arrayBytes),
      total(from + 2 * bytes, arrays, arrayBytes), total(from + 3 * bytes, arrays, arrayBytes),
      total(from + 4 * bytes, arrays, arrayBytes), total(from + 5 * bytes, arrays, arrayBytes),
      total(from + 6 * bytes, arrays, arrayBytes), total(from + 7 * bytes, arrays, arrayBytes), scratch,
    )
    v128.store(r0 + x, f32x4.add(v128.load(r0 + x), v128.load(scratch)))
    v128.store(r1 + x, f32x4.add(v128.load(r1 + x), v128.load(scratch, 16)))
    v128.store(r2 + x, f32x4.add(v128.load(r2 + x), v128.load(scratch, 32)))
    v128.store(r3 + x, f32x4.add(v128.load(r3 + x), v128.load(scratch, 48)))
    v128.store(r4 + x, f32x4.add(v128.load(r4 + x), v128.load(scratch, 64)))
    v128.store(r5 + x, f32x4.add(v128.load(r5 + x), v128.load(scratch, 80)))
    v128.store(r6 + x, f32x4.add(v128.load(r6 + x), v128.load(scratch, 96)))
    v128.store(r7 + x, f32x4.add(v128.load(r7 + x), v128.load(scratch, 112)))
  }
}

// @ts-ignore
@inline
function total(from: usize, arrays: i32, arrayBytes: usize): v128 {
  let sum = v128.load(from)
  if (arrays > 1) sum = f32x4.add(sum, v128.load(from + arrayBytes))
  for (let array: usize = 2; array < <usize>arrays; array++) sum = f32x4.add(sum, v128.load(from + array * arrayBytes))
  return sum
}

/** Adds to each place the weights of the blocks that cover it: those of `covering` before it, itself included. */
export function addWeights(blocks: usize, covering: i32, places: i32, to: usize): void {
  for (let at: usize = 0; at < <usize>places << 2; at += 16) {
    let sum = v128.load(to + at)
    for (let before: usize = 0; before < <usize>covering << 2; before += 4) sum = f32x4.add(sum, v128.load(blocks + at - before))
    v128.store(to + at, sum)
  }
}

/** Means from sums and weights, in a row without phases. Clears both. */
export function takeMeans(sums: usize, weights: usize, width: i32, distance: i32, phaseBytes: usize, to: usize): void {
  if (distance == 4) takeFour(sums, weights, width, phaseBytes, to)
  else {
    const step = <usize>distance << 2
    for (let phase: usize = 0; phase < <usize>distance; phase++) {
      let weight = weights
      let sum = sums + phase * phaseBytes
      for (let at = to + (phase << 2), end = to + (<usize>width << 2); at < end; at += step) {
        store<f32>(at, load<f32>(sum) / load<f32>(weight))
        sum += 4
        weight += 4
      }
    }
  }
}

function takeFour(sums: usize, weights: usize, width: i32, phaseBytes: usize, to: usize): void {
  for (let end = to + (<usize>width << 2); to < end; to += 64) {
    const weight = f32x4.div(f32x4.splat(1), v128.load(weights))
    const a = f32x4.mul(v128.load(sums), weight)
    const b = f32x4.mul(v128.load(sums + phaseBytes), weight)
    const c = f32x4.mul(v128.load(sums + 2 * phaseBytes), weight)
    const d = f32x4.mul(v128.load(sums + 3 * phaseBytes), weight)
    const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5)
    const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5)
    const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7)
    const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7)
    v128.store(to, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5))
    v128.store(to, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7), 16)
    v128.store(to, v128.shuffle<f32>(abHigh, cdHigh, 0, 1, 4, 5), 32)
    v128.store(to, v128.shuffle<f32>(abHigh, cdHigh, 2, 3, 6, 7), 48)
    sums += 16
    weights += 16
  }
}

/**
 * The last eight floats of a row, which a block beside the regular ones covers as well.
 * @param end its eight sums, a vector apart @param endWeight its weight
 */
export function takeEnd(sums: usize, weights: usize, width: i32, distance: i32, phaseBytes: usize, end: usize, endWeight: f32, to: usize): void {
  for (let i: i32 = 0; i < <i32>SIDE; i++) {
    const x = width - <i32>SIDE + i
    const place = <usize>(x / distance) << 2
    const sum = load<f32>(sums + <usize>(x % distance) * phaseBytes + place) + load<f32>(end + (<usize>i << 4))
    store<f32>(to + (<usize>x << 2), sum / (load<f32>(weights + place) + endWeight))
  }
}
