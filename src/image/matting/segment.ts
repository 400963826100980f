import { labOf } from '../salience/lab.ts'
import type { Raster } from '../ssim.ts'
import { backdropOf } from './backdrop.ts'
import { clutterOpinion } from './clutter.ts'
import type { Opinion } from './opinion.ts'
import { studioOpinion } from './studio.ts'

/** A background drifts if most of the edge belongs to it, and its colours change no more steeply than this. */
const [LEAST_SHARE, MOST_SLOPE] = [0.55, 2]
/** It is plain if half of the edge is no farther from a smooth drift than this, in Lab. */
const PLAIN_SPREAD = 2.5
/** Of a subject that was found with less confidence before a plain background, others are asked too. */
const SURE = 0.7

/**
 * Tells subject from background.
 * @param raster a small picture: RGB, a quarter of a thousand pixels a side
 */
export function segment(raster: Raster): Opinion {
  const lab = labOf(raster)
  const backdrop = backdropOf(lab)
  const drifts = backdrop.share >= LEAST_SHARE && backdrop.slope <= MOST_SLOPE
  const studio = drifts ? studioOpinion(lab, backdrop) : undefined
  const isPlain = backdrop.spread <= PLAIN_SPREAD
  if (studio && isPlain && studio.confidence >= SURE) return studio
  const clutter = clutterOpinion(raster, lab, backdrop, studio?.mask)
  return studio && isPlain && studio.confidence > clutter.confidence ? studio : clutter
}
