import type { Plane } from '../salience/lab.ts'
import type { BackgroundSurface } from './background-surface.ts'

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
