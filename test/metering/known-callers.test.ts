import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownCallers } from '../../src/metering/known-callers.ts'

test('a caller is known for five seconds, and nobody else is', () => {
  let now = 0
  const known = knownCallers(() => now)
  known.add('a')
  assert.ok(known.has('a'))
  assert.ok(!known.has('b'))
  now = 4_999
  assert.ok(known.has('a'))
  now = 5_000
  assert.ok(!known.has('a'))
})

test('however many callers there are, it stays small', () => {
  const known = knownCallers(() => 0)
  for (let n = 0; n < 10_001; n++) known.add(String(n))
  assert.ok(known.has('10000'))
  assert.ok(!known.has('0'))
})
