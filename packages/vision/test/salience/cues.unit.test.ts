import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barrierDistance as barrierOf } from '@pixelmill/kernels/barrier'
import { distancesFrom, foreignToBorder, unlikeBorder } from '../../src/salience/border-cues.ts'
import { gaussianOf, mixtureOf } from '../../src/salience/gaussian-mixture.ts'
import { type Lab, labOf } from '../../src/salience/lab.ts'
import { salienceOf } from '../../src/salience/salience.ts'

/** A picture whose pixels have the colour that their place gives. */
const raster = (width: number, height: number, colour: (x: number, y: number) => readonly number[]) => {
  const pixels = Array.from({ length: width * height }, (_, at) => colour(at % width, Math.floor(at / width)))
  return { width, height, channels: pixels[0]?.length ?? 3, data: Uint8Array.from(pixels.flat()) }
}
/** Only its lightness matters. */
const grey = (rows: readonly (readonly number[])[]): Lab => {
  const height = rows.length
  const width = rows[0]?.length ?? 0
  return {
    width,
    height,
    planes: [Float32Array.from(rows.flat()), new Float32Array(width * height), new Float32Array(width * height)],
  }
}
const barrierDistance = ({ planes, width, height }: Lab) => barrierOf(planes, width, height)
const roundAll = (values: Iterable<number>) => Array.from(values, (value) => Math.round(value))

test('the colours of CIE Lab are those of the standard', () => {
  // By Bruce Lindbloom's calculator, sRGB under D65.
  const references: readonly (readonly [rgb: readonly number[], lab: readonly number[]])[] = [
    [
      [255, 255, 255],
      [100, 0, 0],
    ],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
    [
      [255, 0, 0],
      [53, 80, 67],
    ],
    [
      [0, 255, 0],
      [88, -86, 83],
    ],
    [
      [0, 0, 255],
      [32, 79, -108],
    ],
    [
      [119, 119, 119],
      [50, 0, 0],
    ],
  ]
  for (const [rgb, expected] of references) {
    const { planes } = labOf(raster(1, 1, () => rgb))
    for (const [axis, plane] of planes.entries())
      assert.ok(Math.abs((plane[0] ?? 0) - (expected[axis] ?? 0)) < 0.6, `${rgb}: ${plane[0]}`)
  }
})

test('the barrier distance is the least rise and fall on the way to the edge', () => {
  const distance = barrierDistance(
    grey([
      [0, 0, 0, 0, 0],
      [0, 9, 9, 9, 0],
      [0, 9, 5, 9, 0],
      [0, 9, 9, 3, 0],
      [0, 0, 0, 0, 0],
    ]),
  )
  assert.deepEqual(roundAll(distance), [0, 0, 0, 0, 0, 0, 9, 9, 9, 0, 0, 9, 9, 9, 0, 0, 9, 9, 3, 0, 0, 0, 0, 0, 0])
})

test('a smooth gradient to the edge is no barrier', () => {
  const distance = barrierDistance(grey(Array.from({ length: 9 }, () => [0, 10, 20, 30, 40, 50, 60, 70, 80])))
  assert.deepEqual(new Set(distance), new Set([0]))
})

test('the Mahalanobis distance of pixels follows their colours', () => {
  const lab = grey([[0, 10, 20, 30, 40]])
  const gaussian = gaussianOf(lab, Int32Array.of(0, 2))
  // Mean 10, variance 100 and the floor of 9.
  assert.deepEqual(roundAll(distancesFrom(gaussian, lab).map((value) => value ** 2 * 109)), [100, 0, 100, 400, 900])
})

test('neither colour of a two-coloured background is foreign', () => {
  const picture = raster(40, 40, (x, y) => {
    const inside = x > 14 && x < 25 && y > 14 && y < 25
    if (inside) return [220, 40, 40]
    return x < 20 ? [240, 240, 240] : [30, 60, 160]
  })
  const foreign = foreignToBorder(labOf(picture))
  assert.ok((foreign[20 * 40 + 20] ?? 0) > 0.9)
  for (const at of [20 * 40 + 3, 20 * 40 + 36, 3, 36]) assert.ok((foreign[at] ?? 1) < 0.1, `${at}: ${foreign[at]}`)
})

test('a subject that reaches one edge still stands out from the others', () => {
  const unlike = unlikeBorder(labOf(raster(60, 60, (x, y) => (x > 20 && x < 40 && y > 30 ? [200, 120, 40] : [90, 120, 160]))))
  assert.ok((unlike[55 * 60 + 30] ?? 0) > 0.5)
  assert.ok((unlike[5 * 60 + 30] ?? 1) < 0.1)
})

test('every cue takes the smallest pictures', () => {
  for (const [width, height] of [
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
    [1, 256],
    [256, 1],
    [3, 3],
  ] as const) {
    const picture = raster(width, height, (x, y) => [x % 256, y % 256, (x + y) % 256])
    const salience = salienceOf(picture)
    assert.equal(salience.length, width * height)
    assert.ok(salience.every((value) => value >= 0 && value <= 1))
    assert.ok(mixtureOf(labOf(picture), Int32Array.of(0)).length === 1)
  }
})

test('what is hidden by transparency does not count, what is not does', () => {
  const salience = salienceOf(
    raster(40, 40, (x, y) => (x > 10 && x < 20 && y > 10 && y < 30 ? [255, 255, 255, 255] : [(x * 50) % 256, 0, 90, 0])),
  )
  assert.ok((salience[20 * 40 + 15] ?? 0) > 0.8)
  assert.ok([20 * 40 + 30, 0, 5 * 40 + 5].every((at) => salience[at] === 0))
})
