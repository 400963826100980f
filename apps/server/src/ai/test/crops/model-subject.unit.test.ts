import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeBy } from '../../crops/model-subject.ts'

const image = { width: 3_000, height: 2_000 }
/** The copy that the model saw. */
const seenValue = { width: 1_024, height: 683 }
const place = (box: unknown, focalPoint?: unknown) => placeBy({ box, focalPoint }, seenValue, image)

const understoodTexts: readonly [form: string, box: unknown][] = [
  ['fractions', { left: 0.5, top: 0.25, right: 0.75, bottom: 0.75 }],
  ['per cent', { left: 50, top: 25, right: 75, bottom: 75 }],
  ['thousandths', { left: 500, top: 250, right: 750, bottom: 750 }],
  ['numbers in quotes', { left: '0.5', top: '0.25', right: '0.75', bottom: '0.75' }],
  ['signs of per cent', { left: '50%', top: '25 %', right: '75%', bottom: '75%' }],
  ['two corners', { x1: 0.5, y1: 0.25, x2: 0.75, y2: 0.75 }],
  ['the corners the wrong way round', { left: 0.75, top: 0.75, right: 0.5, bottom: 0.25 }],
  ['a corner and a size', { x: 0.5, y: 0.25, width: 0.25, height: 0.5 }],
  ['the same in letters', { x: 50, y: 25, w: 25, h: 50 }],
  ['left, top and a size', { left: 0.5, top: 0.25, width: 0.25, height: 0.5 }],
]
for (const [form, box] of understoodTexts) {
  test(`a box in ${form} is understood`, () =>
    assert.deepEqual(place(box), { box: { x: 1_500, y: 500, width: 750, height: 1_000 }, focus: { x: 1_875, y: 1_000 } }))
}

test('a box in pixels is one of the copy that the model saw', () => {
  const { box } = place({ left: 512, top: 0, right: 1_024, bottom: 683 }) ?? {}
  assert.deepEqual(box, { x: 1_500, y: 0, width: 1_500, height: 2_000 })
})

test('a box a little beyond the edge ends at it', () => {
  const { box } = place({ left: -0.04, top: 0, right: 0.5, bottom: 1.0008 }) ?? {}
  assert.deepEqual(box, { x: 0, y: 0, width: 1_500, height: 2_000 })
})

const senseless: readonly unknown[] = [
  undefined,
  null,
  'middle',
  [0.1, 0.1, 0.5, 0.5],
  {},
  { left: 0.1 },
  { left: 0.1, top: 0.1, right: 0.5 },
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e9, -1e9, -3, '1e3', '0x10', '', 'left', null, [], {}].map(
    (left) => ({ left, top: 0.1, right: 0.5, bottom: 0.5 }),
  ),
  { left: 0.5, top: 0.1, right: 0.5, bottom: 0.5 },
  { left: 0, top: 0, right: 0, bottom: 0 },
  { left: 1.05, top: 0.1, right: 1.08, bottom: 0.5 },
  { x: 0.5, y: 0.5, width: -1e9, height: 0.1 },
  { x: Number.MAX_VALUE, y: 0, width: Number.MAX_VALUE, height: 1 },
]
for (const box of senseless) test(`no box is made of ${JSON.stringify(box)}`, () => assert.equal(place(box), undefined))

const box = { left: 0.5, top: 0.25, right: 0.75, bottom: 0.75 }
const focusedValues: readonly [said: unknown, x: number, y: number][] = [
  [{ x: 0.6, y: 0.3 }, 1_800, 600],
  [{ x: 60, y: 30 }, 1_800, 600],
  [{ x: 600, y: 300 }, 1_800, 600],
  [{ x: 0.1, y: 0.9 }, 1_500, 1_500],
  [{ x: Number.NaN, y: 0.3 }, 1_875, 1_000],
  [{ x: 1e9, y: -1e9 }, 1_875, 1_000],
  [{ x: -0.5, y: 0.5 }, 1_875, 1_000],
  ['nose', 1_875, 1_000],
]
for (const [saidItem, x, y] of focusedValues) {
  test(`the focal point ${JSON.stringify(saidItem)} is within the box`, () =>
    assert.deepEqual(place(box, saidItem)?.focus, { x, y }))
}

test('the focal point is read in the unit of the box', () => {
  const { focus } = place({ left: 0, top: 0, right: 900, bottom: 900 }, { x: 50, y: 80 }) ?? {}
  assert.deepEqual(focus, { x: 150, y: 160 })
})
