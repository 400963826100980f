import { blurredRows, copiesOf } from '@pixelmill/kernels/filters'
import type { Workspace } from '@pixelmill/kernels/memory'
import { type PlaneRows, RecentRows } from '@pixelmill/kernels/rows'
import { halfGaussian } from './gaussian.ts'

/** Coefficients of the sharpening polynomial: `alpha` boosts middle frequencies, `beta` high ones. */
export interface Sharpening {
  readonly sigma: number
  readonly alpha: number
  readonly beta: number
}

/** The polynomial applies three blurs. */
const BLURS = 3

/**
 * Polynomial reblurring (Delbracio, Garcia-Dorado, Choi, Kelly and Milanfar, "Polyblur", 2021, eq. 21): approximates the
 * inverse of a mild blur by a polynomial of that blur, which avoids divisions by values near zero. Evaluated in Horner's form
 * with three blurs by the same Gaussian.
 */
export function deblurredRows(workspace: Workspace, source: PlaneRows, { sigma, alpha, beta }: Sharpening): PlaneRows {
  const half = halfGaussian(sigma)
  const rows = new RecentRows(workspace, source, BLURS * (half.length - 1) + 1)
  const cubic = alpha / 2 - beta + 2
  const square = 3 * beta - alpha - 6
  const linear = 5 - 3 * beta + alpha / 2
  const first = blurredRows(workspace, copiesOf(workspace, rows), { half, factor: cubic, plus: { rows, factor: square } })
  const second = blurredRows(workspace, first, { half, plus: { rows, factor: linear } })
  return blurredRows(workspace, second, { half, plus: { rows, factor: beta } })
}
