// Separable resampling of rows, in planes: one row of a picture has its channels one after another, each `stride` bytes long.
// Light is 14 bits wide (ONE), so that what a lobe overshoots still fits into 16 signed bits, and weights are 14 bits wide.

const ONE: i32 = 16384
const HALF: i32 = 8192

/** Rows of 8-bit pixels, channels interleaved, to planes of light. With alpha, colours are multiplied by it. */
export function spread8(from: usize, width: i32, channels: i32, light: usize, planes: usize, stride: usize): void {
  if (channels == 3) spread8Colours(from, width, light, planes, planes + stride, planes + 2 * stride)
  else if (channels == 4) spread8Alpha(from, width, light, planes, stride)
  else if (channels == 1) for (let x = 0; x < width; x++) store<i16>(planes + (<usize>x << 1), load<i16>(light + (<usize>load<u8>(from + x) << 1)))
  else spread8GreyAlpha(from, width, light, planes, planes + stride)
}

function spread8Colours(from: usize, width: i32, light: usize, r: usize, g: usize, b: usize): void {
  let pixel = from
  let at: usize = 0
  for (let x = 0; x < width; x++) {
    store<i16>(r + at, load<i16>(light + (<usize>load<u8>(pixel) << 1)))
    store<i16>(g + at, load<i16>(light + (<usize>load<u8>(pixel, 1) << 1)))
    store<i16>(b + at, load<i16>(light + (<usize>load<u8>(pixel, 2) << 1)))
    pixel += 3
    at += 2
  }
}

function spread8Alpha(from: usize, width: i32, light: usize, planes: usize, stride: usize): void {
  let pixel = from
  let to = planes
  for (let x = 0; x < width; x++) {
    const alpha = opacity(load<u8>(pixel, 3))
    store<i16>(to, product(load<i16>(light + (<usize>load<u8>(pixel) << 1)), alpha))
    store<i16>(to + stride, product(load<i16>(light + (<usize>load<u8>(pixel, 1) << 1)), alpha))
    store<i16>(to + 2 * stride, product(load<i16>(light + (<usize>load<u8>(pixel, 2) << 1)), alpha))
    store<i16>(to + 3 * stride, <i16>alpha)
    pixel += 4
    to += 2
  }
}

function spread8GreyAlpha(from: usize, width: i32, light: usize, grey: usize, alphas: usize): void {
  for (let x: usize = 0; x < <usize>width; x++) {
    const alpha = opacity(load<u8>(from + 2 * x, 1))
    store<i16>(grey + 2 * x, product(load<i16>(light + (<usize>load<u8>(from + 2 * x) << 1)), alpha))
    store<i16>(alphas + 2 * x, <i16>alpha)
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function opacity(alpha: i32): i32 {
  return (alpha * ONE + 127) / 255
}

// @ts-ignore
@inline
function product(colour: i32, alpha: i32): i16 {
  return <i16>((colour * alpha + HALF) >> 14)
}

/**
 * Planes of a row to planes of a row of the result's width.
 * @param starts by pixel of the result, the first sample that it depends on
 * @param weights by pixel of the result, `taps` of them, a multiple of 8
 */
export function across16(planes: usize, stride: usize, channels: i32, starts: usize, weights: usize, taps: i32, width: i32, to: usize, toStride: usize): void {
  if (channels == 3) return acrossThree(planes, stride, starts, weights, taps, width, to, toStride)
  for (let channel = 0; channel < channels; channel++) acrossOne(planes + <usize>channel * stride, starts, weights, taps, width, to + <usize>channel * toStride)
}

function acrossOne(plane: usize, starts: usize, weights: usize, taps: i32, width: i32, to: usize): void {
  let weight = weights
  for (let x: usize = 0; x < <usize>width; x++) {
    let sample = plane + (<usize>load<i32>(starts + (x << 2)) << 1)
    let sum = i32x4.splat(0)
    for (let tap = 0; tap < taps; tap += 8) {
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(sample), v128.load(weight)))
      sample += 16
      weight += 16
    }
    sum = i32x4.add(sum, v128.shuffle<i32>(sum, sum, 2, 3, 0, 1))
    store<i16>(to + (x << 1), narrow(i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1)))
  }
}

