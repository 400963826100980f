import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { type Turns, turns } from '../turns.ts'

const never = new AbortController().signal

/** Work that ends when the test says so; `begun` counts it by account. */
function working(inTurns: Turns) {
  const begunTexts: string[] = []
  const ends: (() => void)[] = []
  const ask = (account: string) =>
    inTurns.run(account, never, async () => {
      begunTexts.push(account)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const count = (account: string) => begunTexts.filter((one) => one === account).length
  return { ask, count, endAll: () => ends.splice(0).map((end) => end()) }
}

test('each account leaves as many turns free as it has', async () => {
  const { ask, count } = working(turns({ atOnce: 16, mostWaiting: 100 }))
  for (const account of ['first', 'second', 'third', 'fourth']) for (let n = 0; n < 20; n++) void ask(account)
  await settled()
  assert.deepEqual(['first', 'second', 'third', 'fourth'].map(count), [8, 4, 2, 1])
  void ask('fifth')
  await settled()
  assert.equal(count('fifth'), 1)
})

test('an account whose origin hangs has one turn until the origin answers in time', async () => {
  const inTurns = turns({ atOnce: 16, mostWaiting: 100, hangsAfter: 5 })
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 10))
  await inTurns.reading('one', slow)
  const { ask, count, endAll } = working(inTurns)
  for (let n = 0; n < 4; n++) void ask('one')
  for (let n = 0; n < 4; n++) void ask('other')
  await settled()
  assert.deepEqual([count('one'), count('other')], [1, 4])
  // An error at once says nothing about the next file.
  await assert.rejects(inTurns.reading('one', () => Promise.reject(new Error('on purpose'))))
  endAll()
  await settled()
  assert.equal(count('one'), 2)
  await inTurns.reading('one', async () => {})
  endAll()
  await settled()
  assert.equal(count('one'), 4)
})

test('an account whose misses fill its share of the queue is refused, and no other', async () => {
  const inTurns = turns({ atOnce: 2, mostWaiting: 80 })
  const { ask, count } = working(inTurns)
  const all = Array.from({ length: 100 }, () => ask('one').catch((error: { code: string }) => error.code))
  await settled()
  assert.equal(count('one'), 1)
  const refusedTexts = await Promise.all(all.slice(71))
  assert.deepEqual([...new Set(refusedTexts)], ['server_busy'])
  void ask('other')
  await settled()
  assert.equal(count('other'), 1)
})
