import { labOf } from '../salience/lab.ts'
import type { Raster } from '../ssim.ts'
import { backdropOf } from './backdrop.ts'
import { clutterOpinion } from './clutter.ts'
import type { Opinion } from './opinion.ts'
import { overlookedEdges } from './overlooked.ts'
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
  const isPlain = drifts && backdrop.spread <= PLAIN_SPREAD
  const studio = drifts ? studioOpinion(lab, backdrop) : undefined
  if (!isPlain) return clutterOpinion(raster, lab, backdrop, studio?.mask)
  const isSure = studio && studio.confidence >= SURE
  const opinion = isSure ? studio : surer(clutterOpinion(raster, lab, backdrop, studio?.mask), studio)
  const doubt = overlookedEdges(lab, backdrop, opinion.mask)
  return { ...opinion, confidence: Math.max(0, opinion.confidence - doubt) }
}

const surer = (one: Opinion, other: Opinion | undefined): Opinion => (other && other.confidence > one.confidence ? other : one)
