import { pixelsOf, strips } from './border.ts'
import { type Colour, colourAt, type Gaussian, gaussianOf, squaredDistance } from './gaussian.ts'
import type { Lab, Plane } from './lab.ts'
import { normalised } from './normalised.ts'

/** A background has a few colours: sky, wall, floor and what they throw shadows on. */
const COLOURS = 5
/** Lloyd's rounds; the groups hardly move after these. */
const ROUNDS = 8
/** A group of fewer pixels has no spread to speak of. */
const FEWEST = 5

/** A Gaussian, and what its share of the pixels and its height add to the logarithm of its likelihood. */
interface Component {
  readonly gaussian: Gaussian
  readonly logHeight: number
}

/** The colours of pixels as a mixture of Gaussians: grouped by k-means, one Gaussian to each group. */
export function mixtureOf(lab: Lab, pixels: readonly number[]): readonly Component[] {
  const groups = grouped(lab, pixels).filter(({ length }) => length >= Math.min(FEWEST, pixels.length))
  return groups.map((group) => {
    const gaussian = gaussianOf(lab, group)
    return { gaussian, logHeight: Math.log(group.length / pixels.length) - gaussian.logDeterminant / 2 }
  })
}

/** k-means in Lab; begins with pixels at even steps of the list, so that the same picture always gives the same groups. */
function grouped(lab: Lab, pixels: readonly number[]): readonly (readonly number[])[] {
  const count = Math.min(COLOURS, pixels.length)
  let centres = Array.from({ length: count }, (_, k) =>
    colourAt(lab, pixels[Math.floor(((k + 0.5) * pixels.length) / count)] ?? 0),
  )
  let groups: number[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    groups = centres.map(() => [])
    for (const pixel of pixels) groups[nearest(centres, colourAt(lab, pixel))]?.push(pixel)
    centres = centres.map((centre, k) => (groups[k]?.length ? gaussianOf(lab, groups[k]).mean : centre))
  }
  return groups
}

function nearest(centres: readonly Colour[], [l, a, b]: Colour): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  for (const [k, centre] of centres.entries()) {
    const distance = (l - centre[0]) ** 2 + (a - centre[1]) ** 2 + (b - centre[2]) ** 2
    if (distance < least) [best, least] = [k, distance]
  }
  return best
}

/** Natural logarithm of how likely the mixture makes a colour, up to a constant; its likeliest Gaussian stands for the sum. */
export function logLikelihood(mixture: readonly Component[], colour: Colour): number {
  let likeliest = Number.NEGATIVE_INFINITY
  for (const { gaussian, logHeight } of mixture)
    likeliest = Math.max(likeliest, logHeight - squaredDistance(gaussian, colour) / 2)
  return likeliest
}

/** Depth of the strips that the mixture is made of. */
const SHARE = 0.06
/** A colour this unlikely is as foreign as can be: e to the power of minus this, beside the likeliest. */
const UNLIKELIEST = 30

/** How unlikely the colours along the edges make each pixel's, 0–1. */
export function foreignToBorder(lab: Lab): Plane {
  const { width, height } = lab
  const border = [...new Set(strips(width, height, SHARE).flatMap((strip) => [...pixelsOf(strip, width)]))]
  const mixture = mixtureOf(lab, border)
  const foreign = new Float32Array(width * height)
  for (let pixel = 0; pixel < foreign.length; pixel++) foreign[pixel] = -logLikelihood(mixture, colourAt(lab, pixel))
  const least = foreign.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  return normalised(foreign.map((value) => Math.min(value - least, UNLIKELIEST)))
}
