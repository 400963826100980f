import type { Lab, Plane } from './lab.ts'

/** Indices of pixels. */
export type Pixels = Int32Array

/** Three numbers, of L*, a* and b*. */
export type Colour = readonly [number, number, number]
type Symmetric = readonly [number, number, number, number, number, number]

/** How the colours of some pixels are spread: a normal distribution in three dimensions. */
export interface Gaussian {
  readonly mean: Colour
  /** Inverse of the covariance, its upper triangle in rows. */
  readonly precision: Symmetric
  /** Natural logarithm of the covariance's determinant. */
  readonly logDeterminant: number
}

/**
 * Added to the variances of L*, a* and b*, so that a background of one colour does not make every other infinitely far: a
 * spread of 3, 2 and 2, about what noise and JPEG leave on a plain wall.
 */
const FLOOR: Colour = [9, 4, 4]

/** @param pixels at least one */
export function gaussianOf({ planes: [ls, as, bs] }: Lab, pixels: Pixels): Gaussian {
  let [l, a, b, ll, la, lb, aa, ab, bb] = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (const pixel of pixels) {
    const [x, y, z] = [ls[pixel] ?? 0, as[pixel] ?? 0, bs[pixel] ?? 0]
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
  const [first, second, third] = [aa * bb - ab * ab, lb * ab - la * bb, la * ab - lb * aa]
  // The floor keeps the determinant well above what rounding could take away.
  const d = ll * first + la * second + lb * third
  const precision = [first / d, second / d, third / d, (ll * bb - lb * lb) / d, (la * lb - ll * ab) / d, (ll * aa - la * la) / d]
  return { mean, precision: precision as unknown as Symmetric, logDeterminant: Math.log(d) }
}

/** Mahalanobis distance of every pixel's colour, squared: how many spreads it is away. */
export function squaredDistances({ mean, precision }: Gaussian, { planes: [ls, as, bs] }: Lab): Plane {
  const [l, a, b] = mean
  const [ll, la, lb, aa, ab, bb] = precision
  const distances = new Float32Array(ls.length)
  for (let pixel = 0; pixel < distances.length; pixel++) {
    const [x, y, z] = [(ls[pixel] ?? 0) - l, (as[pixel] ?? 0) - a, (bs[pixel] ?? 0) - b]
    distances[pixel] = Math.max(0, x * x * ll + y * y * aa + z * z * bb + 2 * (x * y * la + x * z * lb + y * z * ab))
  }
  return distances
}
