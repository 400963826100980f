import { lanczos3 } from '@pixelmill/kernels/axis'
import type { Plane } from './planes.ts'

/** Passes of back-projection: a third gains nothing. */
const PASSES = 2

/** Source rows above and below that influence a result: through Lanczos-3 and two passes of shrinking and enlarging. */
export const UPSCALE_REACH = 16

/** Doubles width and height by Lanczos-3; the edges of both pictures coincide. */
export const enlarge = (plane: Plane, width: number, height: number): Plane => doublePlane(plane, width, height, 'lanczos3')

/**
 * Iterative back-projection (Irani and Peleg, "Improving resolution by image registration", 1991): the enlarged picture, shrunk
 * again, should equal the original; the difference is enlarged and added.
 */
export function upscale(plane: Plane, width: number, height: number): Plane {
  const result = enlarge(plane, width, height)
  for (let pass = 0; pass < PASSES; pass++) {
    const missing = halvePlane(result, width, height)
    for (let i = 0; i < missing.length; i++) missing[i] = (plane[i] as number) - (missing[i] as number)
    const enlargedPlane = doublePlane(missing, width, height, 'cubic')
    for (let i = 0; i < result.length; i++) result[i] = (result[i] as number) + (enlargedPlane[i] as number)
  }
  return result
}

/** Interpolation kernels: how many samples they cover on either side, and the weight at a distance. */
const kernels = {
  lanczos3: { reach: 3, at: lanczos3 },
  /** Keys 1981, with a = −½: Catmull-Rom. */
  cubic: { reach: 2, at: catmullRom },
} as const
export type Kernel = keyof typeof kernels

function catmullRom(distance: number): number {
  const x = Math.abs(distance)
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
}

const normalise = (weights: readonly number[]): Float64Array => {
  const sum = weights.reduce((total, weight) => total + weight)
  return Float64Array.from(weights, (weight) => weight / sum)
}

/**
 * Doubles width and height. Pixels are squares: two new ones share an old one, a quarter before and a quarter behind its
 * centre, so there are two sets of weights, mirror images of each other. Beyond the edges, the edge pixels repeat.
 */
export function doublePlane(plane: Plane, width: number, height: number, kernel: Kernel): Plane {
  const { reach, at } = kernels[kernel]
  // Weights of the first of each two: it lies a quarter before the centre.
  const weights = normalise(Array.from({ length: 2 * reach }, (_, tap) => at(tap - reach + 0.25)))
  return doubledDown(doubledAcross(plane, width, height, weights), 2 * width, height, weights)
}

/** Halves width and height, by the eight samples that Catmull-Rom covers at half the resolution. */
export function halvePlane(plane: Plane, halfWidth: number, halfHeight: number): Plane {
  const weights = normalise(Array.from({ length: 8 }, (_, tap) => catmullRom((tap - 3.5) / 2)))
  return halvedDown(halvedAcross(plane, halfWidth, 2 * halfHeight, weights), halfWidth, halfHeight, weights)
}

/** Copies a row and repeats its edge pixels for `reach` samples. */
function extend(row: Float64Array, plane: Plane, at: number, width: number, reach: number): void {
  row.fill(plane[at] as number, 0, reach)
  row.set(plane.subarray(at, at + width), reach)
  row.fill(plane[at + width - 1] as number, reach + width)
}

function doubledAcross(plane: Plane, width: number, height: number, weights: Float64Array): Plane {
  const taps = weights.length
  const reach = weights.length / 2
  const out = new Float32Array(2 * width * height)
  const row = new Float64Array(width + 2 * reach)
  for (let y = 0; y < height; y++) {
    extend(row, plane, y * width, width, reach)
    const to = 2 * y * width
    for (let x = 0; x < width; x++) {
      let before = 0
      let behind = 0
      for (let tap = 0; tap < taps; tap++) {
        const weight = weights[tap] as number
        before += weight * (row[x + tap] as number)
        behind += weight * (row[x + taps - tap] as number)
      }
      out[to + 2 * x] = before
      out[to + 2 * x + 1] = behind
    }
  }
  return out
}

function doubledDown(plane: Plane, width: number, height: number, weights: Float64Array): Plane {
  const reach = weights.length / 2
  const out = new Float32Array(2 * width * height)
  for (let y = 0; y < 2 * height; y++) {
    const middle = y >> 1
    const step = y % 2 === 0 ? 1 : -1
    mixRows(plane, width, height, weights, middle - step * reach, step, out.subarray(y * width, (y + 1) * width))
  }
  return out
}

function halvedAcross(plane: Plane, halfWidth: number, height: number, weights: Float64Array): Plane {
  const reach = 3
  const width = 2 * halfWidth
  const out = new Float32Array(halfWidth * height)
  const row = new Float64Array(width + 2 * reach)
  for (let y = 0; y < height; y++) {
    extend(row, plane, y * width, width, reach)
    for (let x = 0; x < halfWidth; x++) {
      let sum = 0
      for (let tap = 0; tap < weights.length; tap++) sum += (weights[tap] as number) * (row[2 * x + tap] as number)
      out[y * halfWidth + x] = sum
    }
  }
  return out
}

function halvedDown(plane: Plane, width: number, halfHeight: number, weights: Float64Array): Plane {
  const out = new Float32Array(width * halfHeight)
  for (let y = 0; y < halfHeight; y++) {
    mixRows(plane, width, 2 * halfHeight, weights, 2 * y - 3, 1, out.subarray(y * width, (y + 1) * width))
  }
  return out
}

/** The weighted sum of rows from `first` on, upwards or downwards. */
function mixRows(
  plane: Plane,
  width: number,
  height: number,
  weights: Float64Array,
  first: number,
  step: 1 | -1,
  out: Plane,
): void {
  const sums = new Float64Array(width)
  for (let tap = 0; tap < weights.length; tap++) {
    const from = Math.max(0, Math.min(height - 1, first + step * tap)) * width
    const weight = weights[tap] as number
    for (let x = 0; x < width; x++) sums[x] = (sums[x] as number) + weight * (plane[from + x] as number)
  }
  out.set(sums)
}
