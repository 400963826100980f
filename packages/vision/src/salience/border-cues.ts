import { logLikelihoods } from '@pixelmill/kernels/mixture'
import { gaussianOf, mixtureOf, type Pixels, squaredDistances } from './gaussian-mixture.ts'
import { type Lab, normalise, type Plane } from './lab.ts'

/** Depth of a strip, as in the paper. */
const SHARE = 0.1

/**
 * How much each pixel's colour differs from the edges', 0–1: the sum of Mahalanobis distances to the strips along the four edges,
 * without the largest, since the subject may reach that edge. The second half of MB+ in the paper cited in barrier-distance.ts.
 */
export function unlikeBorder(lab: Lab): Plane {
  const { width, height } = lab
  const sum = new Float32Array(width * height)
  const most = new Float32Array(width * height)
  for (const strip of strips(width, height, SHARE)) {
    const distance = normalise(squaredDistances(gaussianOf(lab, strip), lab).map(Math.sqrt))
    for (let pixel = 0; pixel < sum.length; pixel++) {
      const unlike = distance[pixel] ?? 0
      sum[pixel] = (sum[pixel] ?? 0) + unlike
      if (unlike > (most[pixel] ?? 0)) most[pixel] = unlike
    }
  }
  for (let pixel = 0; pixel < sum.length; pixel++) sum[pixel] = (sum[pixel] ?? 0) - (most[pixel] ?? 0)
  return normalise(sum)
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
  const across = right - left
  return Int32Array.from(
    { length: across * (bottom - top) },
    (_, at) => (top + Math.floor(at / across)) * width + left + (at % across),
  )
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
  const most = likelihoods.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return normalise(likelihoods.map((likelihood) => Math.min(most - likelihood, UNLIKELIEST)))
}
