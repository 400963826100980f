import type { Mixture } from '@pixelmill/kernels/mixture'
import type { Lab } from './lab.ts'

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
  for (let at = 0; at < pixels.length; at++) {
    const pixel = pixels[at] as number
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

/** A background has few colours: sky, wall, floor, and shadows on them. */
const COLOURS = 5
/** Rounds of Lloyd's algorithm; the groups hardly change after these. */
const ROUNDS = 8
/** Smaller groups have no meaningful variance. */
const FEWEST = 5

/** The colours of pixels as a mixture of Gaussians: grouped by k-means, one Gaussian to each group. */
export function mixtureOf(lab: Lab, pixels: Pixels): Mixture {
  const groups = groupPixels(lab, pixels).filter(({ length }) => length >= FEWEST)
  return (groups.length > 0 ? groups : [pixels]).map((group) => {
    const { mean, precision, logDeterminant } = gaussianOf(lab, group)
    return { mean, precision, logHeight: Math.log(group.length / pixels.length) - logDeterminant / 2 }
  })
}

/** k-means in Lab; starts with evenly spaced pixels, so that the result is deterministic. */
function groupPixels(lab: Lab, pixels: Pixels): readonly Pixels[] {
  const count = Math.min(COLOURS, pixels.length)
  const [ls, as, bs] = lab.planes
  const centres = new Float64Array(3 * count)
  for (let k = 0; k < count; k++) {
    const pixel = pixels[Math.floor(((k + 0.5) * pixels.length) / count)] ?? 0
    centres.set([ls[pixel] ?? 0, as[pixel] ?? 0, bs[pixel] ?? 0], 3 * k)
  }
  const nearest = new Uint8Array(pixels.length)
  for (let round = 0; round < ROUNDS; round++) {
    const hasChanged = assign(lab, pixels, centres, nearest)
    if (round > 0 && !hasChanged) break
    if (round < ROUNDS - 1) moveCentres(lab, pixels, centres, nearest)
  }
  return Array.from({ length: count }, (_, k) => membersOf(pixels, nearest, k))
}

/** Writes the number of the nearest centre for each pixel, the first of equals. @returns whether any is another one */
function assign({ planes: [ls, as, bs] }: Lab, pixels: Pixels, centres: Float64Array, nearest: Uint8Array): boolean {
  let hasChanged = false
  for (let at = 0; at < pixels.length; at++) {
    const pixel = pixels[at] as number
    const l = ls[pixel] as number
    const a = as[pixel] as number
    const b = bs[pixel] as number
    let least = Number.POSITIVE_INFINITY
    let best = 0
    for (let k = 0; 3 * k < centres.length; k++) {
      const x = l - (centres[3 * k] as number)
      const y = a - (centres[3 * k + 1] as number)
      const z = b - (centres[3 * k + 2] as number)
      const distance = x * x + y * y + z * z
      if (distance >= least) continue
      least = distance
      best = k
    }
    if (nearest[at] === best) continue
    nearest[at] = best
    hasChanged = true
  }
  return hasChanged
}

/** Moves each centre to the mean of its pixels, if it has any. */
function moveCentres({ planes: [ls, as, bs] }: Lab, pixels: Pixels, centres: Float64Array, nearest: Uint8Array): void {
  const counts = new Float64Array(centres.length / 3)
  const sums = new Float64Array(centres.length)
  for (let at = 0; at < pixels.length; at++) {
    const pixel = pixels[at] as number
    const k = nearest[at] as number
    counts[k] = (counts[k] as number) + 1
    sums[3 * k] = (sums[3 * k] as number) + (ls[pixel] as number)
    sums[3 * k + 1] = (sums[3 * k + 1] as number) + (as[pixel] as number)
    sums[3 * k + 2] = (sums[3 * k + 2] as number) + (bs[pixel] as number)
  }
  for (let at = 0; at < centres.length; at++) {
    const pixelCount = counts[Math.floor(at / 3)] as number
    if (pixelCount > 0) centres[at] = (sums[at] as number) / pixelCount
  }
}

function membersOf(pixels: Pixels, nearest: Uint8Array, k: number): Pixels {
  const members = new Int32Array(pixels.length)
  let count = 0
  for (let at = 0; at < pixels.length; at++) if (nearest[at] === k) members[count++] = pixels[at] as number
  return members.subarray(0, count)
}
