import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { applyMatte, type Matte } from '../../src/matting/apply-matte.ts'

const WIDTH = 480
const HEIGHT = 320
const opacityAt = (x: number, y: number) => Math.max(0, Math.min(1, 90 - Math.hypot(x + 0.5 - 250, y + 0.5 - 150)))

/** An orange disc before blue, its outline one pixel wide. */
function disc(): Raster {
  const data = new Uint8Array(WIDTH * HEIGHT * 4)
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
    const opacity = opacityAt(pixel % WIDTH, Math.floor(pixel / WIDTH))
    data.set([30 + 200 * opacity, 60 + 60 * opacity, 200 - 160 * opacity, 255], pixel * 4)
  }
  return { data, width: WIDTH, height: HEIGHT, channels: 4 }
}

/** The disc's own opacity, as a model of square input gives it: coarse, and of another ratio. */
function coarse(side: number): Float32Array {
  const data = new Float32Array(side * side)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const to = Math.floor((y * side) / HEIGHT) * side + Math.floor((x * side) / WIDTH)
      data[to] = (data[to] ?? 0) + (opacityAt(x, y) * side * side) / (WIDTH * HEIGHT)
    }
  }
  return data
}

/** Mean error of opacity over the pixels of the outline and those around it, 0–1. */
function outlineError({ data }: Raster): number {
  let error = 0
  let count = 0
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
    const x = pixel % WIDTH
    const y = Math.floor(pixel / WIDTH)
    if (Math.abs(Math.hypot(x + 0.5 - 250, y + 0.5 - 150) - 89.5) > 8) continue
    error += Math.abs((data[pixel * 4 + 3] ?? 0) / 255 - opacityAt(x, y))
    count++
  }
  return error / count
}

const mattes: Readonly<Record<string, Matte>> = {
  'of numbers 0–1': { width: 40, height: 40, data: coarse(40) },
  'of bytes': { width: 40, height: 40, data: Uint8Array.from(coarse(40), (value) => Math.round(255 * Math.min(1, value))) },
}
for (const [name, matte] of Object.entries(mattes)) {
  test(`a coarse matte ${name} gets the sharpness of the picture`, () => {
    const picture = disc()
    applyMatte(picture, matte)
    assert.ok(outlineError(picture) < 0.02, `opacity is off by ${outlineError(picture)}`)
    assert.deepEqual([...picture.data.subarray(0, 4)], [0, 0, 0, 0])
    assert.deepEqual([...picture.data.subarray((150 * WIDTH + 250) * 4, (150 * WIDTH + 250) * 4 + 4)], [230, 120, 40, 255])
  })
}

test('a matte may be larger than the picture', () => {
  const data = Uint8Array.from({ length: 9 * 6 * 4 }, (_, at) => (at % 4 === 3 ? 255 : at % 36 < 16 ? 220 : 20))
  const opacity = Float32Array.from({ length: 2_000 * 1_500 }, (_, at) => (at % 2_000 < 889 ? 1 : 0))
  applyMatte({ data, width: 9, height: 6, channels: 4 }, { width: 2_000, height: 1_500, data: opacity })
  const alpha = Array.from({ length: 9 }, (_, x) => (data[(2 * 9 + x) * 4 + 3] ?? 0) > 127)
  assert.deepEqual(alpha, [true, true, true, true, false, false, false, false, false])
})

test('an empty or full matte is applied as it is', () => {
  for (const [opacity, expected] of [
    [0, [0, 0, 0, 0]],
    [1, [9, 9, 9, 255]],
  ] as const) {
    const picture = {
      data: Uint8Array.from({ length: 400 }, (_, at) => (at % 4 === 3 ? 255 : 9)),
      width: 10,
      height: 10,
      channels: 4,
    }
    applyMatte(picture, { width: 5, height: 5, data: new Float32Array(25).fill(opacity) })
    for (let at = 0; at < 400; at += 4) assert.deepEqual([...picture.data.subarray(at, at + 4)], expected)
  }
})

test('transparent pixels stay transparent', () => {
  const picture = disc()
  const middle = (150 * WIDTH + 250) * 4
  picture.data[middle + 3] = 100
  applyMatte(picture, { width: 1, height: 1, data: Float32Array.of(1) })
  assert.equal(picture.data[middle + 3], 100)
})
