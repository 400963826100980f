import sharp, { type Sharp } from 'sharp'

/** Drawn subjects before drawn backgrounds. */

export const SIDE = 200
export type Rgb = readonly [number, number, number]
export type Shape = (x: number, y: number) => boolean
export type Shade = (x: number, y: number) => Rgb

/** The same noise in every run, ± that much. */
export function noisy(amount: number): (value: number) => number {
  let state = 1
  return (value) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.max(0, Math.min(255, Math.round(value + ((state % 1_000) / 500 - 1) * amount)))
  }
}

/** A shape of one shade before another, with the noise of a camera. */
export function draw(shape: Shape, subject: Shade, background: Shade, side = SIDE): Sharp {
  const noise = noisy(3)
  const data = Buffer.alloc(side * side * 3)
  for (let pixel = 0; pixel < side * side; pixel++) {
    const x = pixel % side
    const y = Math.floor(pixel / side)
    for (const [channel, value] of (shape(x, y) ? subject : background)(x, y).entries()) data[pixel * 3 + channel] = noise(value)
  }
  return sharp(data, { raw: { width: side, height: side, channels: 3 } })
}

/** Intersection over union of what is more than half opaque with the shape. */
export function overlap({ data, width }: { readonly data: Uint8Array; readonly width: number }, shape: Shape): number {
  let both = 0
  let either = 0
  for (let pixel = 0; pixel < data.length / 4; pixel++) {
    const isOpaque = (data[pixel * 4 + 3] ?? 0) > 127
    const isInside = shape(pixel % width, Math.floor(pixel / width))
    if (isOpaque && isInside) both++
    if (isOpaque || isInside) either++
  }
  return both / either
}

export const disc: Shape = (x, y) => Math.hypot(x - 104, y - 92) < 60
export const ring: Shape = (x, y) => disc(x, y) && Math.hypot(x - 104, y - 92) > 26
export const cross: Shape = (x, y) => Math.abs(x - 90) < 24 || Math.abs(y - 110) < 20
export const bust: Shape = (x, y) => Math.hypot(x - 100, y - 80) < 34 || (y > 110 && Math.abs(x - 100) < 40 + (y - 110) / 2)

export const red: Shade = () => [196, 40, 38]
export const blue: Shade = () => [60, 90, 170]
export const grey: Shade = () => [222, 222, 224]
export const drifting: Shade = (x, y) => [90 + x / 3, 120 + y / 3, 150 + (x + y) / 5]
export const checkerboard: Shade = (x, y) => (((x >> 2) + (y >> 2)) % 2 ? [120, 150, 90] : [80, 110, 60])
export const stripes: Shade = (x, y) => (y % 16 < 8 ? [196, 40, 38] : x % 20 < 10 ? [240, 200, 60] : [120, 30, 90])
