import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markBox, placeAt, roundedScale } from '@pixelmill/dashboard/src/pages/playground/mark/mark-box'
import { type PlaceName, places } from '@pixelmill/engine/recipe/mark-places'

const base = { width: 400, height: 200 }
const all = Object.keys(places) as PlaceName[]
const look = { position: 'bottom-right', margin: 0.1, scale: 0.25, angle: 0 } as const

test('a mark is where the server draws it', () => {
  assert.deepEqual(markBox(base, 0.5, look), { x: 280, y: 130, width: 100, height: 50 })
  assert.deepEqual(markBox(base, 0.5, { ...look, position: 'center' }), { x: 150, y: 75, width: 100, height: 50 })
})

test('a mark is never larger than its base, however it is turned', () => {
  const tall = markBox(base, 4, { ...look, scale: 1, margin: 0 })
  assert.deepEqual([tall.width, tall.height], [50, 200])
  for (let angle = 0; angle <= 360; angle += 15) {
    const { width, height } = markBox(base, 0.2, { ...look, scale: 1, angle })
    assert.ok(width <= base.width + 1e-6 && height <= base.height + 1e-6, String(angle))
  }
  const upright = markBox(base, 0.5, { ...look, angle: 90 })
  assert.deepEqual([Math.round(upright.width), Math.round(upright.height)], [50, 100])
})

test('each position is found again at its own place, with its margin', () => {
  for (const position of all)
    for (const margin of [0, 0.05, 0.1]) {
      const box = markBox(base, 0.5, { ...look, position, margin })
      assert.deepEqual(placeAt(base, box, box, all), { position, margin: position === 'center' ? 0 : margin })
    }
})

test('a place between two positions is the nearer one, of those that are offered', () => {
  const box = { width: 100, height: 50 }
  assert.equal(placeAt(base, box, { x: 140, y: 10 }, all).position, 'top')
  assert.equal(placeAt(base, box, { x: 100, y: 10 }, ['top-left', 'top-right', 'center']).position, 'top-left')
  assert.deepEqual(placeAt(base, box, { x: -900, y: 900 }, all), { position: 'bottom-left', margin: 0 })
})

test('a scale is one that the API takes', () => {
  assert.deepEqual([-3, 0.333, 7].map(roundedScale), [0.01, 0.33, 1])
})
