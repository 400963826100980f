import assert from 'node:assert/strict'
import { test } from 'node:test'
import { x265Quality } from '../../src/codecs/heic/writers.ts'
import { onScale, type QualityScale } from '../../src/codecs/scales.ts'

const scale: QualityScale = [
  [1, 5],
  [50, 30],
  [75, 60],
  [100, 90],
]
const asked = Array.from({ length: 100 }, (_, index) => index + 1)

test('a scale gives its rows, and what lies between them in proportion', () => {
  assert.deepEqual(
    [1, 50, 75, 100].map((quality) => onScale(scale, quality)),
    [5, 30, 60, 90],
  )
  // 30 + 10/25 × 30, and 60 + 20/25 × 30.
  assert.deepEqual([onScale(scale, 60), onScale(scale, 95)], [42, 84])
})

for (const [name, own] of [
  ['a scale', (quality: number) => onScale(scale, quality)],
  ["x265's", x265Quality],
] as const) {
  test(`${name} never falls, has whole numbers, and stays within its ends`, () => {
    const numbers = asked.map(own)
    assert.ok(numbers.every((number, index) => Number.isInteger(number) && number >= (numbers[index - 1] ?? 0)))
    assert.deepEqual([numbers[0], numbers[99]], [own(1), own(100)])
    assert.ok(numbers.every((number) => number >= own(1) && number <= own(100)))
  })
}

test("x265's scale spans all that heif-enc takes", () => {
  assert.deepEqual([x265Quality(1), x265Quality(75), x265Quality(100)], [1, 41, 100])
})
