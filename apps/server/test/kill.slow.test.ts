import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { chargedCalls, openServerDatabase } from './support/accounts.ts'
import { caller } from './support/call.ts'
import { startServer } from './support/server.ts'

test('after kill -9 every acknowledged call is still counted, and the key still works', async () => {
  await using first = await startServer()
  const image = await photo(40, 40).jpeg().toBuffer()
  let acknowledgedCount = 0
  const clients = Array.from({ length: 4 }, async () => {
    for (let calls = 0; calls < 200; calls++) {
      const answeredAnswer = await caller(first)
        .post('convert', { format: 'png' }, { image })
        .catch(() => undefined)
      if (answeredAnswer?.status !== 200) return
      acknowledgedCount++
    }
  })
  assert.ok(await until(async () => acknowledgedCount > 4))
  await first.stop('SIGKILL')
  await Promise.all(clients)
  await using second = await startServer({ DATA_DIR: first.dir, ADMIN_API_KEY: first.key })
  const database = await openServerDatabase(first.dir)
  const chargedCount = await chargedCalls(database)
  await database.close()
  assert.ok(acknowledgedCount > 0)
  assert.ok(
    chargedCount >= acknowledgedCount && chargedCount <= acknowledgedCount + 4,
    `${chargedCount} charged, ${acknowledgedCount} acknowledged`,
  )
  assert.equal((await caller(second).post('convert', {}, { image })).status, 200)
  assert.ok(!second.output().includes(first.key))
  assert.doesNotMatch(second.output(), /sk_[A-Za-z0-9]{48}|password/)
  assert.equal((await second.stop()).code, 0)
})
