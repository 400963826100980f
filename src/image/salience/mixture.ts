import { type Colour, type Gaussian, gaussianOf, type Pixels, squaredDistances } from './gaussian.ts'
import type { Lab, Plane } from './lab.ts'
import { normalised } from './normalised.ts'
import { strips } from './strips.ts'

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
export function mixtureOf(lab: Lab, pixels: Pixels): readonly Component[] {
  const groups = grouped(lab, pixels).filter(({ length }) => length >= FEWEST)
  return (groups.length > 0 ? groups : [pixels]).map((group) => {
    const gaussian = gaussianOf(lab, group)
    return { gaussian, logHeight: Math.log(group.length / pixels.length) - gaussian.logDeterminant / 2 }
  })
}

/** k-means in Lab; begins with pixels at even steps of the list, so that the same picture always gives the same groups. */
function grouped(lab: Lab, pixels: Pixels): readonly Pixels[] {
  const count = Math.min(COLOURS, pixels.length)
  const [ls, as, bs] = lab.planes
  let centres = Array.from({ length: count }, (_, k): Colour => {
    const pixel = pixels[Math.floor(((k + 0.5) * pixels.length) / count)] ?? 0
    return [ls[pixel] ?? 0, as[pixel] ?? 0, bs[pixel] ?? 0]
  })
  let groups: readonly Pixels[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const nearest = nearestCentres(lab, pixels, centres)
    groups = centres.map((_, k) => pixels.filter((_, at) => nearest[at] === k))
    centres = centres.map((centre, k) => (groups[k]?.length ? gaussianOf(lab, groups[k]).mean : centre))
  }
  return groups
}

function nearestCentres({ planes: [ls, as, bs] }: Lab, pixels: Pixels, centres: readonly Colour[]): Uint8Array {
  const [nearest, least] = [new Uint8Array(pixels.length), new Float32Array(pixels.length).fill(Number.POSITIVE_INFINITY)]
  for (const [k, [l, a, b]] of centres.entries()) {
    for (let at = 0; at < pixels.length; at++) {
      const pixel = pixels[at] ?? 0
      const [x, y, z] = [(ls[pixel] ?? 0) - l, (as[pixel] ?? 0) - a, (bs[pixel] ?? 0) - b]
      const distance = x * x + y * y + z * z
      if (distance >= (least[at] ?? 0)) continue
      least[at] = distance
      nearest[at] = k
    }
  }
  return nearest
}

/** Natural logarithm of how likely the mixture makes each pixel's colour, up to a constant; its likeliest Gaussian stands for the sum. */
export function logLikelihoods(mixture: readonly Component[], lab: Lab): Plane {
  const likeliest = new Float32Array(lab.width * lab.height).fill(Number.NEGATIVE_INFINITY)
  for (const { gaussian, logHeight } of mixture) {
    const distances = squaredDistances(gaussian, lab)
    for (let pixel = 0; pixel < likeliest.length; pixel++) {
      const likelihood = logHeight - (distances[pixel] ?? 0) / 2
      if (likelihood > (likeliest[pixel] ?? 0)) likeliest[pixel] = likelihood
    }
  }
  return likeliest
}

/** Depth of the strips that the mixture is made of. */
const SHARE = 0.06
/** Pixels of them that are looked at: more of the same says no more. */
const SAMPLES = 3_000
/** A colour this unlikely is as foreign as can be: e to the power of minus this, beside the likeliest. */
const UNLIKELIEST = 30

/** How unlikely the colours along the edges make each pixel's, 0–1. */
export function foreignToBorder(lab: Lab): Plane {
  const { width, height } = lab
  const border = Int32Array.from(new Set(strips(width, height, SHARE).flatMap((strip) => [...strip])))
  const every = Math.ceil(border.length / SAMPLES)
  const likelihoods = logLikelihoods(
    mixtureOf(
      lab,
      border.filter((_, at) => at % every === 0),
    ),
    lab,
  )
  const most = likelihoods.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return normalised(likelihoods.map((likelihood) => Math.min(most - likelihood, UNLIKELIEST)))
}
