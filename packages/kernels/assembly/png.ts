// Filters of PNG (third edition, clause 9). A row of samples is `length` bytes long; the 16 bytes before it are 0, and the 15 behind it
// may be anything. `pixel` is the number of bytes of a whole pixel, from 1 to 8.

const NONE: i32 = 0
const SUB: i32 = 1
const UP: i32 = 2
const AVERAGE: i32 = 3
const PAETH: i32 = 4

/**
 * Chooses the filter whose differences have the least sum, as libpng does, and writes the filtered row behind the number of the filter.
 */
export function filterRow(row: usize, above: usize, length: i32, pixel: i32, to: usize): void {
  const type = leastFilter(row, above, length, pixel)
  store<u8>(to, <u8>type)
  filterAs(type, row, above, length, pixel, to + 1)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function average(left: v128, up: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(left, up), v128.and(v128.xor(left, up), i8x16.splat(1)))
}

// @ts-ignore
@inline
function distance(one: v128, other: v128): v128 {
  return v128.or(i8x16.sub_sat_u(one, other), i8x16.sub_sat_u(other, one))
}

// @ts-ignore
@inline
function paeth(left: v128, up: v128, corner: v128): v128 {
  const toLeft = distance(up, corner)
  const toUp = distance(left, corner)
  // Both differences add up where they have the same sign, else they cancel each other.
  const isSame = i8x16.eq(i8x16.ge_u(up, corner), i8x16.ge_u(left, corner))
  const toCorner = v128.bitselect(i8x16.add_sat_u(toLeft, toUp), distance(toLeft, toUp), isSame)
  const notLeft = v128.bitselect(up, corner, i8x16.le_u(toUp, toCorner))
  return v128.bitselect(left, notLeft, i8x16.le_u(toLeft, i8x16.min_u(toUp, toCorner)))
}

// @ts-ignore
@inline
function sizes(differences: v128): v128 {
  return i16x8.extadd_pairwise_i8x16_u(i8x16.abs(differences))
}

function leastFilter(row: usize, above: usize, length: i32, pixel: i32): i32 {
  let none = i32x4.splat(0)
  let sub = i32x4.splat(0)
  let up = i32x4.splat(0)
  let averages = i32x4.splat(0)
  let paeths = i32x4.splat(0)
  for (let at: i32 = 0; at < length; at += 16) {
    const here = v128.load(row + at)
    const left = v128.load(row + at - pixel)
    const over = v128.load(above + at)
    const corner = v128.load(above + at - pixel)
    const mask = i8x16.lt_u(i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), i8x16.splat(<i8>min(length - at, 16)))
    none = i32x4.add(none, i32x4.extadd_pairwise_i16x8_u(sizes(v128.and(here, mask))))
    sub = i32x4.add(sub, i32x4.extadd_pairwise_i16x8_u(sizes(v128.and(i8x16.sub(here, left), mask))))
    up = i32x4.add(up, i32x4.extadd_pairwise_i16x8_u(sizes(v128.and(i8x16.sub(here, over), mask))))
    averages = i32x4.add(averages, i32x4.extadd_pairwise_i16x8_u(sizes(v128.and(i8x16.sub(here, average(left, over)), mask))))
    paeths = i32x4.add(paeths, i32x4.extadd_pairwise_i16x8_u(sizes(v128.and(i8x16.sub(here, paeth(left, over, corner)), mask))))
  }
  let type = NONE
  let least = total(none)
  let sum = total(sub)
  if (sum < least) {
    least = sum
    type = SUB
  }
  sum = total(up)
  if (sum < least) {
    least = sum
    type = UP
  }
  sum = total(averages)
  if (sum < least) {
    least = sum
    type = AVERAGE
  }
  sum = total(paeths)
  return sum < least ? PAETH : type
}

function total(sums: v128): i32 {
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3)
}

/** Writes a row with the filter of this number. Up to 15 bytes behind it are overwritten. */
function filterAs(type: i32, row: usize, above: usize, length: i32, pixel: i32, to: usize): void {
  if (type == NONE) {
    memory.copy(to, row, length)
    return
  }
  for (let at: i32 = 0; at < length; at += 16) {
    const here = v128.load(row + at)
    const left = v128.load(row + at - pixel)
    const over = v128.load(above + at)
    let guess: v128
    if (type == SUB) guess = left
    else if (type == UP) guess = over
    else if (type == AVERAGE) guess = average(left, over)
    else guess = paeth(left, over, v128.load(above + at - pixel))
    v128.store(to + at, i8x16.sub(here, guess))
  }
}
