import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayWait } from '../../src/concurrency/capacity.ts'
import { SHORT_SECONDS, SLOW_SECONDS, shortWork } from '../../src/rendering/short-work.ts'

test('an account whose image took far longer than estimated has a lower limit, and no other account', () => {
  const clock = { seconds: 0 }
  const work = shortWork(() => clock.seconds)
  work.took('slow', SLOW_SECONDS * 0.9)
  assert.equal(work.mostOf('slow'), SHORT_SECONDS)
  work.took('slow', 1.5)
  assert.ok(Math.abs(work.mostOf('slow') - SHORT_SECONDS / 10) < 1e-9)
  assert.equal(work.mostOf('other'), SHORT_SECONDS)
})

test('on a machine that is slow by a factor, what is short is less by as much', () => {
  const factor = 4
  const clock = { seconds: 0 }
  const work = shortWork(() => clock.seconds)
  // Each image is as long as it may be estimated to be.
  for (let n = 0; n < 100; n++) {
    const seconds = work.mostOf('account') * factor
    clock.seconds += seconds
    work.took('account', seconds)
  }
  assert.ok(work.mostOf('account') * factor <= SLOW_SECONDS * 1.1, String(work.mostOf('account')))
  assert.ok(work.mostOf('account') * factor >= SHORT_SECONDS / 2, String(work.mostOf('account')))
})

test('after three time-outs nothing of the account is short, and within ten minutes all is as before', () => {
  const clock = { seconds: 0 }
  const work = shortWork(() => clock.seconds)
  for (let n = 0; n < 3; n++) work.took('slow', 60)
  assert.equal(work.mostOf('slow'), 0)
  clock.seconds = 599
  assert.equal(work.mostOf('slow'), SHORT_SECONDS)
  clock.seconds = 0
  for (let n = 0; n < 100; n++) work.took('slow', 60)
  clock.seconds = 600
  assert.equal(work.mostOf('slow'), SHORT_SECONDS)
})

/** How many may wait of each account that sends without end, one after the other. */
function fillPlaces(accounts: number, places: number): readonly number[] {
  const own = Array.from({ length: accounts }, () => 0)
  const all = () => own.reduce((sum, count) => sum + count, 0)
  own.forEach((_, at) => {
    while (mayWait(own[at] ?? 0, all(), places)) own[at] = (own[at] ?? 0) + 1
  })
  return own
}

for (const [places, first] of [
  [1, 1],
  [8, 7],
  [64, 56],
  [10_000, 8_750],
] as const) {
  test(`of ${places} places one account alone has ${first}, and leaves some where there are several`, () => {
    const [most = 0, second = 1] = fillPlaces(2, places)
    assert.equal(most, first)
    if (places > 1) assert.ok(second >= 1)
  })
}
