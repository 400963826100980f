import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clearHidden, isCutOut } from '@pixelmill/codecs/pixels/raster'

/** A thousand pixels, the first of which have that alpha. */
function raster(pixels: number, alpha: number) {
  const data = new Uint8Array(4_000).fill(255)
  for (let pixel = 0; pixel < pixels; pixel++) data[pixel * 4 + 3] = alpha
  return { data, width: 50, height: 20, channels: 4 }
}

test('a picture counts as cut out if more than 1 % of its pixels are not opaque', () => {
  assert.deepEqual([isCutOut(raster(10, 0)), isCutOut(raster(11, 0))], [false, true])
  assert.deepEqual([isCutOut(raster(1_000, 250)), isCutOut(raster(1_000, 249))], [false, true])
})

test('a picture without alpha never counts as cut out, whatever its blue channel', () => {
  assert.equal(isCutOut({ data: new Uint8Array(3_000), width: 50, height: 20, channels: 3 }), false)
})

test('only the colours of fully transparent pixels are cleared', () => {
  const picture = { ...raster(0, 0), data: Uint8Array.of(9, 8, 7, 0, 9, 8, 7, 1) }
  clearHidden(picture)
  assert.deepEqual([...picture.data], [0, 0, 0, 0, 9, 8, 7, 1])
})
