import { SIDE, shrunkRows } from '@pixelmill/kernels/dct'
import type { Workspace } from '@pixelmill/kernels/memory'
import { filterPlane, type PlaneRows } from '@pixelmill/kernels/rows'
import type { Plane } from './planes.ts'

/**
 * How many standard deviations a coefficient has to exceed. Noise exceeds 2.7 in one of 144 cases; 3, as in the paper, removes
 * more detail than noise.
 */
const THRESHOLD = 2.7

export interface Denoising {
  /** Standard deviation of the noise, on the scale of the samples. */
  readonly sigma: number
  /** Distance between blocks: each halving costs four times as much; the first gains 0.9 dB. */
  readonly stride: 1 | 2 | 4 | 8
}

/**
 * Sliding DCT denoising (Yu and Sapiro, "DCT image denoising", IPOL 2011): in a block of 8 × 8, a picture needs few
 * coefficients, while noise is spread over all. Coefficients small enough to be noise become 0. Each sample is the mean over
 * all blocks that contain it; blocks with fewer coefficients are more reliable and weigh more (Guleryuz 2007).
 */
export function denoisedRows(workspace: Workspace, rows: PlaneRows, { sigma, stride }: Denoising): PlaneRows {
  // Too small for a single block.
  if (rows.width < SIDE || rows.height < SIDE || sigma <= 0) return rows
  return shrunkRows(workspace, rows, { least: THRESHOLD * sigma, distance: stride })
}

export const denoise = (plane: Plane, width: number, height: number, denoising: Denoising): Plane =>
  filterPlane(plane, width, height, (workspace, rows) => denoisedRows(workspace, rows, denoising))