/** Three planes share the loads of weights, and their last sums. */
function acrossThree(planes: usize, stride: usize, starts: usize, weights: usize, taps: i32, width: i32, to: usize, toStride: usize): void {
  let weight = weights
  for (let x: usize = 0; x < <usize>width; x++) {
    let sample = planes + (<usize>load<i32>(starts + (x << 2)) << 1)
    let red = i32x4.splat(0)
    let green = i32x4.splat(0)
    let blue = i32x4.splat(0)
    for (let tap = 0; tap < taps; tap += 8) {
      const w = v128.load(weight)
      red = i32x4.add(red, i32x4.dot_i16x8_s(v128.load(sample), w))
      green = i32x4.add(green, i32x4.dot_i16x8_s(v128.load(sample + stride), w))
      blue = i32x4.add(blue, i32x4.dot_i16x8_s(v128.load(sample + 2 * stride), w))
      sample += 16
      weight += 16
    }
    // Lanes 0 and 1 are halves of red, 2 and 3 of green.
    const redGreen = i32x4.add(v128.shuffle<i32>(red, green, 0, 1, 4, 5), v128.shuffle<i32>(red, green, 2, 3, 6, 7))
    const blues = i32x4.add(blue, v128.shuffle<i32>(blue, blue, 2, 3, 0, 1))
    const sums = i32x4.add(v128.shuffle<i32>(redGreen, blues, 0, 2, 4, 4), v128.shuffle<i32>(redGreen, blues, 1, 3, 5, 5))
    const result = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(sums, i32x4.splat(HALF)), 14), i32x4.splat(0))
    const at = to + (x << 1)
    v128.store_lane<i16>(at, result, 0)
    v128.store_lane<i16>(at + toStride, result, 1)
    v128.store_lane<i16>(at + 2 * toStride, result, 2)
  }
}

// @ts-ignore
@inline
function narrow(sum: i32): i16 {
  const value = (sum + HALF) >> 14
  return <i16>(value < -32768 ? -32768 : value > 32767 ? 32767 : value)
}

/**
 * Rows above one another to one row: `count` rows, an even number, at the addresses in `rows`.
 * @param length of a row with all its planes, in samples; rows have room up to the next multiple of 8
 */
export function down16(rows: usize, weights: usize, count: i32, length: i32, to: usize): void {
  for (let at: usize = 0; at < <usize>length << 1; at += 16) {
    let low = i32x4.splat(HALF)
    let high = i32x4.splat(HALF)
    for (let row = 0; row < count; row += 2) {
      const upper = v128.load(<usize>load<u32>(rows + (<usize>row << 2)) + at)
      const lower = v128.load(<usize>load<u32>(rows + (<usize>row << 2), 4) + at)
      const weight = v128.load32_splat(weights + (<usize>row << 1))
      low = i32x4.add(low, i32x4.dot_i16x8_s(v128.shuffle<i16>(upper, lower, 0, 8, 1, 9, 2, 10, 3, 11), weight))
      high = i32x4.add(high, i32x4.dot_i16x8_s(v128.shuffle<i16>(upper, lower, 4, 12, 5, 13, 6, 14, 7, 15), weight))
    }
    v128.store(to + at, i16x8.narrow_i32x4_s(i32x4.shr_s(low, 14), i32x4.shr_s(high, 14)))
  }
}

/** Planes of light to a row of 8-bit pixels. With alpha, colours are divided by it. */
export function gather8(planes: usize, stride: usize, width: i32, channels: i32, samples: usize, to: usize): void {
  if (channels == 2 || channels == 4) return gather8Alpha(planes, stride, width, channels, samples, to)
  for (let channel = 0; channel < channels; channel++) {
    let pixel = to + channel
    for (let at = planes + <usize>channel * stride, end = at + (<usize>width << 1); at < end; at += 2) {
      store<u8>(pixel, load<u8>(samples + <usize>within(load<i16>(at))))
      pixel += channels
    }
  }
}

function gather8Alpha(planes: usize, stride: usize, width: i32, channels: i32, samples: usize, to: usize): void {
  const colours = channels - 1
  const alphas = planes + <usize>colours * stride
  let pixel = to
  for (let at: usize = 0; at < <usize>width << 1; at += 2) {
    // Not clamped: where a lobe makes alpha more than 1, it makes the colour as much brighter.
    const alpha: i32 = load<i16>(alphas + at)
    const factor: f32 = alpha > 0 ? <f32>ONE / <f32>alpha : 0
    for (let channel = 0; channel < colours; channel++) {
      const colour = <f32>load<i16>(planes + <usize>channel * stride + at) * factor
      store<u8>(pixel + channel, load<u8>(samples + <usize>within(<i32>min<f32>(max<f32>(colour + 0.5, 0), 32767))))
    }
    store<u8>(pixel + colours, <u8>((within(alpha) * 255 + HALF) >> 14))
    pixel += channels
  }
}

