import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutOut, placeOn, withoutBars } from '@pixelmill/codecs/pixels/bars'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { noisy } from '@pixelmill/vision/test/matting/drawings'

/** A picture whose levels follow from the place of each pixel, as a JPEG leaves them: ± 2. */
function picture(width: number, height: number, levelAt: (x: number, y: number) => number): Raster {
  const noise = noisy(2)
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3)
    return noise(levelAt(pixel % width, Math.floor(pixel / width)))
  })
  return { data, width, height, channels: 3 }
}

/** Nothing in it is even: stripes of many levels. */
const busy = (x: number, y: number) => 70 + ((x * 37 + y * 59) % 120)
const boxOf = (raster: Raster): readonly number[] => {
  const { left, top, width, height } = withoutBars(raster)
  return [left, top, width, height]
}

test('bars of one colour above and below, or on both sides, are cut off with their soft edge', () => {
  const wide = picture(160, 120, (x, y) => (y < 15 || y >= 105 ? 3 : busy(x, y)))
  assert.deepEqual(boxOf(wide), [0, 16, 160, 88])
  const tall = picture(160, 120, (x, y) => (x < 40 || x >= 130 ? 250 : busy(x, y)))
  assert.deepEqual(boxOf(tall), [41, 0, 88, 120])
  const soft = picture(160, 120, (x, y) => (y < 15 || y > 105 ? 3 : y === 15 || y === 105 ? 60 : busy(x, y)))
  assert.deepEqual(boxOf(soft), [0, 16, 160, 89])
})

test('a thin frame is cut off; a wide one is the ground of a rectangular subject', () => {
  const pictureInFrame = (depth: number) =>
    picture(160, 160, (x, y) => (Math.min(x, y, 159 - x, 159 - y) < depth ? 0 : busy(x, y)))
  assert.deepEqual(boxOf(pictureInFrame(5)), [6, 6, 148, 148])
  assert.deepEqual(boxOf(pictureInFrame(40)), [0, 0, 160, 160])
})

const barless: readonly (readonly [name: string, levelAt: (x: number, y: number) => number])[] = [
  ['a picture of one colour', () => 128],
  ['a picture that is busy up to its edges', busy],
  ['a round subject on an even ground', (x, y) => (Math.hypot(x - 80, y - 60) < 50 ? busy(x, y) : 250)],
  ['a subject with straight sides that ends before the edge', (x, y) => (x > 40 && x < 120 && y > 10 ? busy(x, y) : 250)],
  ['one even strip, as a sky', (x, y) => (y < 50 ? 200 : busy(x, y))],
  ['even strips of two colours', (x, y) => (y < 20 ? 240 : y >= 100 ? 10 : busy(x, y))],
]
for (const [name, levelAt] of barless) {
  test(`${name} has no bars`, () => assert.deepEqual(boxOf(picture(160, 120, levelAt)), [0, 0, 160, 120]))
}

test('a picture of few pixels has no bars', () => {
  for (const [width, height] of [
    [1, 1],
    [2, 3],
    [1, 9],
    [5, 5],
  ] as const)
    assert.deepEqual(boxOf(picture(width, height, busy)), [0, 0, width, height])
})

test('a part is cropped and placed where it was', () => {
  const data = Uint8Array.from({ length: 12 }, (_, at) => at)
  const part = cutOut({ data, width: 4, height: 3, channels: 1 }, { left: 1, top: 1, width: 2, height: 2 })
  assert.deepEqual([...part.data], [5, 6, 9, 10])
  const whole = placeOn(part.data, { left: 1, top: 1, width: 2, height: 2 }, { width: 4, height: 3 })
  assert.deepEqual([...whole], [0, 0, 0, 0, 0, 5, 6, 0, 0, 9, 10, 0])
})
