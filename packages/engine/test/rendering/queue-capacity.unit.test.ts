import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queueCapacity } from '../../src/concurrency/capacity.ts'

/** A queue of four in front of two renderers, as far as the capacity depends on it. */
function capacityOf(state: { queued: number; free: number; memoryFull?: boolean; own?: Readonly<Record<string, number>> }) {
  const clock = { ms: 0 }
  const pool = {
    full: () => state.queued >= 4 && state.free === 0,
    waiting: (account: string) => ({ own: state.own?.[account] ?? 0, all: state.queued }),
    accountsWaiting: () => Object.keys(state.own ?? {}),
    state: () => state,
  }
  return {
    capacity: queueCapacity(
      pool,
      4,
      () => state.memoryFull === true,
      () => clock.ms,
    ),
    clock,
  }
}

test('uploads on their way take places, until they are in the queue or will not come', () => {
  const state = { queued: 2, free: 0 }
  const { capacity } = capacityOf(state)
  const places = [capacity.reserve(), capacity.reserve()]
  assert.ok(capacity.full())
  places[0]?.[Symbol.dispose]()
  assert.ok(!capacity.full())
  state.queued = 3
  assert.ok(capacity.full())
  places[1]?.[Symbol.dispose]()
  places[1]?.[Symbol.dispose]()
  assert.ok(!capacity.full())
  state.queued = 4
  assert.ok(capacity.full())
})

test('a free renderer is a place too', () => {
  const { capacity } = capacityOf({ queued: 0, free: 2 })
  for (let n = 0; n < 6; n++) {
    assert.ok(!capacity.full(), String(n))
    capacity.reserve()
  }
  assert.ok(capacity.full())
})

test('uploads that take longer than a second keep no request out', () => {
  const { capacity, clock } = capacityOf({ queued: 0, free: 0 })
  for (let n = 0; n < 4; n++) capacity.reserve()
  assert.ok(capacity.full())
  clock.ms = 999
  assert.ok(capacity.full())
  clock.ms = 1_000
  assert.ok(!capacity.full())
})

test('an account that fills its share is refused while there are places for others', () => {
  const { capacity } = capacityOf({ queued: 3, free: 0, own: { busy: 7, other: 1 } })
  assert.ok(capacity.full('busy'))
  assert.ok(!capacity.full('other'))
  assert.ok(!capacity.full())
  assert.ok(capacity.fullForSome())
  const place = capacity.reserve('other')
  assert.ok(capacity.full('other') && capacity.full())
  place[Symbol.dispose]()
  assert.ok(!capacity.full('other'))
})

test('its uploads on their way count for the share of an account', () => {
  const { capacity } = capacityOf({ queued: 0, free: 4 })
  for (let n = 0; n < 7; n++) {
    assert.ok(!capacity.full('busy'), String(n))
    capacity.reserve('busy')
  }
  assert.ok(capacity.full('busy') && capacity.fullForSome())
  assert.ok(!capacity.full('other') && !capacity.full())
})

test('uploads of one account that come late keep out no account of which none is there', () => {
  const state = { queued: 3, free: 0, own: { busy: 3 } }
  const { capacity } = capacityOf(state)
  for (let n = 0; n < 4; n++) capacity.reserve('busy')
  assert.ok(capacity.full('busy') && capacity.full())
  assert.ok(!capacity.full('other'))
  capacity.reserve('other')
  assert.ok(capacity.full('other'))
})

test('where uploads fill the memory, requests are refused, however short the queue', () => {
  assert.ok(capacityOf({ queued: 0, free: 2, memoryFull: true }).capacity.full())
})
