import type { Lab, Plane } from '../salience/lab.ts'
import type { Background, BackgroundSurface } from './background.ts'
import { type FloodSegmentation, floodFromEdges } from './flood.ts'
import { grabCut } from './grab-cut.ts'
import { distanceTo } from './plane-filters.ts'
import { coverage, intersectionOverUnion, type Segmentation, withoutSpecks } from './regions.ts'

/** How far GrabCut may move the flood's outline out and in, as shares of the shorter side. */
const OUTWARDS = 0.012
const INWARDS = 0.03
const GRAB_CUT_ROUNDS = 2
/** If GrabCut agrees less than this with the flood, subject and background share colours, and the flood's result is taken. */
const LEAST_KEPT = 0.5

/**
 * Segments a subject on a plain or smooth background: the region that a flood from the edges does not reach, refined by GrabCut.
 * The background's gradient is subtracted first, so that it has one colour everywhere, also inside a handle.
 */
export function segmentPlainBackground(lab: Lab, background: Background): Segmentation | undefined {
  const floodMask = floodFromEdges(background, lab)
  if (!floodMask) return undefined
  const lit = floodMask.mask.map((subject, pixel) => (subject && !isShadow(background, floodMask.barrier, pixel) ? 1 : 0))
  const unreachedMask = withoutSpecks(lit, lab, 0.03, 0)
  const inside = distanceTo(unreachedMask, 0, lab)
  const outside = distanceTo(unreachedMask, 1, lab)
  const side = Math.min(lab.width, lab.height)
  const inwards = Math.max(4, INWARDS * side)
  const outwards = Math.max(2, OUTWARDS * side)
  const open = unreachedMask.map((subject, pixel) => {
    if (!subject) return (outside[pixel] as number) <= outwards ? 1 : 0
    return (inside[pixel] as number) <= inwards || (background.distance[pixel] as number) < background.near ? 1 : 0
  })
  const cut = withoutSpecks(grabCut(background.without, unreachedMask, open, GRAB_CUT_ROUNDS), lab, 0.02, 0.0005)
  const agreement = intersectionOverUnion(unreachedMask, cut)
  const mask = agreement > LEAST_KEPT ? cut : unreachedMask
  return { mask, confidence: confidenceOf(floodMask, agreement, coverage(mask), background) }
}

/** Highest confidence on a plain background. */
const AT_BEST = 0.93

/** Less for a subject that GrabCut does not confirm, that is tiny or huge, fragmented, or low in contrast. */
function confidenceOf(
  { fragments, contrast }: FloodSegmentation,
  agreement: number,
  area: number,
  { slope }: Background,
): number {
  const deductions = [
    0.8 * (1 - agreement),
    area < 0.01 || area > 0.7 ? 0.4 : 0,
    fragments > 0.4 ? 0.2 : 0,
    contrast < 2 * slope ? 0.15 : 0,
  ]
  return Math.max(0, AT_BEST - deductions.reduce((sum, deduction) => sum + deduction))
}

/** The outline of a shadow is at most this steep, in units of Lab a pixel. */
const MOST_STEEP = 2.5
/** A shadow is at least this much darker than the background, and at most this far from its colour. */
const LEAST_DARKER = 2
const MOST_COLOURED = 5

/** Whether a pixel is a shadow: darker than the background, of the same colour, and without a sharp outline. */
function isShadow({ without }: BackgroundSurface, barrier: Plane, pixel: number): boolean {
  const [lightness, greenRed, blueYellow] = without.planes
  const a = greenRed[pixel] as number
  const b = blueYellow[pixel] as number
  const isDarker = (lightness[pixel] as number) < -LEAST_DARKER
  return isDarker && a * a + b * b < MOST_COLOURED ** 2 && (barrier[pixel] as number) < MOST_STEEP
}
