import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxMean, guidedModel, nearbyColours } from '../src/boxes.ts'
import { randomNumbers } from './support/random-numbers.ts'

const next = randomNumbers(6)
const noise = (length: number, most = 1): Float32Array => Float32Array.from({ length }, () => most * next())

/** The pixels of the square around one that lie in the picture. */
function around(pixel: number, width: number, height: number, radius: number): readonly number[] {
  const x = pixel % width
  const y = Math.floor(pixel / width)
  const places: number[] = []
  for (let row = Math.max(0, y - radius); row <= Math.min(height - 1, y + radius); row++)
    for (let column = Math.max(0, x - radius); column <= Math.min(width - 1, x + radius); column++)
      places.push(row * width + column)
  return places
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

test('a box mean is that of the pixels around each, without what lies outside', () => {
  for (let width = 1; width <= 40; width++) {
    const height = (width * 11) % 40 || 40
    const plane = noise(width * height, 255)
    for (const radius of [1, 4, 10]) {
      for (const [pixel, actual] of boxMean(plane, { width, height }, radius).entries()) {
        const expected = mean(around(pixel, width, height, radius).map((place) => plane[place] as number))
        assert.ok(Math.abs(actual - expected) < 1e-3, `${width} × ${height}, ${radius}: ${actual}, not ${expected}`)
      }
    }
  }
})

test('colours nearby are those of the pixels that count', () => {
  const [width, height, radius] = [21, 13, 3] as const
  const colours = [noise(width * height, 255), noise(width * height, 255), noise(width * height, 255)] as const
  const counts = Float32Array.from({ length: width * height }, (_, pixel) => (pixel % width < 5 || next() < 0.4 ? 1 : 0))
  const near = nearbyColours(colours, counts, { width, height }, radius)
  for (let pixel = 0; pixel < counts.length; pixel++) {
    const places = around(pixel, width, height, radius)
    const over = (value: (place: number) => number) => mean(places.map((place) => value(place) * (counts[place] as number)))
    const assertNear = (actual: number | undefined, expected: number) =>
      assert.ok(
        Math.abs((actual as number) - expected) < 1e-5 * Math.abs(expected) + 1e-4,
        `${pixel}: ${actual}, not ${expected}`,
      )
    assertNear(
      near.share[pixel],
      over(() => 1),
    )
    assertNear(
      near.squares[pixel],
      over((place) => colours.reduce((sum, plane) => sum + (plane[place] as number) ** 2, 0)),
    )
    for (const [channel, plane] of colours.entries())
      assertNear(
        near.colours[channel]?.[pixel],
        over((place) => plane[place] as number),
      )
  }
})

test('the model of the guided filter is the regularised regression in each box, averaged over the boxes', () => {
  const [width, height] = [17, 11] as const
  const size = { width, height }
  const guidance = { radius: 2, epsilon: 1e-3 }
  const guide = [noise(width * height), noise(width * height), noise(width * height)] as const
  const opacity = noise(width * height)
  const own = Array.from({ length: width * height }, (_, pixel) =>
    regression(around(pixel, width, height, 2), guide, opacity, 1e-3),
  )
  const { red, green, blue, constant } = guidedModel(guide, opacity, size, guidance)
  for (let pixel = 0; pixel < opacity.length; pixel++) {
    const places = around(pixel, width, height, 2)
    for (const [term, plane] of [red, green, blue, constant].entries()) {
      const expected = mean(places.map((place) => own[place]?.[term] as number))
      assert.ok(Math.abs((plane[pixel] as number) - expected) < 2e-3, `${term} at ${pixel}: ${plane[pixel]}, not ${expected}`)
    }
  }
})

/** Factors and constant by Gaussian elimination. */
function regression(
  places: readonly number[],
  guide: readonly Float32Array[],
  opacity: Float32Array,
  epsilon: number,
): readonly number[] {
  const at = (plane: Float32Array) => places.map((place) => plane[place] as number)
  const covariance = (one: readonly number[], other: readonly number[]) =>
    mean(one.map((value, i) => value * (other[i] as number))) - mean(one) * mean(other)
  const colours = guide.map(at)
  const values = at(opacity)
  const rows = colours.map((one, i) => [
    ...colours.map((other, j) => covariance(one, other) + (i === j ? epsilon : 0)),
    covariance(one, values),
  ])
  for (const [i, row] of rows.entries()) {
    const scale = row[i] as number
    for (let column = 0; column < 4; column++) row[column] = (row[column] as number) / scale
    for (const other of rows) {
      if (other === row) continue
      const factor = other[i] as number
      for (let column = 0; column < 4; column++) other[column] = (other[column] as number) - factor * (row[column] as number)
    }
  }
  const factors = rows.map((row) => row[3] as number)
  return [...factors, mean(values) - factors.reduce((sum, factor, i) => sum + factor * mean(colours[i] as number[]), 0)]
}

test('planes that are shorter than their size says are refused', () => {
  assert.throws(() => boxMean(new Float32Array(5), { width: 3, height: 2 }, 1), /fewer floats/)
})
