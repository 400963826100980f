import type { Lab } from './lab.ts'

/** How the colours of some pixels are spread: a normal distribution in three dimensions. */
export interface Gaussian {
  readonly mean: Colour
  /** Inverse of the covariance, its upper triangle in rows. */
  readonly precision: Symmetric
  /** Natural logarithm of the covariance's determinant. */
  readonly logDeterminant: number
}

export type Colour = readonly [number, number, number]
type Symmetric = readonly [number, number, number, number, number, number]

/**
 * Added to the variances of L*, a* and b*, so that a background of one colour does not make every other infinitely far: a
 * spread of 3, 2 and 2, about what noise and JPEG leave on a plain wall.
 */
const FLOOR: Colour = [9, 4, 4]

export const colourAt = ({ planes: [l, a, b] }: Lab, pixel: number): Colour => [l[pixel] ?? 0, a[pixel] ?? 0, b[pixel] ?? 0]

/** @param pixels at least one */
export function gaussianOf(lab: Lab, pixels: Iterable<number>): Gaussian {
  let count = 0
  const sums = new Float64Array(9)
  for (const pixel of pixels) {
    const [l, a, b] = colourAt(lab, pixel)
    const terms = [l, a, b, l * l, l * a, l * b, a * a, a * b, b * b]
    for (let at = 0; at < 9; at++) sums[at] = (sums[at] ?? 0) + (terms[at] ?? 0)
    count++
  }
  const [l = 0, a = 0, b = 0, ll = 0, la = 0, lb = 0, aa = 0, ab = 0, bb = 0] = sums.map((sum) => sum / count)
  return fromCovariance(
    [l, a, b],
    [ll - l * l + FLOOR[0], la - l * a, lb - l * b, aa - a * a + FLOOR[1], ab - a * b, bb - b * b + FLOOR[2]],
  )
}

/** Inverts a symmetric matrix of three rows by its cofactors. */
function fromCovariance(mean: Colour, [ll, la, lb, aa, ab, bb]: Symmetric): Gaussian {
  const [first, second, third] = [aa * bb - ab * ab, lb * ab - la * bb, la * ab - lb * aa]
  // The floor keeps the determinant well above what rounding could take away.
  const determinant = ll * first + la * second + lb * third
  const cofactors = [first, second, third, ll * bb - lb * lb, la * lb - ll * ab, ll * aa - la * la] as const
  const precision = cofactors.map((cofactor) => cofactor / determinant) as unknown as Symmetric
  return { mean, precision, logDeterminant: Math.log(determinant) }
}

/** Mahalanobis distance, squared: how many spreads a colour is away. */
export function squaredDistance({ mean, precision: [ll, la, lb, aa, ab, bb] }: Gaussian, [l, a, b]: Colour): number {
  const [x, y, z] = [l - mean[0], a - mean[1], b - mean[2]]
  return Math.max(0, x * x * ll + y * y * aa + z * z * bb + 2 * (x * y * la + x * z * lb + y * z * ab))
}
