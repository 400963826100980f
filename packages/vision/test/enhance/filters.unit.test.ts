import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Filter, filterPlane } from '@pixelmill/kernels/rows'
import { deblurredRows, type Sharpening } from '../../src/enhance/deblur.ts'
import { denoise } from '../../src/enhance/denoise.ts'
import { gaussian } from '../../src/enhance/gaussian.ts'
import type { Plane } from '../../src/enhance/planes.ts'
import { enlargedRows, shrunkRows, upscaledRows } from '../../src/enhance/upscale.ts'
import { alike, distance, draw, normal } from './pictures.ts'

const WIDTH = 61
const HEIGHT = 45
const planeFilter =
  (filter: Filter) =>
  (plane: Plane, width: number, height: number): Plane =>
    filterPlane(plane, width, height, filter)
const enlarge = planeFilter(enlargedRows)
const upscale = planeFilter(upscaledRows)
const deblur = (plane: Plane, width: number, height: number, sharpening: Sharpening): Plane =>
  filterPlane(plane, width, height, (workspace, rows) => deblurredRows(workspace, rows, sharpening))
const filters: Readonly<Record<string, (plane: Plane) => Plane>> = {
  gaussian: (plane) => gaussian(plane, WIDTH, HEIGHT, 1.3),
  denoise: (plane) => denoise(plane, WIDTH, HEIGHT, { sigma: 10, stride: 4 }),
  deblur: (plane) => deblur(plane, WIDTH, HEIGHT, { sigma: 1.3, alpha: 2, beta: 3 }),
  enlarge: (plane) => enlarge(plane, WIDTH, HEIGHT),
  upscale: (plane) => upscale(plane, WIDTH, HEIGHT),
}
const mirror = (plane: Plane, width: number) =>
  draw(width, plane.length / width, (x, y) => plane[y * width + (width - 1 - x)] ?? Number.NaN)
const rough = (seed: number) => {
  const random = normal(seed)
  return draw(WIDTH, HEIGHT, (x, y) => 100 + (x > 30 ? 60 : 0) + y + 5 * random())
}

for (const [name, filter] of Object.entries(filters)) {
  test(`${name} leaves a uniform colour unchanged, also at the edges`, () => {
    const result = filter(draw(WIDTH, HEIGHT, () => 77))
    assert.ok(result.length >= WIDTH * HEIGHT)
    assert.ok(alike(result, new Float32Array(result.length).fill(77)))
  })
}

for (const name of ['gaussian', 'deblur', 'enlarge', 'upscale'] as const) {
  test(`${name} is symmetric: the mirror image gives the mirror image`, () => {
    const filter = filters[name] as (plane: Plane) => Plane
    const picture = rough(3)
    const result = filter(picture)
    const width = Math.sqrt(result.length / picture.length) * WIDTH
    assert.ok(alike(filter(mirror(picture, WIDTH)), mirror(result, width)))
  })
}

test('denoising removes most of the noise and keeps edges', () => {
  const clean = draw(WIDTH, HEIGHT, (x, y) => (x >= 30 ? 180 : 60) + y / 2)
  const random = normal(7)
  const noisy = clean.map((value) => value + 10 * random())
  const result = denoise(noisy, WIDTH, HEIGHT, { sigma: 10, stride: 4 })
  assert.ok(distance(result, clean) < 0.45 * distance(noisy, clean), `${distance(result, clean)}`)
  const row = 20 * WIDTH
  assert.ok((result[row + 31] ?? 0) - (result[row + 28] ?? 0) > 105)
  const finer = denoise(noisy, WIDTH, HEIGHT, { sigma: 10, stride: 2 })
  assert.ok(distance(finer, clean) < distance(result, clean))
})

test('a plane smaller than a block, or without noise, is not changed', () => {
  const small = draw(7, 30, (x) => x)
  assert.deepEqual(denoise(small, 7, 30, { sigma: 10, stride: 4 }), small)
  const picture = rough(1)
  assert.deepEqual(denoise(picture, WIDTH, HEIGHT, { sigma: 0, stride: 4 }), picture)
})

test('deblurring reverses most of a blur', () => {
  const clean = gaussian(
    draw(WIDTH, HEIGHT, (x, y) => (((x >> 3) + (y >> 3)) % 2 === 0 ? 60 : 180)),
    WIDTH,
    HEIGHT,
    0.5,
  )
  const soft = gaussian(clean, WIDTH, HEIGHT, 1.2)
  const loss = distance(soft, clean)
  for (const [sharpening, share] of [
    [{ alpha: 6, beta: 1 }, 0.8],
    [{ alpha: 2, beta: 3 }, 0.75],
    [{ alpha: 2, beta: 4 }, 0.75],
  ] as const) {
    const left = distance(deblur(soft, WIDTH, HEIGHT, { sigma: 1.2, ...sharpening }), clean)
    assert.ok(left < share * loss, `${left} of ${loss}`)
  }
})

test('a ramp is enlarged without a shift', () => {
  const ramp = draw(WIDTH, HEIGHT, (x, y) => 2 * x + y)
  for (const result of [enlarge(ramp, WIDTH, HEIGHT), upscale(ramp, WIDTH, HEIGHT)]) {
    const at = (x: number, y: number) => result[y * 2 * WIDTH + x] ?? Number.NaN
    for (let y = 12; y < HEIGHT - 12; y++) {
      for (let x = 12; x < WIDTH - 12; x++) {
        // The four new pixels lie around the old one, a quarter of its side away: libvips would have them half a pixel off.
        const four = [at(2 * x, 2 * y), at(2 * x + 1, 2 * y), at(2 * x, 2 * y + 1), at(2 * x + 1, 2 * y + 1)] as const
        assert.ok(Math.abs((four[0] + four[1] + four[2] + four[3]) / 4 - (2 * x + y)) < 1e-3)
        assert.ok(Math.abs(four[1] - four[0] - 1) < 0.1 && Math.abs(four[2] - four[0] - 0.5) < 0.05)
      }
    }
  }
})

test('back-projection brings the enlarged picture closer to the original', () => {
  const picture = rough(9)
  const error = (result: Plane) => distance(filterPlane(result, 2 * WIDTH, 2 * HEIGHT, shrunkRows), picture)
  assert.ok(error(upscale(picture, WIDTH, HEIGHT)) < 0.4 * error(enlarge(picture, WIDTH, HEIGHT)))
})

test('a single pixel can be blurred, sharpened and enlarged', () => {
  const one = Float32Array.of(50)
  assert.ok(alike(gaussian(one, 1, 1, 2), one))
  assert.ok(alike(deblur(one, 1, 1, { sigma: 2, alpha: 2, beta: 3 }), one))
  assert.ok(alike(upscale(one, 1, 1), Float32Array.of(50, 50, 50, 50)))
})
