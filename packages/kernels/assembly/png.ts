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

/**
 * Turns filtered rows, each behind the number of its filter, back into samples.
 * @param pixel 3 or 4 bytes
 * @param to of the first row; the row above it lies `stride` bytes before, and each row has room for four more bytes than its samples
 * @returns 0 if a filter is unknown
 */
export function unfilter(from: usize, rows: i32, length: i32, pixel: i32, to: usize, stride: i32): i32 {
  const step = <usize>length + 1
  let y = 0
  while (y < rows) {
    const type: i32 = load<u8>(from)
    if (type > PAETH) return 0
    const next: i32 = y + 1 < rows ? load<u8>(from + step) : NONE
    if (isSerial(type) && isSerial(next)) {
      unfilterTwo(type, next, from + 1, from + 1 + step, to - stride, length, pixel, to, to + stride)
      y += 2
      from += 2 * step
      to += 2 * <usize>stride
    } else {
      if (type == NONE) memory.copy(to, from + 1, length)
      else if (type == UP) addRow(from + 1, to - stride, length, to)
      else if (type == SUB) unfilterOne(SUB, from + 1, to - stride, length, pixel, to)
      else if (type == AVERAGE) unfilterOne(AVERAGE, from + 1, to - stride, length, pixel, to)
      else unfilterOne(PAETH, from + 1, to - stride, length, pixel, to)
      y++
      from += step
      to += stride
    }
  }
  return 1
}

/** Whether a pixel depends on the one to its left. */
// @ts-ignore
@inline
function isSerial(type: i32): bool {
  return type == SUB || type == AVERAGE || type == PAETH
}

function addRow(from: usize, above: usize, length: i32, to: usize): void {
  let at: i32 = 0
  for (; at + 16 <= length; at += 16) v128.store(to + at, i8x16.add(v128.load(from + at), v128.load(above + at)))
  for (; at < length; at++) store<u8>(to + at, load<u8>(from + at) + load<u8>(above + at))
}

/** The samples of a pixel, in lanes of 16 bits. */
// @ts-ignore
@inline
function lanes(at: usize): v128 {
  return i16x8.extend_low_i8x16_u(v128.load32_zero(at))
}

// @ts-ignore
@inline
function guess(type: i32, left: v128, up: v128, corner: v128): v128 {
  if (type == SUB) return left
  if (type == AVERAGE) return i16x8.shr_u(i16x8.add(left, up), 1)
  const down = i16x8.sub(up, corner)
  const across = i16x8.sub(left, corner)
  const toLeft = i16x8.abs(down)
  const toUp = i16x8.abs(across)
  const least = i16x8.min_s(i16x8.min_s(toLeft, toUp), i16x8.abs(i16x8.add(down, across)))
  return v128.bitselect(left, v128.bitselect(up, corner, i16x8.eq(toUp, least)), i16x8.eq(toLeft, least))
}

/** A pixel from its difference. */
// @ts-ignore
@inline
function restore(difference: usize, expected: v128, to: usize): v128 {
  const sum = v128.and(i16x8.add(lanes(difference), expected), i16x8.splat(255))
  v128.store_lane<i32>(to, i8x16.narrow_i16x8_u(sum, sum), 0)
  return sum
}

// @ts-ignore
@inline
function unfilterOne(type: i32, from: usize, above: usize, length: i32, pixel: i32, to: usize): void {
  let left = i32x4.splat(0)
  let corner = i32x4.splat(0)
  for (let at: i32 = 0; at < length; at += pixel) {
    const up = lanes(above + at)
    left = restore(from + at, guess(type, left, up, corner), to + at)
    corner = up
  }
}

/** Each pixel waits for the one to its left: two rows, the lower one a pixel behind, keep the processor busy. */
function unfilterTwo(upper: i32, lower: i32, from: usize, fromLower: usize, above: usize, length: i32, pixel: i32, to: usize, toLower: usize): void {
  if (upper == SUB) {
    if (lower == SUB) unfilterPair(SUB, SUB, from, fromLower, above, length, pixel, to, toLower)
    else if (lower == AVERAGE) unfilterPair(SUB, AVERAGE, from, fromLower, above, length, pixel, to, toLower)
    else unfilterPair(SUB, PAETH, from, fromLower, above, length, pixel, to, toLower)
  } else if (upper == AVERAGE) {
    if (lower == SUB) unfilterPair(AVERAGE, SUB, from, fromLower, above, length, pixel, to, toLower)
    else if (lower == AVERAGE) unfilterPair(AVERAGE, AVERAGE, from, fromLower, above, length, pixel, to, toLower)
    else unfilterPair(AVERAGE, PAETH, from, fromLower, above, length, pixel, to, toLower)
  } else {
    if (lower == SUB) unfilterPair(PAETH, SUB, from, fromLower, above, length, pixel, to, toLower)
    else if (lower == AVERAGE) unfilterPair(PAETH, AVERAGE, from, fromLower, above, length, pixel, to, toLower)
    else unfilterPair(PAETH, PAETH, from, fromLower, above, length, pixel, to, toLower)
  }
}

// @ts-ignore
@inline
function unfilterPair(upper: i32, lower: i32, from: usize, fromLower: usize, above: usize, length: i32, pixel: i32, to: usize, toLower: usize): void {
  let corner = lanes(above)
  let left = restore(from, guess(upper, i32x4.splat(0), corner, i32x4.splat(0)), to)
  let lowerLeft = i32x4.splat(0)
  let lowerCorner = i32x4.splat(0)
  for (let at: i32 = pixel; at < length; at += pixel) {
    const up = lanes(above + at)
    const next = restore(from + at, guess(upper, left, up, corner), to + at)
    lowerLeft = restore(fromLower + at - pixel, guess(lower, lowerLeft, left, lowerCorner), toLower + at - pixel)
    lowerCorner = left
    left = next
    corner = up
  }
  restore(fromLower + length - pixel, guess(lower, lowerLeft, left, lowerCorner), toLower + length - pixel)
}
