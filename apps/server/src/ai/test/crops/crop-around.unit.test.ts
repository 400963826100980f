import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@pixelmill/codecs/test/photographs/random'
import { croppingAround } from '@pixelmill/vision/salience/crop-around'
import type { Rectangle, SalienceMap, Subject } from '@pixelmill/vision/salience/subject'

const RATIO = { least: 1 / 20, most: 20 }
const random = seededRandom(20)
const upTo = (most: number) => 1 + Math.floor(random() * most)

/** Any, from a speck to the whole image; half of the small ones touch its edge. */
function someBox(width: number, height: number): Rectangle {
  const w = upTo(width)
  const h = upTo(height)
  return { x: Math.floor(random() * (width - w + 1)), y: Math.floor(random() * (height - h + 1)), width: w, height: h }
}

function someMap(): SalienceMap {
  const width = upTo(12)
  const height = upTo(12)
  const data = Uint8Array.from({ length: width * height }, () => (random() < 0.3 ? upTo(255) : 0))
  return { width, height, data }
}

function someSubject(width: number, height: number): Subject {
  const focus = { x: random() * width, y: random() * height }
  const kind = random()
  if (kind < 0.5) return { box: someBox(width, height), focus, confidence: 1 }
  return kind < 0.9 ? { box: null, focus, confidence: 1, map: someMap() } : { box: null, focus, confidence: 0 }
}

/** Whether one of two stretches of a line lies within the other. */
const nestedRange = (from: number, length: number, otherFrom: number, otherLength: number) =>
  (from <= otherFrom && from + length >= otherFrom + otherLength) ||
  (otherFrom <= from && otherFrom + otherLength >= from + length)

test('20,000 random crops are whole, within the image, right in ratio to a pixel, and around the subject', () => {
  for (let round = 0; round < 20_000; round++) {
    const width = upTo(9_000)
    const height = upTo(9_000)
    const ratio = RATIO.least * (RATIO.most / RATIO.least) ** random()
    const subject = someSubject(width, height)
    const crop = croppingAround({ width, height }, subject)(ratio)
    const saidText = JSON.stringify({ round, width, height, ratio, box: subject.box, crop })
    assert.ok(Object.values(crop).every(Number.isSafeInteger), saidText)
    assert.ok(crop.x >= 0 && crop.y >= 0 && crop.width >= 1 && crop.height >= 1, saidText)
    assert.ok(crop.x + crop.width <= width && crop.y + crop.height <= height, saidText)
    assert.ok(crop.width === width || crop.height === height, saidText)
    assert.ok(Math.abs(crop.width - crop.height * ratio) <= 1 || Math.abs(crop.height - crop.width / ratio) <= 1, saidText)
    const { box } = subject
    if (!box) continue
    assert.ok(nestedRange(crop.x, crop.width, box.x, box.width) && nestedRange(crop.y, crop.height, box.y, box.height), saidText)
  }
})

const image = { width: 3_000, height: 2_000 }
const around = (box: Rectangle | null, focus: { x: number; y: number }, ratio: number) =>
  croppingAround(image, { box, focus, confidence: 1 })(ratio)
const person = { x: 2_300, y: 300, width: 500, height: 1_700 }

const placedTexts: readonly [why: string, ReturnType<typeof around>, x: number, y: number][] = [
  ['the focus comes to the middle', around({ x: 1_400, y: 900, width: 200, height: 200 }, { x: 1_500, y: 1_000 }, 1), 500, 0],
  ['but not beyond the image', around(person, { x: 2_550, y: 500 }, 1), 1_000, 0],
  ['nor so far that the box is cut', around({ x: 100, y: 0, width: 1_900, height: 10 }, { x: 1_900, y: 5 }, 1), 100, 0],
  ['a box that is too wide fills the crop', around({ x: 100, y: 0, width: 2_800, height: 9 }, { x: 2_900, y: 5 }, 1), 900, 0],
  ['without a subject the middle is kept', around(null, { x: 1_500, y: 1_000 }, 16 / 9), 0, 156],
]
for (const [why, { x, y }, wantedX, wantedY] of placedTexts) test(why, () => assert.deepEqual([x, y], [wantedX, wantedY]))

test('of a map, the crop takes where most of it is', () => {
  const data = new Uint8Array(30)
  data.fill(200, 24, 27)
  data.fill(90, 2, 5)
  const map = { width: 30, height: 1, data }
  const { x } = croppingAround(image, { box: null, focus: { x: 1_500, y: 1_000 }, confidence: 1, map })(1)
  assert.ok(x <= 2_400 && x + 2_000 >= 2_700, `${x}`)
})

test('the largest images there are: one row, one column', () => {
  const subject = { box: null, focus: { x: 60_000_000, y: 0.5 }, confidence: 0 }
  assert.deepEqual(croppingAround({ width: 80_000_000, height: 1 }, subject)(1), { x: 59_999_999, y: 0, width: 1, height: 1 })
  const { y, height } = croppingAround({ width: 1, height: 9_000 }, { ...subject, focus: { x: 0.5, y: 9_000 } })(0.5)
  assert.deepEqual([y, height], [8_998, 2])
})
