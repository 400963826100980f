import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { startClaimLoop } from '../claim-loop.ts'

const onLook = (error?: unknown) => assert.ifError(error)

test('what waits is done one after the other, not one for each look, and no more at once than allowed', async () => {
  const waiting = ['1', '2', '3', '4', '5']
  const doneTexts: string[] = []
  let running = 0
  let most = 0
  const loop = startClaimLoop({
    atOnce: 2,
    everyMs: 60_000,
    onLook,
    claim: async (free) => waiting.splice(0, free),
    async work(item) {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running--
      doneTexts.push(item)
    },
  })
  assert.ok(await until(async () => doneTexts.length === 5, 20_000), `only ${doneTexts} are done`)
  await loop.close()
  assert.deepEqual([doneTexts.toSorted(), most], [['1', '2', '3', '4', '5'], 2])
})

test('a look that fails is told, and followed by the next', async () => {
  const looks: unknown[] = []
  const doneNumbers: number[] = []
  const loop = startClaimLoop({
    atOnce: 1,
    everyMs: 1,
    async claim() {
      if (looks.length === 0) throw new Error('away')
      return doneNumbers.length === 0 ? [1] : []
    },
    work: async (item) => void doneNumbers.push(item),
    onLook: (error) => looks.push(error),
  })
  assert.ok(await until(async () => doneNumbers.length === 1))
  await loop.close()
  assert.match(String(looks[0]), /away/)
  assert.equal(looks[1], undefined)
})

test('a stop waits for what is under way, and claims nothing more', async () => {
  const order: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const loop = startClaimLoop({
    atOnce: 1,
    everyMs: 1,
    onLook,
    claim: async () => [order.push('claimed')],
    async work() {
      await promise
      order.push('done')
    },
  })
  assert.ok(await until(async () => order.length === 1))
  const closedCount = loop.close().then(() => order.push('closed'))
  resolve()
  await closedCount
  assert.deepEqual(order, ['claimed', 'done', 'closed'])
})
