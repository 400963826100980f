import type { Raster } from '@pixelmill/codecs/pixels/raster'

/** One number a pixel, in rows. */
export type Plane = Float32Array

/** A picture in CIE L*a*b*, where equal distances look about equally different. */
export interface Lab {
  readonly width: number
  readonly height: number
  readonly planes: readonly [lightness: Plane, greenRed: Plane, blueYellow: Plane]
}

/** IEC 61966-2-1: the light of each of the 256 values of sRGB. */
const light = Float32Array.from({ length: 256 }, (_, value) => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
})

const STEPS = 4096
/** CIE 15: the cube root, linear near black, as a table: computing a quarter of a million roots would take longer than the rest. */
const cubeRoots = Float32Array.from({ length: STEPS + 1 }, (_, step) => {
  const share = step / STEPS
  return share > (6 / 29) ** 3 ? Math.cbrt(share) : share / (3 * (6 / 29) ** 2) + 4 / 29
})
const compress = (share: number): number => cubeRoots[Math.min(STEPS, Math.round(share * STEPS))] ?? 1

/** @param raster sRGB: RGB or RGBA; alpha is ignored */
export function labOf({ data, width, height, channels }: Raster): Lab {
  const [lightness, greenRed, blueYellow] = [0, 1, 2].map(() => new Float32Array(width * height)) as [Plane, Plane, Plane]
  for (let pixel = 0, at = 0; pixel < lightness.length; pixel++, at += channels) {
    const red = light[data[at] ?? 0] ?? 0
    const green = light[data[at + 1] ?? 0] ?? 0
    const blue = light[data[at + 2] ?? 0] ?? 0
    // Linear sRGB to XYZ, relative to its white point, D65.
    const x = compress((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
    const y = compress(0.2126729 * red + 0.7151522 * green + 0.072175 * blue)
    const z = compress((0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883)
    lightness[pixel] = 116 * y - 16
    greenRed[pixel] = 500 * (x - y)
    blueYellow[pixel] = 200 * (y - z)
  }
  return { width, height, planes: [lightness, greenRed, blueYellow] }
}

/** Stretches the values to 0–1, in place; to 0 if they are all equal. */
export function normalise(plane: Plane): Plane {
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (const value of plane) {
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }
  const scale = highest > lowest ? 1 / (highest - lowest) : 0
  for (let pixel = 0; pixel < plane.length; pixel++) plane[pixel] = ((plane[pixel] ?? 0) - lowest) * scale
  return plane
}
