import type { Lab, Plane } from './lab.ts'

/** Indices of pixels. */
export type Pixels = Int32Array

/** Three numbers, of L*, a* and b*. */
export type Colour = readonly [number, number, number]
type Symmetric = readonly [number, number, number, number, number, number]

/** The distribution of some pixels' colours, as a three-dimensional Gaussian. */
export interface Gaussian {
  readonly mean: Colour
  /** Inverse of the covariance, its upper triangle in rows. */
  readonly precision: Symmetric
  /** Natural logarithm of the covariance's determinant. */
  readonly logDeterminant: number
}

/**
 * Added to the variances of L*, a* and b*, so that distances to a single-colour background stay finite: a standard deviation of
 * 3, 2 and 2, about that of noise and JPEG on a plain wall.
 */
const FLOOR: Colour = [9, 4, 4]

/** @param pixels at least one */
export function gaussianOf({ planes: [ls, as, bs] }: Lab, pixels: Pixels): Gaussian {
  let l = 0
  let a = 0
  let b = 0
  let ll = 0
  let la = 0
  let lb = 0
  let aa = 0
  let ab = 0
  let bb = 0
  for (const pixel of pixels) {
    const x = ls[pixel] ?? 0
    const y = as[pixel] ?? 0
    const z = bs[pixel] ?? 0
    l += x
    a += y
    b += z
    ll += x * x
    la += x * y
    lb += x * z
    aa += y * y
    ab += y * z
    bb += z * z
  }
  const n = pixels.length
  const mean = [l / n, a / n, b / n] as const
  const [x, y, z] = mean
  return fromCovariance(mean, [
    ll / n - x * x + FLOOR[0],
    la / n - x * y,
    lb / n - x * z,
    aa / n - y * y + FLOOR[1],
    ab / n - y * z,
    bb / n - z * z + FLOOR[2],
  ])
}

/** Inverts a symmetric matrix of three rows by its cofactors. */
function fromCovariance(mean: Colour, [ll, la, lb, aa, ab, bb]: Symmetric): Gaussian {
  const first = aa * bb - ab * ab
  const second = lb * ab - la * bb
  const third = la * ab - lb * aa
  // FLOOR keeps the determinant well above rounding errors.
  const d = ll * first + la * second + lb * third
  const precision = [first / d, second / d, third / d, (ll * bb - lb * lb) / d, (la * lb - ll * ab) / d, (ll * aa - la * la) / d]
  return { mean, precision: precision as unknown as Symmetric, logDeterminant: Math.log(d) }
}

/** Squared Mahalanobis distance of every pixel's colour. */
export function squaredDistances({ mean, precision }: Gaussian, { planes: [ls, as, bs] }: Lab): Plane {
  const [l, a, b] = mean
  const [ll, la, lb, aa, ab, bb] = precision
  const distances = new Float32Array(ls.length)
  for (let pixel = 0; pixel < distances.length; pixel++) {
    const x = (ls[pixel] ?? 0) - l
    const y = (as[pixel] ?? 0) - a
    const z = (bs[pixel] ?? 0) - b
    distances[pixel] = Math.max(0, x * x * ll + y * y * aa + z * z * bb + 2 * (x * y * la + x * z * lb + y * z * ab))
  }
  return distances
}

/** A background has few colours: sky, wall, floor, and shadows on them. */
const COLOURS = 5
/** Rounds of Lloyd's algorithm; the groups hardly change after these. */
const ROUNDS = 8
/** Smaller groups have no meaningful variance. */
const FEWEST = 5

/** A Gaussian, and its log weight and log normalisation. */
interface Component {
  readonly gaussian: Gaussian
  readonly logHeight: number
}

/** The colours of pixels as a mixture of Gaussians: grouped by k-means, one Gaussian to each group. */
export function mixtureOf(lab: Lab, pixels: Pixels): readonly Component[] {
  const groups = groupPixels(lab, pixels).filter(({ length }) => length >= FEWEST)
  return (groups.length > 0 ? groups : [pixels]).map((group) => {
    const gaussian = gaussianOf(lab, group)
    return { gaussian, logHeight: Math.log(group.length / pixels.length) - gaussian.logDeterminant / 2 }
  })
}

/** k-means in Lab; starts with evenly spaced pixels, so that the result is deterministic. */
function groupPixels(lab: Lab, pixels: Pixels): readonly Pixels[] {
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
  const nearest = new Uint8Array(pixels.length)
  const least = new Float32Array(pixels.length).fill(Number.POSITIVE_INFINITY)
  for (const [k, [l, a, b]] of centres.entries()) {
    for (let at = 0; at < pixels.length; at++) {
      const pixel = pixels[at] ?? 0
      const x = (ls[pixel] ?? 0) - l
      const y = (as[pixel] ?? 0) - a
      const z = (bs[pixel] ?? 0) - b
      const distance = x * x + y * y + z * z
      if (distance >= (least[at] ?? 0)) continue
      least[at] = distance
      nearest[at] = k
    }
  }
  return nearest
}

/** Log-likelihood of each pixel's colour, up to a constant, approximated by that of the likeliest Gaussian. */
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
