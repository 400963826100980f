import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blurredRows, differenceRows, doubledRows, filledRows, halvedRows } from '../src/filters.ts'
import { openWorkspace } from '../src/memory.ts'
import { filterPlane, type PlaneRows, RecentRows } from '../src/rows.ts'
import { randomNumbers } from './support/random-numbers.ts'

const next = randomNumbers(3)
const noise = (width: number, height: number): Float32Array =>
  Float32Array.from({ length: width * height }, () => (next() < 0.2 ? 255 : 255 * next()))

/** A plane as a function of any place: beyond the edges, the floats at the edges repeat. */
const samplerOf = (plane: Float32Array, width: number, height: number) => (x: number, y: number) =>
  plane[Math.max(0, Math.min(height - 1, y)) * width + Math.max(0, Math.min(width - 1, x))] as number

const drawing = (width: number, height: number, at: (x: number, y: number) => number): readonly number[] =>
  Array.from({ length: width * height }, (_, i) => at(i % width, Math.floor(i / width)))

function assertNear(actual: Float32Array, expected: readonly number[], what: string): void {
  assert.equal(actual.length, expected.length, what)
  for (const [at, value] of expected.entries())
    assert.ok(Math.abs((actual[at] as number) - value) < 1e-3, `${what}, ${at}: ${actual[at]}, not ${value}`)
}

/** Every width and height from 1 to 40 at least once. */
const sizes: readonly (readonly [number, number])[] = [
  ...Array.from({ length: 40 }, (_, at) => [at + 1, (at * 7) % 40 || 40] as const),
  [1, 1],
  [1, 40],
  [65, 3],
]

const half = [0.3, 0.2, 0.1, 0.05]

test('a blur is the weighted sum of neighbours along rows and columns', () => {
  for (const [width, height] of sizes) {
    const plane = noise(width, height)
    const at = samplerOf(plane, width, height)
    const weight = (step: number) => half[Math.abs(step)] as number
    const steps = [-3, -2, -1, 0, 1, 2, 3]
    const across = (x: number, y: number) => steps.reduce((sum, step) => sum + weight(step) * at(x + step, y), 0)
    const row = (y: number) => Math.max(0, Math.min(height - 1, y))
    const blur = (x: number, y: number) => steps.reduce((sum, step) => sum + weight(step) * across(x, row(y + step)), 0)
    const size = `${width} × ${height}`
    assertNear(
      filterPlane(plane, width, height, (workspace, rows) => blurredRows(workspace, rows, { half })),
      drawing(width, height, blur),
      size,
    )
    const sharper = filterPlane(plane, width, height, (workspace, source) => {
      const rows = new RecentRows(workspace, source, 4)
      const again = { width, height, writeNext: rowWriter(workspace.kernels.copy, rows) }
      return blurredRows(workspace, again, { half, factor: -0.5, plus: { rows, factor: 2 } })
    })
    assertNear(
      sharper,
      drawing(width, height, (x, y) => 2 * at(x, y) - blur(x, y) / 2),
      size,
    )
  }
})

function rowWriter(copy: (from: number, bytes: number, to: number) => void, rows: RecentRows): PlaneRows['writeNext'] {
  let y = 0
  return (address) => copy(rows.at(y++), rows.width * 4, address)
}

const before = [-0.05, 0.2, 0.9, -0.05, 0.02, -0.02]

test('doubling gives two pixels for one along each side, with mirrored weights', () => {
  for (const [width, height] of sizes) {
    const plane = noise(width, height)
    const at = samplerOf(plane, width, height)
    const line = (read: (place: number) => number, place: number) => {
      const step = place % 2 === 0 ? 1 : -1
      return before.reduce((sum, weight, tap) => sum + weight * read((place >> 1) + step * (tap - 3)), 0)
    }
    const expected = drawing(2 * width, 2 * height, (x, y) =>
      line((row) => line((column) => at(column, Math.max(0, Math.min(height - 1, row))), x), y),
    )
    const result = filterPlane(plane, width, height, (workspace, rows) => doubledRows(workspace, rows, before))
    assertNear(result, expected, `${width} × ${height}`)
  }
})

test('halving is the weighted sum of the samples around two', () => {
  const weights = [-0.1, 0.1, 0.2, 0.3, 0.3, 0.2, 0.1, -0.1]
  for (const [halfWidth, halfHeight] of sizes) {
    const [width, height] = [2 * halfWidth, 2 * halfHeight] as const
    const plane = noise(width, height)
    const at = samplerOf(plane, width, height)
    const line = (read: (place: number) => number, place: number) =>
      weights.reduce((sum, weight, tap) => sum + weight * read(2 * place - 3 + tap), 0)
    const expected = drawing(halfWidth, halfHeight, (x, y) => line((row) => line((column) => at(column, row), x), y))
    const result = filterPlane(plane, width, height, (workspace, rows) => halvedRows(workspace, rows, weights))
    assertNear(result, expected, `${width} × ${height}`)
  }
})

test('hidden pixels get the mean of visible ones around them, and black where there are none', () => {
  for (const [width, height] of sizes) {
    const plane = noise(width, height)
    const opacity = Float32Array.from({ length: plane.length }, (_, i) =>
      i % width > width / 3 || next() < 0.5 ? 0 : 255 * next(),
    )
    const of = (values: Float32Array): PlaneRows['writeNext'] => {
      let y = 0
      return (address) => workspace.floats(address, width).set(values.subarray(y * width, ++y * width))
    }
    using workspace = openWorkspace()
    const source = (values: Float32Array): PlaneRows => ({ width, height, writeNext: of(values) })
    const result = filledRows(workspace, source(plane), source(opacity), half)
    const row = workspace.allocate(width * 4 + 128)
    const blur = (values: Float32Array) => filterPlane(values, width, height, (inner, rows) => blurredRows(inner, rows, { half }))
    const sums = blur(plane.map((value, i) => value * (opacity[i] as number)))
    const weights = blur(opacity)
    for (let y = 0; y < height; y++) {
      result.writeNext(row)
      for (const [x, value] of workspace.floats(row, width).entries()) {
        const i = y * width + x
        const weight = weights[i] as number
        const around = weight > 0 ? (sums[i] as number) / weight : 0
        assert.ok(Math.abs(value - (opacity[i] === 0 ? around : (plane[i] as number))) < 1e-3, `${width} × ${height}, ${i}`)
      }
    }
  }
})

test('the difference of two planes', () => {
  const plane = noise(21, 5)
  const result = filterPlane(plane, 21, 5, (workspace, source) => {
    const rows = new RecentRows(workspace, source, 1)
    const flatRows = { width: 21, height: 5, writeNext: (to: number) => void workspace.floats(to, 21).fill(100) }
    return differenceRows(workspace, rows, flatRows)
  })
  assertNear(result, [...plane.map((value) => value - 100)], 'minus 100')
})

test('a row that is asked for after its place was taken is an error, not another row', () => {
  using workspace = openWorkspace()
  const rows = new RecentRows(workspace, { width: 4, height: 9, writeNext: () => undefined }, 3)
  rows.at(8)
  rows.at(6)
  assert.throws(() => rows.at(5), /Row 5 is gone/)
})

test('a plane with fewer floats than its size says is an error', () => {
  assert.throws(() => filterPlane(new Float32Array(7), 4, 2, (_workspace, rows) => rows), /fewer floats/)
})
