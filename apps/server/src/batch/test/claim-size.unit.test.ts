import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClaimSize, claimSize } from '../claim-size.ts'

/** Renders images at this rate for some seconds, and claims what is wanted; returns the sizes of the claims. */
function work(size: ClaimSize, clock: { ms: number }, eachMs: number, seconds: number): readonly number[] {
  const claims: number[] = []
  let heldCount = 0
  const ends = clock.ms + 1_000 * seconds
  while (clock.ms < ends) {
    const most = size.most(heldCount, false)
    if (most > 0) {
      claims.push(most)
      size.onClaimed(most, heldCount, most)
      heldCount += most
    }
    clock.ms += eachMs
    heldCount--
    size.onRendered()
  }
  return claims
}

function sizeFor(renderers: number) {
  const clock = { ms: 0 }
  return { clock, size: claimSize(renderers, () => clock.ms) }
}

test('a worker begins with what its renderers need, and goes on to claims of three quarters of a second', () => {
  for (const [renderers, eachMs, expected] of [
    [2, 53, 14],
    [4, 26, 29],
    [16, 7, 100],
  ] as const) {
    const { clock, size } = sizeFor(renderers)
    const claims = work(size, clock, eachMs, 20)
    assert.equal(claims[0], 2 * renderers + 2)
    const late = claims.slice(-5)
    assert.ok(
      late.every((claim) => Math.abs(claim - expected) <= 2),
      `${renderers} renderers: ${late}`,
    )
  }
})

test('a worker with slow images claims no more than its renderers need', () => {
  const { clock, size } = sizeFor(2)
  assert.ok(work(size, clock, 3_000, 120).every((claim) => claim <= 6))
})

test('after a pause without work it begins small again, and after a claim that got less than it asked for', () => {
  const { clock, size } = sizeFor(2)
  work(size, clock, 10, 10)
  assert.equal(size.most(0, false), 100)
  size.onClaimed(100, 0, 40)
  assert.equal(size.most(0, false), 6)
  size.onClaimed(6, 0, 6)
  assert.equal(size.most(0, false), 100)
  size.onClaimed(100, 0, 0)
  clock.ms += 60_000
  size.onClaimed(6, 0, 6)
  assert.equal(size.most(0, false), 6)
})

test('with a new batch it claims some although there is enough, and with too much slow work it says so', () => {
  const { clock, size } = sizeFor(2)
  work(size, clock, 10, 10)
  assert.deepEqual([size.most(150, false), size.most(150, true), size.most(200, true)], [0, 6, 6])
  assert.equal(size.isTooMany(200), false)
  // An image that takes a second does not make all of them slow; several do.
  clock.ms += 500
  assert.equal(size.isTooMany(200), false)
  for (let slow = 0; slow < 5; slow++) {
    clock.ms += 1_000
    size.onRendered()
  }
  assert.equal(size.isTooMany(200), true)
  size.onReleased()
  assert.ok(size.most(0, false) <= 6)
})
