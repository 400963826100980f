import type { Chromaticity, Curve, RgbSpace } from './rgb-space.ts'

/** Entries of a sampled curve: steps of 1/4095 keep 8 bits exact, near black too. */
const CURVE_ENTRIES = 4096
const HEADER_BYTES = 128
const ENTRY_BYTES = 12

/** s15Fixed16Number (ICC.1:2022, 4.6). */
const toFixedPoint = (value: number): number => Math.round(value * 65_536)

function xyzTag([x, y, z]: Xyz): Buffer {
  const tag = Buffer.alloc(20)
  tag.write('XYZ ', 'latin1')
  tag.writeInt32BE(toFixedPoint(x), 8)
  tag.writeInt32BE(toFixedPoint(y), 12)
  tag.writeInt32BE(toFixedPoint(z), 16)
  return tag
}

function curveTag(curve: Curve): Buffer {
  const tag = Buffer.alloc(12 + CURVE_ENTRIES * 2)
  tag.write('curv', 'latin1')
  tag.writeUInt32BE(CURVE_ENTRIES, 8)
  for (let entry = 0; entry < CURVE_ENTRIES; entry++) {
    const linear = Math.min(1, Math.max(0, curve(entry / (CURVE_ENTRIES - 1))))
    tag.writeUInt16BE(Math.round(linear * 65_535), 12 + entry * 2)
  }
  return tag
}

/**
 * A matrix and curve profile of the space, for LittleCMS to convert from: ICC version 2, display class (ICC.1:2001-04,
 * 6.3.2 without its text tags).
 */
export function profileOf(space: RgbSpace): Buffer {
  const [red, green, blue] = colorants(space)
  const [redCurve, greenCurve, blueCurve] = space.curves
  const tags: readonly (readonly [signature: string, data: Buffer])[] = [
    ['wtpt', xyzTag(D50)],
    ['rXYZ', xyzTag(red)],
    ['gXYZ', xyzTag(green)],
    ['bXYZ', xyzTag(blue)],
    ['rTRC', curveTag(redCurve)],
    ['gTRC', curveTag(greenCurve)],
    ['bTRC', curveTag(blueCurve)],
  ]
  const table = Buffer.alloc(4 + tags.length * ENTRY_BYTES)
  table.writeUInt32BE(tags.length)
  let offset = HEADER_BYTES + table.length
  for (const [index, [signature, data]] of tags.entries()) {
    const entry = 4 + index * ENTRY_BYTES
    table.write(signature, entry, 'latin1')
    table.writeUInt32BE(offset, entry + 4)
    table.writeUInt32BE(data.length, entry + 8)
    offset += data.length
  }
  return Buffer.concat([header(offset), table, ...tags.map(([, data]) => data)])
}

function header(size: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeUInt32BE(size, 0)
  bytes.writeUInt32BE(0x02_20_00_00, 8)
  bytes.write('mntrRGB XYZ ', 12, 'latin1')
  bytes.write('acsp', 36, 'latin1')
  xyzTag(D50).copy(bytes, 68, 8)
  return bytes
}

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

/** Solves for the factors of the three columns that give `target`, by Cramer's rule. */
export function solve([a, b, c]: Matrix, target: Xyz): Xyz {
  const determinant = dot(a, cross(b, c))
  return [dot(target, cross(b, c)) / determinant, dot(a, cross(target, c)) / determinant, dot(a, cross(b, target)) / determinant]
}

/** XYZ of each primary at full intensity, adapted to D50: the matrix columns of an ICC profile. */
export function colorants({ red, green, blue, white }: RgbSpace): Matrix {
  const primaries: Matrix = [xyz(red), xyz(green), xyz(blue)]
  const shares = solve(primaries, xyz(white))
  const adaptToD50 = adaptation(white)
  return [
    adaptToD50(scale(primaries[0], shares[0])),
    adaptToD50(scale(primaries[1], shares[1])),
    adaptToD50(scale(primaries[2], shares[2])),
  ]
}

/** Adapts colours from a white point to D50. */
export function adaptation(white: Chromaticity): (color: Xyz) => Xyz {
  const from = apply(BRADFORD, xyz(white))
  const to = apply(BRADFORD, D50)
  return (color) => {
    const [l, m, s] = apply(BRADFORD, color)
    return solve(BRADFORD, [(l * to[0]) / from[0], (m * to[1]) / from[1], (s * to[2]) / from[2]])
  }
}