// @ts-ignore
@inline
function within(light: i32): i32 {
  return light < 0 ? 0 : light > ONE ? ONE : light
}

// 16 bits a channel: the same in floats, with light from 0 to 1.

/** @param light a float for each of 65,536 samples */
export function spread16(from: usize, width: i32, channels: i32, light: usize, planes: usize, stride: usize): void {
  const hasAlpha = channels == 2 || channels == 4
  const colours = hasAlpha ? channels - 1 : channels
  let pixel = from
  for (let at = planes, end = planes + (<usize>width << 2); at < end; at += 4) {
    const alpha: f32 = hasAlpha ? <f32>load<u16>(pixel + (<usize>colours << 1)) / 65535 : 1
    for (let channel = 0; channel < colours; channel++)
      store<f32>(at + <usize>channel * stride, load<f32>(light + (<usize>load<u16>(pixel + (<usize>channel << 1)) << 2)) * alpha)
    if (hasAlpha) store<f32>(at + <usize>colours * stride, alpha)
    pixel += <usize>channels << 1
  }
}

/** @param taps a multiple of 4 */
export function acrossFloat(planes: usize, stride: usize, channels: i32, starts: usize, weights: usize, taps: i32, width: i32, to: usize, toStride: usize): void {
  for (let channel = 0; channel < channels; channel++) {
    const plane = planes + <usize>channel * stride
    let weight = weights
    for (let x: usize = 0; x < <usize>width; x++) {
      let sample = plane + (<usize>load<i32>(starts + (x << 2)) << 2)
      let sum = f32x4.splat(0)
      for (let tap = 0; tap < taps; tap += 4) {
        sum = f32x4.add(sum, f32x4.mul(v128.load(sample), v128.load(weight)))
        sample += 16
        weight += 16
      }
      sum = f32x4.add(sum, v128.shuffle<i32>(sum, sum, 2, 3, 0, 1))
      store<f32>(to + <usize>channel * toStride + (x << 2), f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1))
    }
  }
}

export function downFloat(rows: usize, weights: usize, count: i32, length: i32, to: usize): void {
  for (let at: usize = 0; at < <usize>length << 2; at += 16) {
    let sum = f32x4.splat(0)
    for (let row: usize = 0; row < <usize>count; row++)
      sum = f32x4.add(sum, f32x4.mul(v128.load(<usize>load<u32>(rows + (row << 2)) + at), v128.load32_splat(weights + (row << 2))))
    v128.store(to + at, sum)
  }
}

/** Bits of a float below those that number the steps of its curve: 256 steps from one power of two to the next. */
const STEP_BITS: u32 = 15
/** The first float that has a step, a ninth of a power of two below 1: what is darker lies on the curve's straight part. */
const FIRST_STEP: f32 = 0.001953125

/**
 * @param samples 16-bit samples as floats, at the beginnings of steps from FIRST_STEP to 1 and beyond the last one
 * @param slope of the part below FIRST_STEP
 */
export function gather16(planes: usize, stride: usize, width: i32, channels: i32, samples: usize, slope: f32, to: usize): void {
  const hasAlpha = channels == 2 || channels == 4
  const colours = hasAlpha ? channels - 1 : channels
  let pixel = to
  for (let at = planes, end = planes + (<usize>width << 2); at < end; at += 4) {
    const alpha: f32 = hasAlpha ? load<f32>(at + <usize>colours * stride) : 1
    const factor: f32 = alpha > 0 ? 1 / alpha : 0
    for (let channel = 0; channel < colours; channel++)
      store<u16>(pixel + (<usize>channel << 1), sample16(load<f32>(at + <usize>channel * stride) * factor, samples, slope))
    if (hasAlpha) store<u16>(pixel + (<usize>colours << 1), <u16>(min<f32>(max<f32>(alpha, 0), 1) * 65535 + 0.5))
    pixel += <usize>channels << 1
  }
}

// @ts-ignore
@inline
function sample16(light: f32, samples: usize, slope: f32): u16 {
  if (light < FIRST_STEP) return <u16>(max<f32>(light, 0) * slope + 0.5)
  if (light >= 1) return 65535
  const bits = reinterpret<u32>(light)
  const step = (bits >> STEP_BITS) - (reinterpret<u32>(FIRST_STEP) >> STEP_BITS)
  const within = <f32>(bits & ((1 << STEP_BITS) - 1)) * (1.0 / 32768.0)
  const below = load<f32>(samples + (<usize>step << 2))
  const above = load<f32>(samples + (<usize>step << 2), 4)
  return <u16>(below + within * (above - below) + 0.5)
}
