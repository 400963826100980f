import type { Lab, Plane } from '../salience/lab.ts'
import { type BackgroundSurface, backgroundSurface } from './background-surface.ts'
import { gradientOf } from './gradient.ts'

/** What the strip along the edges tells of the background. */
export interface Backdrop extends BackgroundSurface {
  readonly gradient: Plane
  /** Distance in Lab from the surface up to which a pixel may be background. */
  readonly near: number
  /** Share of the strip that is background. */
  readonly share: number
  /** How steeply the background's colours change: three quarters of its pixels in the strip are no steeper. */
  readonly slope: number
}

/** A distance in Lab that noise, shadows and unevenness of a plain wall keep within. */
const LEAST_NEAR = 6
/** In terms of the strip's own spread. */
const NEAR = 3

export function backdropOf(lab: Lab): Backdrop {
  const surface = backgroundSurface(lab)
  const gradient = gradientOf(lab.planes, lab)
  const near = Math.max(LEAST_NEAR, NEAR * surface.spread)
  const background = surface.strip.filter((pixel) => (surface.distance[pixel] as number) < near)
  const slopes = Float64Array.from(background, (pixel) => gradient[pixel] as number).sort()
  const slope = slopes[Math.floor(slopes.length * 0.75)] ?? 0
  return { ...surface, gradient, near, share: background.length / surface.strip.length, slope }
}
