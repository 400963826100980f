import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Shrinking, SIDE, shrunkRows } from '../src/dct.ts'
import { filterPlane } from '../src/rows.ts'
import { randomNumbers } from './support/random-numbers.ts'

const places = Array.from({ length: SIDE }, (_, at) => at)

/** DCT-II by its definition: rows are coefficients, columns samples. */
const basis = places.map((k) =>
  places.map((x) => (Math.cos(((2 * x + 1) * k * Math.PI) / 16) / 2) * (k === 0 ? Math.SQRT1_2 : 1)),
)

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const transform = (samples: readonly number[]) => basis.map((row) => sum(row.map((factor, x) => factor * (samples[x] as number))))
const restore = (values: readonly number[]) => places.map((x) => sum(values.map((value, k) => value * (basis[k]?.[x] as number))))
const transpose = (rows: readonly (readonly number[])[]) => places.map((x) => rows.map((row) => row[x] as number))

const beginnings = (length: number, distance: number): readonly number[] => {
  const last = length - SIDE
  return [...new Set([...Array.from({ length: Math.floor(last / distance) + 1 }, (_, at) => at * distance), last])]
}

/** The reference: whole blocks, in numbers of 64 bits. */
function reference(plane: Float32Array, width: number, height: number, { least, distance }: Shrinking): readonly number[] {
  const sums = new Float64Array(plane.length)
  const weights = new Float64Array(plane.length)
  for (const top of beginnings(height, distance)) {
    for (const left of beginnings(width, distance)) {
      const block = places.map((y) => places.map((x) => plane[(top + y) * width + left + x] as number))
      const coefficients = transpose(transpose(block).map(transform)).map(transform)
      const shrunk = coefficients.map((row, y) => row.map((value, x) => (x + y > 0 && Math.abs(value) < least ? 0 : value)))
      const weight = 1 / Math.max(1, shrunk.flat().filter((value) => Math.abs(value) > 1e-9).length)
      const back = transpose(transpose(shrunk.map(restore)).map(restore))
      for (const y of places)
        for (const x of places) {
          const at = (top + y) * width + left + x
          sums[at] = (sums[at] as number) + weight * (back[y]?.[x] as number)
          weights[at] = (weights[at] as number) + weight
        }
    }
  }
  return Array.from(sums, (value, at) => value / (weights[at] as number))
}

function check(plane: Float32Array, width: number, height: number, shrinking: Shrinking): void {
  const expected = reference(plane, width, height, shrinking)
  const actual = filterPlane(plane, width, height, (workspace, rows) => shrunkRows(workspace, rows, shrinking))
  for (const [at, value] of expected.entries())
    assert.ok(
      Math.abs((actual[at] as number) - value) < 0.01,
      `${width} × ${height} by ${shrinking.distance}, ${at % width}, ${Math.floor(at / width)}: ${actual[at]}, not ${value}`,
    )
}

const distances = [1, 2, 4, 8] as const

test('each sample is the weighted mean of the shrunk blocks that contain it', () => {
  const next = randomNumbers(9)
  for (let side = SIDE; side <= 40; side++) {
    const width = side
    const height = SIDE + ((side * 5) % 33)
    const plane = Float32Array.from({ length: width * height }, (_, at) => (at % width > 11 ? 180 : 40) + 60 * next())
    check(plane, width, height, { least: 55, distance: distances[side % 4] ?? 4 })
    check(plane, height, width, { least: 55, distance: 4 })
  }
})

test('black, white and hardly any threshold', () => {
  for (const distance of distances) {
    for (const level of [0, 255]) check(new Float32Array(19 * 13).fill(level), 19, 13, { least: 10, distance })
    const next = randomNumbers(distance)
    const plane = Float32Array.from({ length: 22 * 17 }, () => (next() < 0.5 ? 0 : 441))
    check(plane, 22, 17, { least: 1e-6, distance })
    check(plane, 22, 17, { least: 1e6, distance })
  }
})
