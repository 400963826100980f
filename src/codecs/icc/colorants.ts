import type { Chromaticity, RgbSpace } from './rgb-space.ts'

export type Xyz = readonly [x: number, y: number, z: number]
/** Three columns. */
export type Matrix = readonly [Xyz, Xyz, Xyz]

/** White of the profile connection space (ICC.1:2022, 7.2.16). */
export const D50: Xyz = [0.9642, 1, 0.8249]

/** From XYZ to the cone responses of the Bradford transform, which adapts white points (ICC.1:2022, annex E). */
const BRADFORD: Matrix = [
  [0.8951, -0.7502, 0.0389],
  [0.2664, 1.7135, -0.0685],
  [-0.1614, 0.0367, 1.0296],
]

export const xyz = ([x, y]: Chromaticity): Xyz => [x / y, 1, (1 - x - y) / y]
const scale = ([x, y, z]: Xyz, by: number): Xyz => [x * by, y * by, z * by]
const apply = ([a, b, c]: Matrix, [x, y, z]: Xyz): Xyz => [
  a[0] * x + b[0] * y + c[0] * z,
  a[1] * x + b[1] * y + c[1] * z,
  a[2] * x + b[2] * y + c[2] * z,
]
const cross = (a: Xyz, b: Xyz): Xyz => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
const dot = (a: Xyz, b: Xyz): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/** Shares of the three columns that make up `target`: Cramer's rule. */
export function solve([a, b, c]: Matrix, target: Xyz): Xyz {
  const determinant = dot(a, cross(b, c))
  return [dot(target, cross(b, c)) / determinant, dot(a, cross(target, c)) / determinant, dot(a, cross(b, target)) / determinant]
}

/** XYZ of each primary at full, adapted to D50: the columns of the matrix that an ICC profile holds. */
export function colorants({ red, green, blue, white }: RgbSpace): Matrix {
  const primaries: Matrix = [xyz(red), xyz(green), xyz(blue)]
  const shares = solve(primaries, xyz(white))
  const adapted = adaptation(white)
  return [
    adapted(scale(primaries[0], shares[0])),
    adapted(scale(primaries[1], shares[1])),
    adapted(scale(primaries[2], shares[2])),
  ]
}

/** From colours seen under a white to the same seen under D50. */
export function adaptation(white: Chromaticity): (color: Xyz) => Xyz {
  const [from, to] = [apply(BRADFORD, xyz(white)), apply(BRADFORD, D50)]
  return (color) => {
    const [l, m, s] = apply(BRADFORD, color)
    return solve(BRADFORD, [(l * to[0]) / from[0], (m * to[1]) / from[1], (s * to[2]) / from[2]])
  }
}
