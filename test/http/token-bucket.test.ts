import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type InTurn, tokenBucket } from '../../src/http/token-bucket.ts'
import { until } from '../support/until.ts'

/** Gives it so many numbers; the list is of those that it has done. */
function give(inTurn: InTurn, many: number): number[] {
  const done: number[] = []
  for (let nth = 0; nth < many; nth++) inTurn(() => done.push(nth))
  return done
}
const numbers = (many: number) => Array.from({ length: many }, (_, nth) => nth)

test('what comes slowly enough is done at once, the rest in its order', async () => {
  const done = give(tokenBucket(20, 60_000, 100), 9)
  assert.deepEqual(done, numbers(5))
  assert.ok(await until(async () => done.length === 9))
  assert.deepEqual(done, numbers(9))
})

test('turns come back with time, and are not saved up beyond what may come at once', async () => {
  const inTurn = tokenBucket(20, 60_000, 100)
  assert.equal(give(inTurn, 5).length, 5)
  await new Promise((end) => setTimeout(end, 600))
  const done = give(inTurn, 7)
  assert.equal(done.length, 5)
  assert.ok(await until(async () => done.length === 7))
})

test('nobody waits longer than was said, though it is not his turn', async () => {
  const began = performance.now()
  const done = give(tokenBucket(0.01, 200, 100), 3)
  assert.deepEqual(done, [])
  assert.ok(await until(async () => done.length > 0))
  assert.ok(performance.now() - began >= 200)
  assert.deepEqual(done, numbers(3))
})

test('where too many wait the oldest is done at once', async () => {
  const done = give(tokenBucket(0.01, 300, 2), 5)
  assert.deepEqual(done, numbers(3))
  assert.ok(await until(async () => done.length === 5))
})
