import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundAlpha } from '../../src/matting/apply-matte.ts'

const OWN = [90, 80, 70]

/** A picture of one colour, cut out with these opacities, another colour in what can be seen. */
function boundRow(
  alphas: readonly number[],
  width: number,
  matte: { readonly data: Uint8Array; readonly width: number; readonly height: number },
) {
  const data = Uint8Array.from(alphas.flatMap((alpha) => (alpha === 0 ? [0, 0, 0, 0] : [9, 8, 7, alpha])))
  const own = Uint8Array.from(alphas.flatMap(() => [...OWN, 255]))
  boundAlpha({ data, width, height: alphas.length / width, channels: 4 }, own, matte)
  return alphas.map((_, pixel) => [...data.subarray(pixel * 4, pixel * 4 + 4)])
}
const row = (...alphas: number[]) => ({ data: Uint8Array.from(alphas), width: alphas.length, height: 1 })

test('inside and outside a subject the matte limits opacity; at its outline the cut-out decides', () => {
  const alphas = Array.from({ length: 16 }, (_, at) => [200, 40, 0][at % 3] ?? 0)
  const result = boundRow(alphas, 16, row(255, 255, 255, 255, 0, 0, 0, 0))
  assert.deepEqual(result.slice(0, 6), Array(6).fill([...OWN, 255]))
  assert.deepEqual(
    result.slice(6, 10),
    alphas.slice(6, 10).map((alpha) => (alpha ? [9, 8, 7, alpha] : [0, 0, 0, 0])),
  )
  assert.deepEqual(result.slice(10), Array(6).fill([0, 0, 0, 0]))
})

test('vertical neighbours count like horizontal ones', () => {
  const matte = { data: Uint8Array.of(100, 100, 100, 100, 200, 200), width: 2, height: 3 }
  const alphas = boundRow(Array(24).fill(150), 4, matte).map(([, , , alpha]) => alpha)
  assert.deepEqual(alphas, [...Array(8).fill(100), ...Array(16).fill(150)])
})

test('pixels that were transparent get the picture’s colour back, half transparent ones keep their own', () => {
  assert.deepEqual(boundRow([0, 9, 0, 9], 4, row(128)), [
    [...OWN, 128],
    [9, 8, 7, 128],
    [...OWN, 128],
    [9, 8, 7, 128],
  ])
})

test('a matte nearly as large as the picture, or larger, sets the opacity directly', () => {
  assert.deepEqual(
    boundRow([0, 255, 0, 255], 4, row(10, 20, 30, 40)).map(([, , , alpha]) => alpha),
    [10, 20, 30, 40],
  )
  assert.deepEqual(
    boundRow([0, 255], 2, row(10, 20, 30, 40)).map(([, , , alpha]) => alpha),
    [15, 35],
  )
})
