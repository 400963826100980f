import type { Lab, Plane } from '../salience/lab.ts'
import type { Backdrop, BackgroundSurface } from './background.ts'
import { type Island, islandOf } from './flood.ts'
import { grabCut } from './grab-cut.ts'
import { distanceTo } from './plane-filters.ts'
import { agreement, areaOf, type Opinion, tidied } from './regions.ts'

/** Beyond the outline that the flood found, in shares of the shorter side, GrabCut may move it by so much out and in. */
const [OUTWARDS, INWARDS] = [0.012, 0.03]
const ROUNDS = 2
/** Where GrabCut keeps less of the island than this, its colours are those of the background, and the island stands as it is. */
const LEAST_KEPT = 0.5

/**
 * The subject before a plain or drifting background: what a flood from the edges does not reach, its outline moved to where
 * colours say. The background's drift is taken away first, so that it has one colour everywhere, behind a handle too.
 */
export function studioOpinion(lab: Lab, backdrop: Backdrop): Opinion | undefined {
  const found = islandOf(backdrop, lab)
  if (!found) return undefined
  const lit = found.mask.map((subject, pixel) => (subject && !isShadow(backdrop, found.barrier, pixel) ? 1 : 0))
  const island = tidied(lit, lab, 0.03, 0)
  const [inside, outside] = [distanceTo(island, 0, lab), distanceTo(island, 1, lab)]
  const side = Math.min(lab.width, lab.height)
  const [inwards, outwards] = [Math.max(4, INWARDS * side), Math.max(2, OUTWARDS * side)]
  const open = island.map((subject, pixel) => {
    if (!subject) return (outside[pixel] as number) <= outwards ? 1 : 0
    return (inside[pixel] as number) <= inwards || (backdrop.distance[pixel] as number) < backdrop.near ? 1 : 0
  })
  const cut = tidied(grabCut(backdrop.without, island, open, ROUNDS), lab, 0.02, 0.0005)
  const kept = agreement(island, cut)
  const mask = kept > LEAST_KEPT ? cut : island
  return { mask, confidence: confidenceOf(found, kept, areaOf(mask), backdrop) }
}

/** Before a plain background, with nothing that speaks against it. */
const AT_BEST = 0.95

/** What speaks against a subject: that its colours disown it, that it is tiny or huge, in crumbs, or hardly stands out. */
function confidenceOf({ crumbs, contrast }: Island, kept: number, area: number, { slope }: Backdrop): number {
  const doubts = [0.8 * (1 - kept), area < 0.01 || area > 0.7 ? 0.4 : 0, crumbs > 0.4 ? 0.2 : 0, contrast < 2 * slope ? 0.15 : 0]
  return Math.max(0, AT_BEST - doubts.reduce((sum, doubt) => sum + doubt))
}

/** A shadow's own outline is no steeper, in units of Lab a pixel. */
const MOST_STEEP = 2.5
/** At least so much darker than the background, or it is the background; and of a colour at most so far from its. */
const [LEAST_DARKER, MOST_COLOURED] = [2, 5]

/**
 * Whether a pixel is a shadow on the background: darker than that, but of its colour, and reached from the edges over
 * nothing but soft steps, as far as light is scattered.
 */
export function isShadow({ without }: BackgroundSurface, barrier: Plane, pixel: number): boolean {
  const [lightness, greenRed, blueYellow] = without.planes
  const [a, b] = [greenRed[pixel] as number, blueYellow[pixel] as number]
  const isDarker = (lightness[pixel] as number) < -LEAST_DARKER
  return isDarker && a * a + b * b < MOST_COLOURED ** 2 && (barrier[pixel] as number) < MOST_STEEP
}
