import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { collectWhenIdle } from '../src/idle-memory.ts'

const MIB = 1024 * 1024

test('garbage is collected once the process is idle, and again only when its heap has grown', (t) => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  t.after(() => mock.timers.reset())
  const state = { cpuMs: 500, heap: 80 * MIB, collections: 0 }
  const stop = collectWhenIdle(
    {
      cpuMs: () => state.cpuMs,
      heapBytes: () => state.heap,
      collect() {
        state.collections++
        state.cpuMs += 100
        state.heap = 40 * MIB
      },
    },
    1_000,
    1_000_000,
  )
  const pass = (usedMs: number, heap = state.heap) => {
    Object.assign(state, { cpuMs: state.cpuMs + usedMs, heap })
    mock.timers.tick(1_000)
    return state.collections
  }
  assert.equal(pass(200), 0, 'it works')
  assert.equal(pass(21), 0, 'a little more than a fiftieth of the time')
  assert.equal(pass(19), 1)
  assert.equal(pass(0), 1)
  assert.equal(pass(0, 51 * MIB), 1, 'little to win')
  assert.equal(pass(200, 60 * MIB), 1, 'it works again')
  assert.equal(pass(0), 2)
  stop()
  assert.equal(pass(0, 90 * MIB), 2)
})

test('the garbage of a start is collected before the first regular look', (t) => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  t.after(() => mock.timers.reset())
  let collections = 0
  const stop = collectWhenIdle({ cpuMs: () => 900, heapBytes: () => 80 * MIB, collect: () => void collections++ }, 5_000, 1_000)
  mock.timers.tick(1_000)
  stop()
  assert.equal(collections, 1)
})

test('the young generation shrinks while this process is idle, which V8 does not do by itself', async () => {
  // What survives two collections of the young generation makes V8 enlarge it.
  for (let round = 0; round < 40; round++) {
    const keptValues = Array.from({ length: 60_000 }, (_, at) => ({ at }))
    assert.equal(keptValues.length, 60_000)
  }
  const before = getHeapStatistics().total_heap_size
  const stop = collectWhenIdle(undefined, 500)
  for (let tries = 0; tries < 60 && getHeapStatistics().total_heap_size > before - 4 * MIB; tries++) await sleep(500)
  stop()
  assert.ok(getHeapStatistics().total_heap_size <= before - 4 * MIB)
})
