import { blurredRows } from '@pixelmill/kernels/filters'
import { filterPlane } from '@pixelmill/kernels/rows'
import type { Plane } from './planes.ts'

/** Three standard deviations cover 99.7 %. */
export const gaussianReach = (sigma: number): number => Math.ceil(3 * sigma)

/** Half of a normalised kernel, its middle first. */
export function halfGaussian(sigma: number): readonly number[] {
  const half = Array.from({ length: gaussianReach(sigma) + 1 }, (_, x) => Math.exp((-x * x) / (2 * sigma * sigma)))
  const sum = half.reduce((total, weight) => total + 2 * weight, -1)
  return half.map((weight) => weight / sum)
}

/** Gaussian blur; beyond the edges, the edge pixels repeat. */
export const gaussian = (plane: Plane, width: number, height: number, sigma: number): Plane =>
  filterPlane(plane, width, height, (workspace, rows) => blurredRows(workspace, rows, { half: halfGaussian(sigma) }))
