import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restack, simultaneousFrames } from '../../src/likeness/similarity.ts'

test('frames that were written as one stand beside each of those they were', () => {
  assert.deepEqual(simultaneousFrames([100, 100, 50, 100], [200, 150]), [0, 0, 1, 1])
  assert.deepEqual(simultaneousFrames([30, 30, 30, 30], [30, 60, 30]), [0, 1, 1, 2])
})

test('a still is shown all the time', () => {
  assert.deepEqual(simultaneousFrames([100, 200, 300], [100]), [0, 0, 0])
})

test('a delay of 10 ms or less is the 100 ms for which it is shown', () => {
  assert.deepEqual(simultaneousFrames([0, 10, 11], [200, 11]), [0, 0, 1])
})

test('frames that begin or end when none of the animation does stand beside nothing', () => {
  assert.equal(simultaneousFrames([100, 100, 100], [150, 150]), undefined)
  assert.equal(simultaneousFrames([100, 100, 100], [100, 100]), undefined)
  assert.equal(simultaneousFrames([100, 100], [100, 50, 50]), undefined)
})

test('a strip is stacked in the order asked, frames whole', () => {
  const strip = { data: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), width: 1, height: 4, channels: 2 }
  assert.deepEqual(restack(strip, 2, [1, 0, 1]), {
    data: Buffer.of(5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8),
    width: 1,
    height: 6,
    channels: 2,
  })
})
