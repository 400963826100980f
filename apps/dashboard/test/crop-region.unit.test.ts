import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corners, drawRegion, edges, moveRegion, resizeRegion, withRatio } from '../src/pages/playground/crop-region.ts'

const picture = { width: 400, height: 300 }
const region = { x: 100, y: 100, width: 100, height: 50 }

test('a region is moveRegion within the picture', () => {
  assert.deepEqual(moveRegion(region, { x: 10, y: -20 }, picture), { ...region, x: 110, y: 80 })
  assert.deepEqual(moveRegion(region, { x: 1_000, y: -1_000 }, picture), { ...region, x: 300, y: 0 })
})

test('an edge or a corner is dragged, and the opposite side stays', () => {
  assert.deepEqual(resizeRegion(region, 'e', { x: 30, y: 99 }, picture), { ...region, width: 130 })
  assert.deepEqual(resizeRegion(region, 'n', { x: 99, y: -30 }, picture), { ...region, y: 70, height: 80 })
  assert.deepEqual(resizeRegion(region, 'sw', { x: -50, y: 10 }, picture), { x: 50, y: 100, width: 150, height: 60 })
  assert.deepEqual(resizeRegion(region, 'w', { x: 1_000, y: 0 }, picture), { ...region, x: 199, width: 1 })
})

test('with a ratio every grip keeps it, within the picture', () => {
  for (const grip of [...corners, ...edges]) {
    for (const by of [
      { x: 57, y: 33 },
      { x: -80, y: -80 },
      { x: 900, y: 900 },
      { x: -900, y: -900 },
    ]) {
      const { x, y, width, height } = resizeRegion(region, grip, by, picture, 16 / 9)
      assert.ok(Math.abs(width / height - 16 / 9) < 1 / height + 0.05 || width <= 2, `${grip} ${width}:${height}`)
      assert.ok(x >= 0 && y >= 0 && width >= 1 && height >= 1, JSON.stringify([grip, by, x, y, width, height]))
      assert.ok(x + width <= picture.width && y + height <= picture.height, JSON.stringify([grip, by, x, y, width, height]))
    }
  }
})

test('a new region is drawn in any direction', () => {
  assert.deepEqual(drawRegion({ x: 50, y: 60 }, { x: 150, y: 100 }, picture), { x: 50, y: 60, width: 100, height: 40 })
  assert.deepEqual(drawRegion({ x: 150, y: 100 }, { x: 50, y: 60 }, picture), { x: 50, y: 60, width: 100, height: 40 })
  assert.deepEqual(drawRegion({ x: 390, y: 290 }, { x: 900, y: 900 }, picture), { x: 390, y: 290, width: 10, height: 10 })
  assert.deepEqual(drawRegion({ x: 200, y: 200 }, { x: 100, y: 150 }, picture, 1), { x: 100, y: 100, width: 100, height: 100 })
})

test('a ratio that is chosen keeps the middle, and stays in the picture', () => {
  assert.deepEqual(withRatio(region, 1, picture), { x: 100, y: 75, width: 100, height: 100 })
  const { x, y, width, height } = withRatio({ x: 0, y: 0, width: 400, height: 300 }, 9 / 16, picture)
  assert.deepEqual([height, Math.round(width)], [300, 169])
  assert.ok(x >= 0 && y === 0 && x + width <= 400)
})
