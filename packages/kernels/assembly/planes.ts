// Rows of pixels to rows of floats and back: the planes are sums of red, green and blue.

/** One plane of a row of 8-bit pixels: red · r + green · g + blue · b. Reads up to a vector beyond the row. */
export function plane8(from: usize, width: i32, channels: i32, red: f32, green: f32, blue: f32, to: usize): void {
  if (channels == 3) for (let at = to, end = to + (<usize>width << 2); at < end; at += 16) {
    const pixels = v128.load(from)
    const zero = i32x4.splat(0)
    v128.store(at, mixture(
      v128.shuffle<u8>(pixels, zero, 0, 16, 16, 16, 3, 16, 16, 16, 6, 16, 16, 16, 9, 16, 16, 16),
      v128.shuffle<u8>(pixels, zero, 1, 16, 16, 16, 4, 16, 16, 16, 7, 16, 16, 16, 10, 16, 16, 16),
      v128.shuffle<u8>(pixels, zero, 2, 16, 16, 16, 5, 16, 16, 16, 8, 16, 16, 16, 11, 16, 16, 16),
      red, green, blue,
    ))
    from += 12
  }
  else for (let at = to, end = to + (<usize>width << 2); at < end; at += 16) {
    const pixels = v128.load(from)
    const low = i32x4.splat(255)
    v128.store(at, mixture(v128.and(pixels, low), v128.and(i32x4.shr_u(pixels, 8), low), v128.and(i32x4.shr_u(pixels, 16), low), red, green, blue))
    from += 16
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function mixture(r: v128, g: v128, b: v128, red: f32, green: f32, blue: f32): v128 {
  const warm = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(r), f32x4.splat(red)), f32x4.mul(f32x4.convert_i32x4_s(g), f32x4.splat(green)))
  return f32x4.add(warm, f32x4.mul(f32x4.convert_i32x4_s(b), f32x4.splat(blue)))
}

/** The same of 16-bit pixels; the factors bring samples to the range of 8 bits. */
export function plane16(from: usize, width: i32, channels: i32, red: f32, green: f32, blue: f32, to: usize): void {
  for (let at = to, end = to + (<usize>width << 2); at < end; at += 4) {
    store<f32>(at, <f32>load<u16>(from) * red + <f32>load<u16>(from, 2) * green + <f32>load<u16>(from, 4) * blue)
    from += <usize>channels << 1
  }
}

/** Every fourth byte, alpha of 8-bit RGBA. Reads whole vectors. */
export function opacity8(from: usize, width: i32, to: usize): void {
  for (let at = to, end = to + (<usize>width << 2); at < end; at += 16) {
    v128.store(at, f32x4.convert_i32x4_s(i32x4.shr_u(v128.load(from), 24)))
    from += 16
  }
}

export function opacity16(from: usize, width: i32, to: usize): void {
  for (let at = to, end = to + (<usize>width << 2); at < end; at += 4) {
    store<f32>(at, <f32>load<u16>(from, 6) / 257)
    from += 8
  }
}

const THIRD: f32 = 0.5773502691896258
const HALF: f32 = 0.7071067811865476
const SIXTH: f32 = 0.4082482904638631

/**
 * Planes of brightness and of two colours (orthonormal sums of red, green and blue) to a row of 8-bit pixels, rounded and clamped.
 * What is fully transparent becomes black. Writes up to a vector beyond the row.
 * @param alpha 0 where all is opaque
 */
export function pixels8(light: usize, redBlue: usize, green: usize, alpha: usize, width: i32, channels: i32, to: usize): void {
  for (let x: usize = 0; x < <usize>width << 2; x += 16) {
    const y = f32x4.mul(v128.load(light + x), f32x4.splat(THIRD))
    const u = f32x4.mul(v128.load(redBlue + x), f32x4.splat(HALF))
    const v = f32x4.mul(v128.load(green + x), f32x4.splat(SIXTH))
    const r = sample8(f32x4.add(f32x4.add(y, u), v))
    const g = sample8(f32x4.sub(y, f32x4.add(v, v)))
    const b = sample8(f32x4.add(f32x4.sub(y, u), v))
    to = store8(r, g, b, alpha, x, channels, to)
  }
}

/** The same of brightness alone, whose pixels are grey. */
export function greys8(light: usize, alpha: usize, width: i32, channels: i32, to: usize): void {
  for (let x: usize = 0; x < <usize>width << 2; x += 16) {
    const grey = sample8(v128.load(light + x))
    to = store8(grey, grey, grey, alpha, x, channels, to)
  }
}

// @ts-ignore
@inline
function sample8(value: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.min(f32x4.add(f32x4.max(value, f32x4.splat(0)), f32x4.splat(0.5)), f32x4.splat(255)))
}

// @ts-ignore
@inline
function store8(r: v128, g: v128, b: v128, alpha: usize, x: usize, channels: i32, to: usize): usize {
  const colour = v128.or(r, v128.or(i32x4.shl(g, 8), i32x4.shl(b, 16)))
  if (channels == 3) {
    const zero = i32x4.splat(0)
    v128.store(to, v128.shuffle<u8>(colour, zero, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 16, 16, 16))
    return to + 12
  }
  const opacity = alpha == 0 ? i32x4.splat(255) : sample8(v128.load(alpha + x))
  const shownColours = v128.and(colour, i32x4.ne(opacity, i32x4.splat(0)))
  v128.store(to, v128.or(shownColours, i32x4.shl(opacity, 24)))
  return to + 16
}

/** @param redBlue 0 for a grey picture */
export function pixels16(light: usize, redBlue: usize, green: usize, alpha: usize, width: i32, channels: i32, to: usize): void {
  for (let x: usize = 0; x < <usize>width << 2; x += 4) {
    const opacity = alpha == 0 ? <u16>65535 : sample16(load<f32>(alpha + x))
    const y = redBlue == 0 ? load<f32>(light + x) : load<f32>(light + x) * THIRD
    const u: f32 = redBlue == 0 ? 0 : load<f32>(redBlue + x) * HALF
    const v: f32 = redBlue == 0 ? 0 : load<f32>(green + x) * SIXTH
    store<u16>(to, opacity == 0 ? 0 : sample16(y + u + v))
    store<u16>(to, opacity == 0 ? 0 : sample16(y - 2 * v), 2)
    store<u16>(to, opacity == 0 ? 0 : sample16(y - u + v), 4)
    if (channels == 4) store<u16>(to, opacity, 6)
    to += <usize>channels << 1
  }
}

// @ts-ignore
@inline
function sample16(value: f32): u16 {
  return <u16>(min<f32>(max<f32>(value, 0), 255) * 257 + 0.5)
}
