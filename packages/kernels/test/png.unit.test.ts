import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filteredRows, type SampleRows, unfilterRows } from '../src/png.ts'
import { randomNumbers } from './support/random-numbers.ts'

/** The filters of PNG (third edition, 9.2) in plain numbers: a sample less what its neighbours let expect. */
const guesses: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, up) => up,
  (left, up) => Math.floor((left + up) / 2),
  paeth,
]

function paeth(left: number, up: number, corner: number): number {
  const expected = left + up - corner
  const distances = [left, up, corner].map((sample) => Math.abs(expected - sample))
  return [left, up, corner][distances.indexOf(Math.min(...distances))] as number
}

const sizeOf = (difference: number) => Math.min(difference, 256 - difference)

/** Rows with the first of the filters whose differences have the least sum. */
function reference({ data, rows, rowBytes, pixelBytes }: SampleRows): Uint8Array {
  const sampleAt = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (data[y * rowBytes + x] as number))
  const result: number[] = []
  for (let y = 0; y < rows; y++) {
    const candidates = guesses.map((guess) =>
      Array.from({ length: rowBytes }, (_, x) => {
        const expected = guess(sampleAt(x - pixelBytes, y), sampleAt(x, y - 1), sampleAt(x - pixelBytes, y - 1))
        return (sampleAt(x, y) - expected) & 255
      }),
    )
    const sums = candidates.map((row) => row.reduce((sum, difference) => sum + sizeOf(difference), 0))
    const best = sums.indexOf(Math.min(...sums))
    result.push(best, ...(candidates[best] as number[]))
  }
  return Uint8Array.from(result)
}

/** A soft picture with grain, or, by its seed, one with many extremes. */
function samples(rows: number, rowBytes: number, pixelBytes: number, seed: number): SampleRows {
  const next = randomNumbers(seed)
  const data = Uint8Array.from({ length: rows * rowBytes }, (_, at) => {
    if (seed % 2 === 0) return next() < 0.3 ? 0 : next() > 0.6 ? 255 : next() * 256
    return 128 + 60 * Math.sin((at % rowBytes) / 20) + 40 * Math.cos(at / rowBytes / 5) + 12 * next()
  })
  return { data, rows, rowBytes, pixelBytes }
}

test('rows are filtered as in plain numbers, for all sizes of pixels and rows', () => {
  for (let pixelBytes = 1; pixelBytes <= 8; pixelBytes++)
    for (let width = 1; width <= 40; width++) {
      const picture = samples(1 + (width % 7), width * pixelBytes, pixelBytes, 40 * pixelBytes + width)
      assert.deepEqual(filteredRows(picture, 0, picture.rows), reference(picture), `${width} pixels of ${pixelBytes} bytes`)
    }
})

test('each filter is chosen by some row', () => {
  const next = randomNumbers(3)
  const grain = { data: Uint8Array.from({ length: 9_000 }, () => 120 + 16 * next()), rows: 10, rowBytes: 900, pixelBytes: 3 }
  // Few values need no filter, and a row that repeats the one above it is 0 with Up.
  const flat = { data: Uint8Array.from([1, 0, 2, 0, 1, 0, 1, 0, 2, 0, 1, 0]), rows: 2, rowBytes: 6, pixelBytes: 1 }
  const types = [samples(64, 120, 3, 1), grain, flat].flatMap((picture) => [
    ...typesOf(filteredRows(picture, 0, picture.rows), picture.rowBytes),
  ])
  assert.deepEqual([...new Set(types)].sort(), [0, 1, 2, 3, 4])
})

function* typesOf(rows: Uint8Array, rowBytes: number): Generator<number> {
  for (let at = 0; at < rows.length; at += 1 + rowBytes) yield rows[at] as number
}

test('a part of the rows is filtered as in the whole picture, and leaves nothing behind', () => {
  const picture = samples(40, 75, 3, 5)
  const whole = filteredRows(picture, 0, 40)
  for (const [first, count] of [
    [0, 1],
    [1, 1],
    [7, 13],
    [39, 1],
  ] as const)
    assert.deepEqual(filteredRows(picture, first, count), whole.subarray(first * 76, (first + count) * 76))
  assert.equal(filteredRows(picture, 0, 0).length, 0)
})

test('extremes: the largest differences do not overflow their sums', () => {
  const rowBytes = 120_000
  const data = Uint8Array.from({ length: 2 * rowBytes }, (_, at) => (Math.floor(at / 3) % 2 === 0 ? 0 : 128))
  const picture = { data, rows: 2, rowBytes, pixelBytes: 3 }
  assert.deepEqual(filteredRows(picture, 0, 2), reference(picture))
})

/** Rows with filters of these numbers, by turns. */
function rowsWith(types: readonly number[], { data, rows, rowBytes, pixelBytes }: SampleRows): Uint8Array {
  const sampleAt = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (data[y * rowBytes + x] as number))
  const result: number[] = []
  for (let y = 0; y < rows; y++) {
    const type = types[y % types.length] as number
    result.push(type)
    for (let x = 0; x < rowBytes; x++) {
      const guess = guesses[type] as (typeof guesses)[number]
      result.push(
        (sampleAt(x, y) - guess(sampleAt(x - pixelBytes, y), sampleAt(x, y - 1), sampleAt(x - pixelBytes, y - 1))) & 255,
      )
    }
  }
  return Uint8Array.from(result)
}

test('samples come back from every filter above every other one, for all widths', () => {
  const types = guesses.flatMap((_, upper) => guesses.flatMap((_, lower) => [upper, lower]))
  for (const pixelBytes of [3, 4])
    for (let width = 1; width <= 40; width++) {
      const picture = samples(types.length + 1, width * pixelBytes, pixelBytes, 100 * pixelBytes + width)
      const data = rowsWith(width % 3 === 0 ? types.slice(1) : types, picture)
      assert.ok(unfilterRows({ ...picture, data }))
      assert.deepEqual(data.subarray(0, picture.data.length), picture.data, `${width} pixels of ${pixelBytes} bytes`)
    }
})

test('samples come back from rows that are worked on in several blocks, and from single rows', () => {
  for (const [rows, rowBytes] of [
    [90, 3_000],
    [3, 120_000],
    [1, 120_000],
    [500, 3],
  ] as const) {
    const picture = samples(rows, rowBytes, 3, rows)
    const data = filteredRows(picture, 0, rows)
    assert.ok(unfilterRows({ ...picture, data }))
    assert.deepEqual(data.subarray(0, picture.data.length), picture.data)
  }
})

test('an unknown filter and missing rows are refused', () => {
  const picture = samples(10, 30, 3, 1)
  for (const row of [0, 1, 8, 9])
    for (const type of [5, 128, 255]) {
      const data = filteredRows(picture, 0, 10)
      data[row * 31] = type
      assert.equal(unfilterRows({ ...picture, data }), false)
    }
  assert.throws(() => unfilterRows({ ...picture, data: filteredRows(picture, 0, 10).subarray(1) }), /fewer rows/)
})
