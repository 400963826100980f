import type { Raster } from '@pixelmill/codecs/pixels/raster'
import type { Size } from '@pixelmill/codecs/pixels/size'

/** Three planes; one that is not needed is undefined. */
export interface Planes extends Size {
  readonly planes: readonly (Float32Array | undefined)[]
}

interface Linear extends Size {
  readonly planes: readonly [Float32Array, Float32Array, Float32Array]
}

/** The smallest side that the reference compares. */
const SMALLEST = 8

/** A picture on a grey background, without alpha; one below 8 pixels a side is continued by its last column and row. */
export function flatten(raster: Raster, background: number): Raster {
  const { data, channels } = raster
  const colours = channels < 3 ? 1 : 3
  const width = Math.max(SMALLEST, raster.width)
  const height = Math.max(SMALLEST, raster.height)
  if (colours === channels && width === raster.width && height === raster.height) return raster
  const flat = new Uint8Array(width * height * colours)
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (Math.min(y, raster.height - 1) * raster.width + Math.min(x, raster.width - 1)) * channels
      const opacity = channels > colours ? (data[from + colours] as number) / 255 : 1
      for (let channel = 0; channel < colours; channel++) {
        flat[to++] = Math.round((data[from + channel] as number) * opacity + background * (1 - opacity))
      }
    }
  }
  return { data: flat, width, height, channels: colours }
}

/** IEC 61966-2-1. */
const LINEAR = Float32Array.from({ length: 256 }, (_, value) =>
  value <= 0.04045 * 255 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
)

/** @param raster grey or RGB, without alpha */
export function toLinear({ data, width, height, channels }: Raster): Linear {
  const planes = Array.from({ length: channels }, () => new Float32Array(width * height))
  for (const [channel, plane] of planes.entries()) {
    for (let at = 0, from = channel; at < plane.length; at++, from += channels) plane[at] = LINEAR[data[from] as number] as number
  }
  const [red, green = red, blue = red] = planes as [Float32Array]
  return { planes: [red, green, blue], width, height }
}

/** Half the size in each direction: means of 2 × 2, where the last column or row repeats if it has no neighbour. */
export function halve({ planes: [red, green, blue], ...size }: Linear): Linear {
  const width = Math.ceil(size.width / 2)
  const height = Math.ceil(size.height / 2)
  const half = (plane: Float32Array): Float32Array => {
    const halfPlane = new Float32Array(width * height)
    for (let y = 0; y < height; y++) {
      const above = 2 * y * size.width
      const below = Math.min(2 * y + 1, size.height - 1) * size.width
      for (let x = 0; x < width; x++) {
        const left = 2 * x
        const right = Math.min(2 * x + 1, size.width - 1)
        const upper = (plane[above + left] as number) + (plane[above + right] as number)
        halfPlane[y * width + x] = (upper + (plane[below + left] as number) + (plane[below + right] as number)) / 4
      }
    }
    return halfPlane
  }
  return green === red
    ? (([grey]) => ({ planes: [grey, grey, grey], width, height }))([half(red)] as const)
    : { planes: [half(red), half(green), half(blue)], width, height }
}

/** libjxl's opsin absorbance: how much of red, green and blue each kind of cone takes up, and a bias. */
const BIAS = 0.0037930732552754493
const [LONG_RED, LONG_GREEN, LONG_BLUE] = [0.3, 0.622, 0.078] as const
const [MIDDLE_RED, MIDDLE_GREEN, MIDDLE_BLUE] = [0.23, 0.692, 0.078] as const
const [SHORT_RED, SHORT_GREEN, SHORT_BLUE] = [0.24342268924547819, 0.20476744424496821, 0.5518098665095535] as const

/** ∛(x + bias) − ∛bias for x from 0 to 1, interpolated linearly: within 2 · 10⁻⁶. */
const STEPS = 16_384
const ROOTS = Float32Array.from({ length: STEPS + 2 }, (_, step) => Math.cbrt(step / STEPS + BIAS) - Math.cbrt(BIAS))

/** Perceptual X (red against green), Y (luminance) and B (blue against Y), each moved into 0 to 1 as the reference does. */
export function toXyb({ planes: [red, green, blue], width, height }: Linear, neededPlanes: readonly boolean[]): Planes {
  const planes = neededPlanes.map((is) => (is ? new Float32Array(width * height) : undefined))
  const [xs, ys, bs] = planes
  for (let at = 0; at < red.length; at++) {
    const r = red[at] as number
    const g = green[at] as number
    const b = blue[at] as number
    const long = rootOf(LONG_RED * r + LONG_GREEN * g + LONG_BLUE * b)
    const middle = rootOf(MIDDLE_RED * r + MIDDLE_GREEN * g + MIDDLE_BLUE * b)
    const y = (long + middle) / 2
    if (xs) xs[at] = 7 * (long - middle) + 0.42
    if (ys) ys[at] = y + 0.01
    if (bs) bs[at] = rootOf(SHORT_RED * r + SHORT_GREEN * g + SHORT_BLUE * b) - y + 0.55
  }
  return { planes, width, height }
}

function rootOf(light: number): number {
  const place = light * STEPS
  const step = Math.trunc(place)
  const low = ROOTS[step] as number
  const high = ROOTS[step + 1] as number
  return low + (high - low) * (place - step)
}
