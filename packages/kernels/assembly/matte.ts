// Opacity of a large picture from what a small one says, and the small one itself.

/** Adds up the pixels of RGBA between one column and the next. @param columns `count` + 1 of them @param sums four numbers for each box */
export function addBoxes(row: usize, columns: usize, count: i32, sums: usize): void {
  const zero = i32x4.splat(0)
  for (let box = 0; box < count; box++) {
    let at = row + (<usize>load<u32>(columns) << 2)
    const end = row + (<usize>load<u32>(columns, 4) << 2)
    let sum = zero
    while (at < end) {
      // Two pixels a step: 128 steps stay below 65,536.
      const chunkEnd = min<usize>(end, at + 1024)
      let pairs = zero
      for (; at + 8 <= chunkEnd; at += 8) pairs = i16x8.add(pairs, v128.load_ext<u8>(at))
      sum = i32x4.add(sum, i32x4.add(i32x4.extend_low_i16x8_u(pairs), i32x4.extend_high_i16x8_u(pairs)))
      if (at < chunkEnd) {
        sum = i32x4.add(sum, i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at))))
        at += 4
      }
    }
    v128.store(sums, i32x4.add(v128.load(sums), sum))
    columns += 4
    sums += 16
  }
}

/** How many pixels of a row of RGBA have less alpha than that, 0–255. */
export function countBelow(row: usize, width: i32, alpha: i32): i32 {
  let counts = i32x4.splat(0)
  const end = row + (<usize>width << 2)
  const limit = i32x4.splat(alpha)
  for (; row + 16 <= end; row += 16) counts = i32x4.sub(counts, i32x4.lt_s(i32x4.shr_u(v128.load(row), 24), limit))
  let count = i32x4.extract_lane(counts, 0) + i32x4.extract_lane(counts, 1) + i32x4.extract_lane(counts, 2) + i32x4.extract_lane(counts, 3)
  for (; row < end; row += 4) if (<i32>load<u8>(row, 3) < alpha) count++
  return count
}

/** A row between two others. @param length in floats, of rows with room for whole vectors */
export function mixNumbers(upper: usize, lower: usize, share: f32, length: i32, to: usize): void {
  const weight = f32x4.splat(share)
  for (let at: usize = 0; at < <usize>length << 2; at += 16) {
    const value = v128.load(upper + at)
    v128.store(to + at, f32x4.add(value, f32x4.mul(f32x4.sub(v128.load(lower + at), value), weight)))
  }
}

// Numbers of the planes of a row: see src/matte.ts.
const DISTANCE: usize = 0
const MODEL: usize = 1
const SUBJECT: usize = 5
const BACKGROUND: usize = 10

/** Distance from the outline, in pixels of the small picture, within which opacity is computed; beyond, it is 0 or 1. */
const BAND: f32 = 6
/** Up to this distance only colours count; from here to the end of the band, they count less and less. */
const FREE: f32 = 2
/** The range of the guided filter's opacity that is stretched to 0–1, since it never quite reaches its ends. */
const LEAST: f32 = 0.08
const MOST: f32 = 0.92
/**
 * Unmixing is trusted less the smaller the squared distance of subject and background in RGB is relative to noise and to the
 * variance of each. Measured on composites with known alpha: without the variance, textures become half transparent.
 */
const NOISE: f32 = 300
const SPREAD: f32 = 20
/** Below this opacity a pixel shows too little of the subject to compute its colour. */
const FAINT: f32 = 0.3
/** With a smaller share of the nearby pixels, the colour of subject or background is unknown. */
const NONE: f32 = 0.001

/**
 * Sets the opacity of pixels near the outline, and their colours without the background's share.
 * @param pixels RGBA @param runs of pixels between the same two small ones, four numbers each: how many pixels, and where the numbers of
 * the left and of the right one lie, in bytes of a plane's row @param shares by pixel, the weight of the right one
 * @param row a row of each plane, `stride` bytes long
 */
