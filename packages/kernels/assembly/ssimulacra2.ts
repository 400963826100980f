// SSIMULACRA2, row by row: linear light, cones' responses, blurs, and the three maps of errors summed.
// Rows are of floats. A row that is blurred has PAD bytes of zeros on both sides, and room up to the next vector.

const T0: f32 = 0.2646211054881986
const T1: f32 = 0.2129285920104222
const T2: f32 = 0.10933537277746029
const T3: f32 = 0.03601111465836435
const T4: f32 = 0.009414367809653717
/** Rows of a ring, and taps of the blur. */
const TAPS: i32 = 9
const PAD: usize = 16

/**
 * A row of 8-bit pixels, channels interleaved, to linear red, green and blue; of grey, to red alone. One float more repeats the last one.
 * @param light of 256 samples, and the last one again
 * @param background the sample on which pixels with alpha lie
 */
export function lightRow(from: usize, width: i32, channels: i32, light: usize, background: f32, red: usize, green: usize, blue: usize): void {
  const end = <usize>width << 2
  const colours = channels < 3 ? 1 : 3
  let pixel = from
  if (channels == 3) {
    for (let at: usize = 0; at < end; at += 4) {
      store<f32>(red + at, load<f32>(light + (<usize>load<u8>(pixel) << 2)))
      store<f32>(green + at, load<f32>(light + (<usize>load<u8>(pixel, 1) << 2)))
      store<f32>(blue + at, load<f32>(light + (<usize>load<u8>(pixel, 2) << 2)))
      pixel += 3
    }
  } else if (channels == 1) {
    for (let at: usize = 0; at < end; at += 4) store<f32>(red + at, load<f32>(light + (<usize>load<u8>(pixel++) << 2)))
  } else {
    for (let at: usize = 0; at < end; at += 4) {
      const opacity = <f32>load<u8>(pixel + <usize>colours) * (1.0 / 255.0)
      const behind = background * (1 - opacity)
      store<f32>(red + at, lightOf(<f32>load<u8>(pixel) * opacity + behind, light))
      if (colours == 3) {
        store<f32>(green + at, lightOf(<f32>load<u8>(pixel, 1) * opacity + behind, light))
        store<f32>(blue + at, lightOf(<f32>load<u8>(pixel, 2) * opacity + behind, light))
      }
      pixel += channels
    }
  }
  store<f32>(red + end, load<f32>(red + end - 4))
  if (colours == 1) return
  store<f32>(green + end, load<f32>(green + end - 4))
  store<f32>(blue + end, load<f32>(blue + end - 4))
}

/** Between two whole samples the curve is straight within 5 in a million. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function lightOf(sample: f32, light: usize): f32 {
  const whole = <i32>sample
  const below = load<f32>(light + (<usize>whole << 2))
  return below + (load<f32>(light + (<usize>whole << 2), 4) - below) * (sample - <f32>whole)
}

/** Means of 2 × 2: two rows to one of `width` floats, half as many. One float more repeats the last one. */
export function halveRow(upper: usize, lower: usize, width: i32, to: usize): void {
  const quarter = f32x4.splat(0.25)
  for (let at: usize = 0, end = <usize>width << 2; at < end; at += 16) {
    const left = f32x4.add(v128.load(upper + 2 * at), v128.load(lower + 2 * at))
    const right = f32x4.add(v128.load(upper + 2 * at, 16), v128.load(lower + 2 * at, 16))
    const sum = f32x4.add(v128.shuffle<f32>(left, right, 0, 2, 4, 6), v128.shuffle<f32>(left, right, 1, 3, 5, 7))
    v128.store(to + at, f32x4.mul(sum, quarter))
  }
  const end = to + (<usize>width << 2)
  store<f32>(end, load<f32>(end - 4))
}

/** libjxl's opsin absorbance: how much of red, green and blue each kind of cone takes up, and a bias. */
const BIAS: f32 = 0.0037930732552754493
const ROOT_OF_BIAS: f32 = 0.15595420054924863

/**
 * X (red against green), Y (luminance) and B (blue against Y), each moved into 0 to 1 as the reference does. Rows get zeros behind them.
 * @param x 0 where X is not needed; so are `y` and `b`
 */
