import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextLevel } from '../../src/image/next-level.ts'

const mode = {
  min: 1,
  max: 89,
  scores: [
    [1, 0],
    [41, 60],
    [81, 80],
  ],
} as const

test('without a trial it is where photographs reach the score', () => {
  assert.equal(nextLevel(mode, 70, []), 61)
})

test('beside one trial it is where a picture that loses as many times as much reaches the score', () => {
  // It loses twice what photographs lose: 15 points of theirs are 30 of its own.
  assert.equal(nextLevel({ ...mode, max: 100 }, 70, [{ level: 61, score: 40 }]), 91)
  assert.equal(nextLevel(mode, 70, [{ level: 61, score: 85 }]), 28)
})

test('no level beyond the mode is named, and none twice', () => {
  assert.equal(nextLevel(mode, 70, [{ level: 61, score: 20 }]), 89)
  assert.equal(
    nextLevel(mode, 70, [
      { level: 61, score: 20 },
      { level: 89, score: 30 },
    ]),
    undefined,
  )
  assert.equal(nextLevel(mode, 70, [{ level: 1, score: 99 }]), undefined)
})

test('between two trials it follows the curve, and ends where none lies between', () => {
  const below = { level: 41, score: 50 }
  assert.equal(nextLevel(mode, 70, [below, { level: 81, score: 90 }]), 61)
  assert.equal(nextLevel(mode, 70, [below, { level: 42, score: 90 }]), undefined)
})

test('trials that jump up and down lead to the lowest level that reaches the score', () => {
  const trials = [
    { level: 20, score: 40 },
    { level: 30, score: 75 },
    { level: 50, score: 65 },
    { level: 60, score: 72 },
  ]
  const next = nextLevel(mode, 70, trials) ?? 0
  assert.ok(next > 20 && next < 30, String(next))
})

test('where a step did not reach the score, the next one is longer', () => {
  const one = nextLevel(mode, 70, [{ level: 50, score: 62 }]) ?? 0
  const two = nextLevel(mode, 70, [
    { level: 40, score: 55 },
    { level: 50, score: 62 },
  ])
  assert.ok(two !== undefined && two > one, `${two}, ${one}`)
})