export function matteRuns(pixels: usize, runs: usize, count: i32, shares: usize, row: usize, stride: usize): void {
  for (let end = runs + (<usize>count << 4); runs < end; runs += 16) {
    const left = row + load<u32>(runs, 4)
    const right = row + load<u32>(runs, 8)
    for (let remaining = load<i32>(runs); remaining > 0; remaining -= 4) {
      const result = unmix(v128.load(pixels), left, right, stride, v128.load(shares))
      const step = <usize>min<i32>(remaining, 4) << 2
      if (step == 16) v128.store(pixels, result)
      else {
        v128.store_lane<i32>(pixels, result, 0)
        if (step > 4) v128.store_lane<i32>(pixels + 4, result, 1)
        if (step > 8) v128.store_lane<i32>(pixels + 8, result, 2)
      }
      pixels += step
      shares += step
    }
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function number(left: usize, right: usize, at: usize, share: v128): v128 {
  const value = v128.load32_splat(left + at)
  return f32x4.add(value, f32x4.mul(f32x4.sub(v128.load32_splat(right + at), value), share))
}

// @ts-ignore
@inline
function unit(value: v128): v128 {
  return f32x4.max(f32x4.splat(0), f32x4.min(f32x4.splat(1), value))
}

// @ts-ignore
@inline
function square(value: v128): v128 {
  return f32x4.mul(value, value)
}

// @ts-ignore
@inline
function wholeNumbers(value: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.max(f32x4.splat(0), f32x4.min(f32x4.splat(255), f32x4.add(value, f32x4.splat(0.5)))))
}

function unmix(pixels: v128, left: usize, right: usize, stride: usize, share: v128): v128 {
  const low = i32x4.splat(255)
  const one = f32x4.splat(1)
  const r = f32x4.convert_i32x4_s(v128.and(pixels, low))
  const g = f32x4.convert_i32x4_s(v128.and(i32x4.shr_u(pixels, 8), low))
  const b = f32x4.convert_i32x4_s(v128.and(i32x4.shr_u(pixels, 16), low))
  const before = f32x4.convert_i32x4_s(i32x4.shr_u(pixels, 24))
  const subject = number(left, right, (SUBJECT + 3) * stride, share)
  const background = number(left, right, (BACKGROUND + 3) * stride, share)
  const hasSubject = f32x4.gt(subject, f32x4.splat(NONE))
  const hasBackground = f32x4.gt(background, f32x4.splat(NONE))
  const bySubject = f32x4.div(one, subject)
  const byBackground = f32x4.div(one, background)
  const ownR = f32x4.mul(number(left, right, SUBJECT * stride, share), bySubject)
  const ownG = f32x4.mul(number(left, right, (SUBJECT + 1) * stride, share), bySubject)
  const ownB = f32x4.mul(number(left, right, (SUBJECT + 2) * stride, share), bySubject)
  const behindR = f32x4.mul(number(left, right, BACKGROUND * stride, share), byBackground)
  const behindG = f32x4.mul(number(left, right, (BACKGROUND + 1) * stride, share), byBackground)
  const behindB = f32x4.mul(number(left, right, (BACKGROUND + 2) * stride, share), byBackground)

  // The guided filter's opacity.
  let guidedOpacity = number(left, right, (MODEL + 3) * stride, share)
  guidedOpacity = f32x4.add(guidedOpacity, f32x4.mul(number(left, right, MODEL * stride, share), r))
  guidedOpacity = f32x4.add(guidedOpacity, f32x4.mul(number(left, right, (MODEL + 1) * stride, share), g))
  guidedOpacity = f32x4.add(guidedOpacity, f32x4.mul(number(left, right, (MODEL + 2) * stride, share), b))
  const stretchedOpacity = unit(f32x4.mul(f32x4.sub(guidedOpacity, f32x4.splat(LEAST)), f32x4.splat(1 / (MOST - LEAST))))

  // The position of the colour between those of background and subject, trusted where these are far apart.
  const wayR = f32x4.sub(ownR, behindR)
  const wayG = f32x4.sub(ownG, behindG)
  const wayB = f32x4.sub(ownB, behindB)
  const squares = f32x4.add(f32x4.add(square(wayR), square(wayG)), square(wayB))
  const along = f32x4.add(
    f32x4.add(f32x4.mul(f32x4.sub(r, behindR), wayR), f32x4.mul(f32x4.sub(g, behindG), wayG)), f32x4.mul(f32x4.sub(b, behindB), wayB),
  )
  const own = f32x4.sub(f32x4.mul(number(left, right, (SUBJECT + 4) * stride, share), bySubject), f32x4.add(f32x4.add(square(ownR), square(ownG)), square(ownB)))
  const behind = f32x4.sub(
    f32x4.mul(number(left, right, (BACKGROUND + 4) * stride, share), byBackground), f32x4.add(f32x4.add(square(behindR), square(behindG)), square(behindB)),
  )
  const spread = f32x4.add(f32x4.max(f32x4.splat(0), own), f32x4.max(f32x4.splat(0), behind))
  const trust = f32x4.div(squares, f32x4.add(squares, f32x4.add(f32x4.splat(NOISE), f32x4.mul(f32x4.splat(SPREAD), spread))))
  const mixture = f32x4.add(f32x4.mul(trust, unit(f32x4.div(along, squares))), f32x4.mul(f32x4.sub(one, trust), stretchedOpacity))
  const isKnown = v128.and(v128.and(hasSubject, hasBackground), f32x4.gt(squares, f32x4.splat(0)))
  const free = v128.bitselect(mixture, stretchedOpacity, isKnown)

  // Towards the inside the least opacity rises, towards the outside the greatest falls, so that the band ends without a seam.
  const distance = number(left, right, DISTANCE * stride, share)
  const depth = unit(f32x4.mul(f32x4.sub(f32x4.abs(distance), f32x4.splat(FREE)), f32x4.splat(1 / (BAND - FREE))))
  const isInside = f32x4.gt(distance, f32x4.splat(0))
  const opacity = v128.bitselect(f32x4.max(free, depth), f32x4.min(free, f32x4.sub(one, depth)), isInside)

  const alpha = wholeNumbers(f32x4.mul(opacity, before))
  const isFaint = v128.and(f32x4.lt(opacity, f32x4.splat(FAINT)), hasSubject)
  const isMixed = v128.and(f32x4.lt(opacity, one), hasBackground)
  const hiddenShare = f32x4.sub(one, opacity)
  const byOpacity = f32x4.div(one, opacity)
  const colour = v128.or(
    v128.or(
      channel(v128.and(pixels, low), r, ownR, behindR, hiddenShare, byOpacity, isFaint, isMixed),
      i32x4.shl(channel(v128.and(i32x4.shr_u(pixels, 8), low), g, ownG, behindG, hiddenShare, byOpacity, isFaint, isMixed), 8),
    ),
    i32x4.shl(channel(v128.and(i32x4.shr_u(pixels, 16), low), b, ownB, behindB, hiddenShare, byOpacity, isFaint, isMixed), 16),
  )
  return v128.and(v128.or(colour, i32x4.shl(alpha, 24)), i32x4.ne(alpha, i32x4.splat(0)))
}

// @ts-ignore
@inline
function channel(
  sample: v128, value: v128, own: v128, behind: v128, hiddenShare: v128, byOpacity: v128, isFaint: v128, isMixed: v128,
): v128 {
  const apart = wholeNumbers(f32x4.mul(f32x4.sub(value, f32x4.mul(hiddenShare, behind)), byOpacity))
  return v128.bitselect(i32x4.trunc_sat_f32x4_s(own), v128.bitselect(apart, sample, isMixed), isFaint)
}
