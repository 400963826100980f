import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barrierDistance } from '../src/barrier.ts'
import { randomNumbers } from './support/random-numbers.ts'

/** The reference: raster scans of one plane. */
function barrierOf(plane: Float32Array, width: number, height: number): Float32Array {
  const isEdge = (at: number) => at < width || at >= width * (height - 1) || at % width === 0 || at % width === width - 1
  const paths = Array.from(plane, (value, at) => ({
    barrier: isEdge(at) ? 0 : Number.POSITIVE_INFINITY,
    high: value,
    low: value,
  }))
  for (const step of [1, -1, 1]) {
    for (let count = 0, at = step > 0 ? 0 : plane.length - 1; count < plane.length; count++, at += step) {
      if (isEdge(at)) continue
      for (const neighbour of [at - step, at - step * width]) {
        const value = plane[at] as number
        const high = Math.max(paths[neighbour]?.high as number, value)
        const low = Math.min(paths[neighbour]?.low as number, value)
        if (Math.fround(high - low) < (paths[at]?.barrier as number)) paths[at] = { barrier: Math.fround(high - low), high, low }
      }
    }
  }
  return Float32Array.from(paths, ({ barrier }) => barrier)
}

test('the barrier of each pixel is that of raster scans, summed over the planes', () => {
  const next = randomNumbers(2)
  for (let width = 1; width <= 40; width++) {
    const height = (width * 13) % 40 || 40
    const planes = [0, 1, 2].map(() => Float32Array.from({ length: width * height }, () => 200 * next() - 100)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ]
    const own = planes.map((plane) => barrierOf(plane, width, height))
    for (const [pixel, distance] of barrierDistance(planes, width, height).entries()) {
      const expected = own.reduce((sum, plane) => sum + (plane[pixel] as number), 0)
      assert.ok(Math.abs(distance - expected) < 1e-3, `${width} × ${height}, ${pixel}: ${distance}, not ${expected}`)
    }
  }
})
