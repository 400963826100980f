import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TimeLeft } from '../src/pages/batches/time-left.ts'
import { shownTimeLeft } from '../src/shown/time-left.ts'

test('it says nothing until it has seen some seconds and steps', () => {
  const left = new TimeLeft()
  assert.equal(left.after(0, 100, 0), undefined)
  assert.equal(left.after(10, 100, 1_000), undefined)
  assert.equal(left.after(20, 100, 2_000), undefined)
  assert.equal(left.after(30, 100, 3_000), undefined)
  assert.equal(left.after(40, 100, 4_000), 6_000)
})

test('it follows the latest rate, and forgets what went before when it begins anew', () => {
  const left = new TimeLeft()
  for (let second = 0; second <= 30; second++) left.after(second, 1_000, second * 1_000)
  // Ten times as fast from here on; the slow past is out of sight after 20 seconds.
  for (let second = 31; second <= 60; second++) left.after(30 + (second - 30) * 10, 1_000, second * 1_000)
  assert.equal(left.after(340, 1_000, 61_000), 66_000)
  assert.equal(left.after(0, 1_000, 62_000), undefined)
})

test('in words', () => {
  assert.deepEqual([3_000, 12_000, 61_000, 150_000, 7_300_000].map(shownTimeLeft), [
    'a few seconds left',
    'about 20 seconds left',
    'about 1 minute left',
    'about 3 minutes left',
    'about 2 hours left',
  ])
})
