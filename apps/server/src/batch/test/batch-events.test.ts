import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount } from '../../../test/support/accounts.ts'
import { makeBatch } from '../../../test/support/batches.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { watchBatches } from '../batch-events.ts'

onEachDatabase(({ kind, skip, database }) => {
  test(`${kind}: a follower that throws is removed, and the others continue`, { skip }, async () => {
    const { id: accountId, key } = await makeAccount(database(), 'team')
    const { id } = await makeBatch(database(), key, 1)
    const faults: unknown[] = []
    const watch = watchBatches(database().pool, (error) => faults.push(error))
    let failed = 0
    let heard = 0
    watch.follow({ id, accountId }, () => {
      failed++
      throw new Error('its stream is broken')
    })
    const end = watch.follow({ id, accountId }, (batch) => {
      assert.equal(batch?.id, id)
      heard++
    })
    assert.ok(await until(async () => heard === 2))
    end?.()
    assert.deepEqual([failed, faults.map(String)], [1, ['Error: its stream is broken']])
  })
})
