import type { Lab } from '../salience/lab.ts'
import type { Backdrop } from './backdrop.ts'
import { boxMean } from './box-mean.ts'
import { distanceTo } from './distance.ts'
import { gradientOf } from './gradient.ts'
import { type Mask, outlineOf, regionsOf } from './regions.ts'

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
