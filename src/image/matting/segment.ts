import type { Raster } from '../raster.ts'
import { type Lab, labOf } from '../salience/lab.ts'
import { type Backdrop, backdropOf } from './background.ts'
import { clutterOpinion } from './cluttered-background.ts'
import { studioOpinion } from './plain-background.ts'
import { boxMean, distanceTo, gradientOf } from './plane-filters.ts'
import { type Mask, type Opinion, outlineOf, regionsOf } from './regions.ts'

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

/**
 * What colour weighs beside lightness. A wall that drifts without noise does so in steps of a level of 8 bits, which are edges from
 * side to side: of 0.4 in lightness, but of 2 in the colours of Lab, which JPEG has rounded before.
 */
const COLOUR = 0.25
/** An edge is steeper than this, in units of Lab a pixel, and than the background's own slopes that many times. */
const [LEAST_STEEP, ABOVE_SLOPES] = [0.5, 2.5]
/** Blurred by squares of 2 · 3 + 1 pixels, a sharp edge keeps less than this of its steepness; a shadow or a drift keeps more. */
const [BLUR, MOST_KEPT] = [3, 0.65]
/** Nearer to the subject, in pixels, an edge is its own outline, or what JPEG made of that: blocks of colour are 16 pixels long. */
const OUTLINE = 18
/** Fewer pixels together are noise. */
const FEWEST = 15

/**
 * Of all edges that a plain background ought not to have, the subject's outline among them, the share that was taken for
 * background: 0–1. A white bottle on white leaves its cap and label, and the faint outline of all the rest, which says so.
 */
export function overlookedEdges(lab: Lab, { slope }: Backdrop, mask: Mask): number {
  const [lightness, ...colours] = lab.planes
  const planes = [lightness, ...colours.map((plane) => plane.map((value) => COLOUR * value))]
  const gradient = gradientOf(planes, lab)
  const blurred = gradientOf(
    planes.map((plane) => boxMean(plane, lab, BLUR)),
    lab,
  )
  const away = distanceTo(mask, 1, lab)
  const steep = Math.max(LEAST_STEEP, ABOVE_SLOPES * slope)
  const edges = gradient.map((steepness, pixel) => {
    const isSharp = steepness > steep && (blurred[pixel] as number) < MOST_KEPT * steepness
    return isSharp && (away[pixel] as number) > OUTLINE ? 1 : 0
  })
  const overlooked = regionsOf(Uint8Array.from(edges), lab, 1).areas.reduce((sum, area) => sum + (area < FEWEST ? 0 : area), 0)
  const outline = outlineOf(mask, lab.width).length
  return overlooked ? overlooked / (overlooked + outline) : 0
}
