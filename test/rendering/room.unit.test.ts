import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderRoom } from '../../src/rendering/capacity.ts'

/** A queue of four in front of two renderers, as far as the room looks at it. */
function roomOf(state: { queued: number; idle: number; memoryFull?: boolean; own?: Readonly<Record<string, number>> }) {
  const clock = { ms: 0 }
  const pool = {
    full: () => state.queued >= 4 && state.idle === 0,
    waiting: (account: string) => ({ own: state.own?.[account] ?? 0, all: state.queued }),
    accountsWaiting: () => Object.keys(state.own ?? {}),
    state: () => state,
  }
  return {
    room: renderRoom(
      pool,
      4,
      () => state.memoryFull === true,
      () => clock.ms,
    ),
    clock,
  }
}

test('uploads on their way take room, until they are in the queue or will not come', () => {
  const state = { queued: 2, idle: 0 }
  const { room } = roomOf(state)
  const places = [room.enter(), room.enter()]
  assert.ok(room.full())
  places[0]?.[Symbol.dispose]()
  assert.ok(!room.full())
  state.queued = 3
  assert.ok(room.full())
  places[1]?.[Symbol.dispose]()
  places[1]?.[Symbol.dispose]()
  assert.ok(!room.full())
  state.queued = 4
  assert.ok(room.full())
})

test('an idle renderer is room too', () => {
  const { room } = roomOf({ queued: 0, idle: 2 })
  for (let n = 0; n < 6; n++) {
    assert.ok(!room.full(), String(n))
    room.enter()
  }
  assert.ok(room.full())
})

test('uploads that take longer than a second keep nobody out', () => {
  const { room, clock } = roomOf({ queued: 0, idle: 0 })
  for (let n = 0; n < 4; n++) room.enter()
  assert.ok(room.full())
  clock.ms = 999
  assert.ok(room.full())
  clock.ms = 1_000
  assert.ok(!room.full())
})

test('an account that fills its share is refused while there are places for others', () => {
  const { room } = roomOf({ queued: 3, idle: 0, own: { busy: 7, other: 1 } })
  assert.ok(room.full('busy'))
  assert.ok(!room.full('other'))
  assert.ok(!room.full())
  assert.ok(room.fullForSome())
  const place = room.enter('other')
  assert.ok(room.full('other') && room.full())
  place[Symbol.dispose]()
  assert.ok(!room.full('other'))
})

test('its uploads on their way count for the share of an account', () => {
  const { room } = roomOf({ queued: 0, idle: 4 })
  for (let n = 0; n < 7; n++) {
    assert.ok(!room.full('busy'), String(n))
    room.enter('busy')
  }
  assert.ok(room.full('busy') && room.fullForSome())
  assert.ok(!room.full('other') && !room.full())
})

test('uploads of one account that come late keep out no account of which none is there', () => {
  const state = { queued: 3, idle: 0, own: { busy: 3 } }
  const { room } = roomOf(state)
  for (let n = 0; n < 4; n++) room.enter('busy')
  assert.ok(room.full('busy') && room.full())
  assert.ok(!room.full('other'))
  room.enter('other')
  assert.ok(room.full('other'))
})

test('where uploads fill the memory there is no room, however short the queue', () => {
  assert.ok(roomOf({ queued: 0, idle: 2, memoryFull: true }).room.full())
})
