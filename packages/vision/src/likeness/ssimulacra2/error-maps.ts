import type { Size } from '@pixelmill/codecs/pixels/size'
import { blur, type Outside } from './gaussian.ts'

/** For each scale and each of X, Y and B: pixels, and sums over them of the three maps and of their fourth powers. */
export type Sums = { pixels: number; readonly values: Float64Array }[][]

/** Where the fourth powers begin. */
export const FOURTH_POWERS = 3

export const emptySums = (): Sums =>
  Array.from({ length: 6 }, () => Array.from({ length: 3 }, () => ({ pixels: 0, values: new Float64Array(6) })))

/** A plane of the original with what each comparison needs: the plane and its squares, blurred. */
export interface Description extends Size {
  readonly plane: Float32Array
  readonly means: Float32Array
  readonly squares: Float32Array
  readonly outside: Outside
}

export function describe({ plane, width, height, outside }: Omit<Description, 'means' | 'squares'>): Description {
  const means = new Float32Array(width * height)
  const squares = new Float32Array(width * height)
  blur(
    { width, height },
    2,
    outside,
    (y, [values, products]) => {
      for (let x = 0; x < width; x++) {
        const value = plane[y * width + x] as number
        values[x] = value
        products[x] = value * value
      }
    },
    (y, [blurredRow, products]) => {
      means.set(blurredRow, y * width)
      squares.set(products, y * width)
    },
  )
  return { plane, width, height, means, squares, outside }
}

/** Keeps a quotient of two variances finite, as in SSIM. */
const C2 = 0.0009

/** Adds what a plane of a made picture differs in: its structure, edges that are new (ringing), and edges that are lost (blur). */
export function addErrors(
  sums: Sums,
  { scale, plane }: { readonly scale: number; readonly plane: number },
  { plane: original, width, height, means, squares, outside }: Description,
  encodedPlane: Float32Array,
): void {
  const entry = sums[scale]?.[plane] as Sums[number][number]
  blur(
    { width, height },
    3,
    outside,
    (y, [values, madeSquares, products]) => {
      for (let x = 0, at = y * width; x < width; x++, at++) {
        const value = encodedPlane[at] as number
        values[x] = value
        madeSquares[x] = value * value
        products[x] = value * (original[at] as number)
      }
    },
    (y, [blurredRow, madeSquares, products]) => {
      // Variables of this row alone: adding to those of the outer function takes a third more time.
      let structure = 0
      let structure4 = 0
      let ringing = 0
      let ringing4 = 0
      let blurring = 0
      let blurring4 = 0
      for (let x = 0, at = y * width; x < width; x++, at++) {
        const mean = means[at] as number
        const madeMean = blurredRow[x] as number
        const difference = mean - madeMean
        const covariance = (products[x] as number) - mean * madeMean
        const variance = (squares[at] as number) - mean * mean + (madeSquares[x] as number) - madeMean * madeMean
        const error = 1 - ((1 - difference * difference) * (2 * covariance + C2)) / (variance + C2)
        if (error > 0) {
          structure += error
          structure4 += error * error * error * error
        }
        const edge = Math.abs((original[at] as number) - mean)
        const madeEdge = Math.abs((encodedPlane[at] as number) - madeMean)
        const change = (madeEdge - edge) / (1 + edge)
        if (change > 0) {
          ringing += change
          ringing4 += change * change * change * change
        } else {
          blurring -= change
          blurring4 += change * change * change * change
        }
      }
      addTo(entry.values, structure, ringing, blurring, structure4, ringing4, blurring4)
    },
  )
  entry.pixels += width * height
}

function addTo(sums: Float64Array, ...values: readonly [number, number, number, number, number, number]): void {
  for (let nth = 0; nth < values.length; nth++) sums[nth] = (sums[nth] as number) + (values[nth] as number)
}
