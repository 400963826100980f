import { gaussian, gaussianReach } from './gaussian.ts'
import type { Plane, Tile } from './planes.ts'
import type { Step } from './step.ts'

/** Farther than any other step reaches with effect. */
const SIGMA = 4

/**
 * Gives fully transparent pixels the colour of what is visible around them, so that what nobody can see, often black, is not
 * mixed into what one can: a mean weighed by opacity (normalised convolution, Knutsson and Westin 1993).
 */
export const fillHidden: Step = {
  reach: gaussianReach(SIGMA),
  scale: 1,
  apply(tile) {
    const { alpha, width, height } = tile
    if (!alpha?.some((opacity) => opacity === 0)) return tile
    const weight = gaussian(alpha, width, height, SIGMA)
    const filled = (plane: Plane) => fill(plane, alpha, weight, tile)
    const [light, ...colours] = tile.planes
    return { ...tile, planes: [filled(light), ...colours.map(filled)] }
  },
}

function fill(plane: Plane, alpha: Plane, weight: Plane, { width, height }: Tile): Plane {
  const sums = gaussian(
    plane.map((sample, i) => sample * (alpha[i] as number)),
    width,
    height,
    SIGMA,
  )
  return plane.map((sample, i) => {
    if (alpha[i] !== 0) return sample
    const around = weight[i] as number
    return around > 0 ? (sums[i] as number) / around : 0
  })
}
