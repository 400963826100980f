import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownCallers } from '../../src/metering/known-callers.ts'

test('a caller is known for five seconds, and nobody else is', () => {
  let now = 0
  const known = knownCallers(() => now)
  known.add('a', 'account')
  assert.equal(known.accountOf('a'), 'account')
  assert.equal(known.accountOf('b'), undefined)
  now = 4_999
  assert.equal(known.accountOf('a'), 'account')
  now = 5_000
  assert.equal(known.accountOf('a'), undefined)
})

test('however many callers there are, it stays small', () => {
  const known = knownCallers(() => 0)
  for (let n = 0; n < 10_001; n++) known.add(String(n), 'account')
  assert.equal(known.accountOf('10000'), 'account')
  assert.equal(known.accountOf('0'), undefined)
})
