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
    let failedCount = 0
    let heardCount = 0
    watch.follow({ id, accountId }, () => {
      failedCount++
      throw new Error('its stream is broken')
    })
    const end = watch.follow({ id, accountId }, (batch) => {
      assert.equal(batch?.id, id)
      heardCount++
    })
    assert.ok(await until(async () => heardCount === 2))
    end?.()
    assert.deepEqual([failedCount, faults.map(String)], [1, ['Error: its stream is broken']])
  })
})
