import { gaussian, gaussianReach } from './gaussian.ts'
import type { Plane } from './planes.ts'

/** How a polynomial sharpens: `alpha` lifts what is of middle size, `beta` what is fine. */
export interface Sharpening {
  readonly alpha: number
  readonly beta: number
}

/** Blurred three times over. */
export const deblurReach = (sigma: number): number => 3 * gaussianReach(sigma)

/**
 * Polynomial reblurring (Delbracio, Garcia-Dorado, Choi, Kelly and Milanfar, "Polyblur", 2021, eq. 21): the inverse of a mild
 * blur, written as a polynomial of the blur itself, so that nothing is divided by what may be zero. In Horner's form, three
 * blurs of the same Gaussian.
 */
export function deblur(plane: Plane, width: number, height: number, sigma: number, { alpha, beta }: Sharpening): Plane {
  const [cubic, square, linear] = [alpha / 2 - beta + 2, 3 * beta - alpha - 6, 5 - 3 * beta + alpha / 2]
  const blurred = (of: Plane) => gaussian(of, width, height, sigma)
  const first = weighted(plane, square, blurred(plane), cubic)
  const second = weighted(plane, linear, blurred(first), 1)
  return weighted(plane, beta, blurred(second), 1)
}

/** The second plane is overwritten. */
function weighted(plane: Plane, factor: number, result: Plane, resultFactor: number): Plane {
  for (let i = 0; i < plane.length; i++) result[i] = factor * (plane[i] as number) + resultFactor * (result[i] as number)
  return result
}