export function opsinRow(red: usize, green: usize, blue: usize, width: i32, x: usize, y: usize, b: usize): void {
  const end = <usize>width << 2
  const half = f32x4.splat(0.5)
  for (let at: usize = 0; at < end; at += 16) {
    const r = v128.load(red + at)
    const g = v128.load(green + at)
    const bl = v128.load(blue + at)
    const base = f32x4.add(f32x4.mul(bl, f32x4.splat(0.078)), f32x4.splat(BIAS))
    const long = cubeRoot(f32x4.add(base, weigh(r, g, 0.3, 0.622)))
    const middle = cubeRoot(f32x4.add(base, weigh(r, g, 0.23, 0.692)))
    const brightness = f32x4.sub(f32x4.mul(f32x4.add(long, middle), half), f32x4.splat(ROOT_OF_BIAS))
    if (x) v128.store(x + at, f32x4.add(f32x4.mul(f32x4.sub(long, middle), f32x4.splat(7)), f32x4.splat(0.42)))
    if (y) v128.store(y + at, f32x4.add(brightness, f32x4.splat(0.01)))
    if (b) {
      const shortBase = f32x4.add(f32x4.mul(bl, f32x4.splat(0.5518098665095535)), f32x4.splat(BIAS))
      const short = cubeRoot(f32x4.add(shortBase, weigh(r, g, 0.24342268924547819, 0.20476744424496821)))
      v128.store(b + at, f32x4.add(f32x4.sub(short, brightness), f32x4.splat(<f32>0.55 - ROOT_OF_BIAS)))
    }
  }
  endRow(x, end)
  endRow(y, end)
  endRow(b, end)
}

// @ts-ignore
@inline
function endRow(row: usize, bytes: usize): void {
  if (row) v128.store(row + bytes, f32x4.splat(0))
}

// @ts-ignore
@inline
function weigh(r: v128, g: v128, red: f32, green: f32): v128 {
  return f32x4.add(f32x4.mul(r, f32x4.splat(red)), f32x4.mul(g, f32x4.splat(green)))
}

/**
 * Of numbers from BIAS on, within 1 in 100,000: 1 / ∛x by a guess from the exponent, whose error is a thirtieth, and a step of fourth order.
 */
// @ts-ignore
@inline
function cubeRoot(x: v128): v128 {
  // A third of the bits, in the lowest bits of a float that is large enough, as a conversion back would take six instructions.
  const third = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(i32x4.shr_s(x, 8)), f32x4.splat(1.0 / 3.0)), f32x4.splat(12582912))
  const guess = i32x4.sub(i32x4.splat(0x54a21d2a + 0x40000000), i32x4.shl(third, 8))
  const square = f32x4.mul(guess, guess)
  const error = f32x4.sub(f32x4.splat(1), f32x4.mul(f32x4.mul(square, guess), x))
  const curve = f32x4.add(f32x4.splat(2.0 / 9.0), f32x4.mul(error, f32x4.splat(14.0 / 81.0)))
  const correction = f32x4.add(f32x4.splat(1.0 / 3.0), f32x4.mul(error, curve))
  const inverse = f32x4.add(guess, f32x4.mul(f32x4.mul(guess, error), correction))
  return f32x4.mul(x, f32x4.mul(inverse, inverse))
}

/** Squares of a row, with zeros behind them. */
export function squareRow(from: usize, width: i32, to: usize): void {
  const end = <usize>width << 2
  for (let at: usize = 0; at < end; at += 16) {
    const value = v128.load(from + at)
    v128.store(to + at, f32x4.mul(value, value))
  }
  endRow(to, end)
}

/** Squares of the differences of two rows, with zeros behind them. */
export function squaredDifferences(one: usize, other: usize, width: i32, to: usize): void {
  const end = <usize>width << 2
  for (let at: usize = 0; at < end; at += 16) {
    const difference = f32x4.sub(v128.load(one + at), v128.load(other + at))
    v128.store(to + at, f32x4.mul(difference, difference))
  }
  endRow(to, end)
}

/** libjxl's recursive Gaussian with σ 1.5 has exactly these nine taps (from its equations 33 to 56). */
export function blurRow(from: usize, width: i32, to: usize): void {
  for (let at = from - PAD, end = at + (<usize>width << 2), result = to; at < end; at += 16, result += 16) {
    const sum = f32x4.mul(f32x4.splat(T0), v128.load(at, 16))
    const near = f32x4.mul(f32x4.splat(T1), f32x4.add(v128.load(at, 12), v128.load(at, 20)))
    const second = f32x4.mul(f32x4.splat(T2), f32x4.add(v128.load(at, 8), v128.load(at, 24)))
    const third = f32x4.mul(f32x4.splat(T3), f32x4.add(v128.load(at, 4), v128.load(at, 28)))
    const far = f32x4.mul(f32x4.splat(T4), f32x4.add(v128.load(at), v128.load(at, 32)))
    v128.store(result, f32x4.add(f32x4.add(f32x4.add(sum, near), second), f32x4.add(third, far)))
  }
}

/** The address of a row of a ring; `above` the newest one. */
// @ts-ignore
@inline
function ringRow(ring: usize, stride: usize, newest: i32, above: i32): usize {
  return ring + <usize>((newest + TAPS - above) % TAPS) * stride
}

// @ts-ignore
@inline
function blurredAt(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize, h: usize, i: usize): v128 {
  const sum = f32x4.mul(f32x4.splat(T0), v128.load(e))
  const near = f32x4.mul(f32x4.splat(T1), f32x4.add(v128.load(d), v128.load(f)))
  const second = f32x4.mul(f32x4.splat(T2), f32x4.add(v128.load(c), v128.load(g)))
  const third = f32x4.mul(f32x4.splat(T3), f32x4.add(v128.load(b), v128.load(h)))
  const far = f32x4.mul(f32x4.splat(T4), f32x4.add(v128.load(a), v128.load(i)))
  return f32x4.add(f32x4.add(f32x4.add(sum, near), second), f32x4.add(third, far))
}

