import { logLikelihoods } from '@pixelmill/kernels/mixture'
import { type Gaussian, gaussianOf, mixtureOf, type Pixels } from './gaussian-mixture.ts'
import { type Lab, normalise, type Plane } from './lab.ts'

/** Depth of a strip, as in the paper. */
const SHARE = 0.1

/**
 * How much each pixel's colour differs from the edges', 0–1: the sum of Mahalanobis distances to the strips along the four edges,
 * without the largest, since the subject may reach that edge. The second half of MB+ in the paper that is cited at `barrierDistance`.
 */
export function unlikeBorder(lab: Lab): Plane {
  const { width, height } = lab
  const sum = new Float32Array(width * height)
  const most = new Float32Array(width * height)
  for (const strip of strips(width, height, SHARE)) {
    const distance = normalise(distancesFrom(gaussianOf(lab, strip), lab))
    for (let pixel = 0; pixel < sum.length; pixel++) {
      const unlike = distance[pixel] as number
      sum[pixel] = (sum[pixel] as number) + unlike
      if (unlike > (most[pixel] as number)) most[pixel] = unlike
    }
  }
  for (let pixel = 0; pixel < sum.length; pixel++) sum[pixel] = (sum[pixel] as number) - (most[pixel] as number)
  return normalise(sum)
}

/** Mahalanobis distance of every pixel's colour. */
export function distancesFrom({ mean, precision }: Gaussian, { planes }: Lab): Plane {
  // What is left of the log-likelihood without the height.
  const distances = logLikelihoods([{ mean, precision, logHeight: 0 }], planes)
  for (let pixel = 0; pixel < distances.length; pixel++)
    distances[pixel] = Math.sqrt(Math.max(0, -2 * (distances[pixel] as number)))
  return distances
}

/** The pixels of the strips along the four edges, each as deep as that share of the side, and at least two pixels if possible. */
function strips(width: number, height: number, share: number): readonly Pixels[] {
  const [across, down] = [width, height].map((side) => Math.min(side, Math.max(2, Math.round(share * side)))) as [number, number]
  return [
    rectangle(width, 0, width, 0, down),
    rectangle(width, 0, width, height - down, height),
    rectangle(width, 0, across, 0, height),
    rectangle(width, width - across, width, 0, height),
  ]
}

function rectangle(width: number, left: number, right: number, top: number, bottom: number): Pixels {
  const pixels = new Int32Array((right - left) * (bottom - top))
  let at = 0
  for (let row = top; row < bottom; row++) for (let column = left; column < right; column++) pixels[at++] = row * width + column
  return pixels
}

/** Depth of the strips that the mixture is fitted to. */
const MIXTURE_SHARE = 0.06
/** Pixels that are sampled; more give the same mixture. */
const SAMPLES = 3_000
/** Log-likelihoods further than this below the highest count as equally unlikely. */
const UNLIKELIEST = 30

/** How unlikely each pixel's colour is under a mixture fitted to the edges, 0–1. */
export function foreignToBorder(lab: Lab): Plane {
  const { width, height } = lab
  const border = Int32Array.from(new Set(strips(width, height, MIXTURE_SHARE).flatMap((strip) => [...strip])))
  const every = Math.ceil(border.length / SAMPLES)
  const likelihoods = logLikelihoods(
    mixtureOf(
      lab,
      border.filter((_, at) => at % every === 0),
    ),
    lab.planes,
  )
  let most = Number.NEGATIVE_INFINITY
  for (const likelihood of likelihoods) if (likelihood > most) most = likelihood
  for (let pixel = 0; pixel < likelihoods.length; pixel++)
    likelihoods[pixel] = Math.min(most - (likelihoods[pixel] as number), UNLIKELIEST)
  return normalise(likelihoods)
}