/**
 * The middle of nine rows, blurred.
 * @param newest the place of the lowest row in the ring
 * @param gains by column, 0 beyond the last one
 */
export function blurColumns(ring: usize, stride: usize, newest: i32, gains: usize, gain: f32, width: i32, to: usize): void {
  const a = ringRow(ring, stride, newest, 8)
  const b = ringRow(ring, stride, newest, 7)
  const c = ringRow(ring, stride, newest, 6)
  const d = ringRow(ring, stride, newest, 5)
  const e = ringRow(ring, stride, newest, 4)
  const f = ringRow(ring, stride, newest, 3)
  const g = ringRow(ring, stride, newest, 2)
  const h = ringRow(ring, stride, newest, 1)
  const i = ringRow(ring, stride, newest, 0)
  for (let at: usize = 0, end = <usize>width << 2; at < end; at += 16) {
    const scale = f32x4.mul(v128.load(gains + at), f32x4.splat(gain))
    const blurSum = blurredAt(a + at, b + at, c + at, d + at, e + at, f + at, g + at, h + at, i + at)
    v128.store(to + at, f32x4.mul(blurSum, scale))
  }
}

/** Keeps a quotient of two variances finite, as in SSIM. */
const C2: f32 = 0.0009

/**
 * Adds what a row of a picture differs in: its structure, edges that are new (ringing), and edges that are lost (blur).
 * @param original a row, its blur, and its blurred squares, each `stride` bytes long; all three 0 beyond the width
 * @param encoded the row of the picture
 * @param blurs the picture's blurred row, its blurred squares, and blurred squares of its differences from the original
 * @param sums six doubles: of the three maps, and of their fourth powers
 */
export function addErrors(original: usize, stride: usize, encodedPlane: usize, blurs: usize, width: i32, sums: usize): void {
  let structures = f32x4.splat(0)
  let ringings = f32x4.splat(0)
  let blurrings = f32x4.splat(0)
  let structures4 = f32x4.splat(0)
  let ringings4 = f32x4.splat(0)
  let blurrings4 = f32x4.splat(0)
  const one = f32x4.splat(1)
  const zero = f32x4.splat(0)
  for (let at: usize = 0, end = <usize>width << 2; at < end; at += 16) {
    const value = v128.load(original + at)
    const mean = v128.load(original + stride + at)
    const encodedMean = v128.load(blurs + at)
    const difference = f32x4.sub(mean, encodedMean)
    const squaredDifference = f32x4.mul(difference, difference)
    const variance = f32x4.sub(v128.load(original + 2 * stride + at), f32x4.mul(mean, mean))
    const encodedVariance = f32x4.sub(v128.load(blurs + stride + at), f32x4.mul(encodedMean, encodedMean))
    const variances = f32x4.add(f32x4.add(variance, encodedVariance), f32x4.splat(C2))
    // Twice the covariance is the sum of the variances less the variance of the differences, which is exact where they are small.
    const share = f32x4.div(f32x4.sub(v128.load(blurs + 2 * stride + at), squaredDifference), variances)
    const structure = f32x4.max(zero, f32x4.add(squaredDifference, f32x4.mul(f32x4.sub(one, squaredDifference), share)))
    structures = f32x4.add(structures, structure)
    structures4 = f32x4.add(structures4, fourthPower(structure))
    const edge = f32x4.abs(f32x4.sub(value, mean))
    const encodedEdge = f32x4.abs(f32x4.sub(v128.load(encodedPlane + at), encodedMean))
    const change = f32x4.div(f32x4.sub(encodedEdge, edge), f32x4.add(one, edge))
    const ringing = f32x4.max(zero, change)
    ringings = f32x4.add(ringings, ringing)
    ringings4 = f32x4.add(ringings4, fourthPower(ringing))
    const blurring = f32x4.max(zero, f32x4.neg(change))
    blurrings = f32x4.add(blurrings, blurring)
    blurrings4 = f32x4.add(blurrings4, fourthPower(blurring))
  }
  addTo(sums, structures)
  addTo(sums + 8, ringings)
  addTo(sums + 16, blurrings)
  addTo(sums + 24, structures4)
  addTo(sums + 32, ringings4)
  addTo(sums + 40, blurrings4)
}

// @ts-ignore
@inline
function fourthPower(value: v128): v128 {
  const square = f32x4.mul(value, value)
  return f32x4.mul(square, square)
}

// @ts-ignore
@inline
function addTo(sum: usize, values: v128): void {
  const halves = f32x4.add(values, v128.shuffle<f32>(values, values, 2, 3, 0, 1))
  store<f64>(sum, load<f64>(sum) + <f64>f32x4.extract_lane(halves, 0) + <f64>f32x4.extract_lane(halves, 1))
}
