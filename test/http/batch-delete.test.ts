import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServerDatabase } from '../support/accounts.ts'
import { ended, startBatch, statusOf, zipOf } from '../support/batch-call.ts'
import { solid } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'

test('a batch that is deleted while the queue fails is gone, and its client hears so', async () => {
  await using server = await startServer({ RENDERERS: '1' })
  const database = await openServerDatabase(server.dir)
  const { batch } = await startBatch(server, zipOf({ 'a.png': await solid(20, 20, '#123456').png().toBuffer() }))
  await ended(server, batch.id)
  await database.pool.query('alter schema pgboss rename to pgboss_away')
  const headers = { authorization: `Bearer ${server.key}` }
  const { status } = await fetch(`${server.url}/api/v2/batch/${batch.id}`, { method: 'DELETE', headers })
  await database.pool.query('alter schema pgboss_away rename to pgboss')
  const { rows } = await database.pool.query('select batch_id from batch_cleanup')
  await database.close()
  assert.equal(status, 200)
  assert.equal((await statusOf(server, batch.id)).status, 404)
  assert.match(server.output(), /"level":"warn".*the files of a batch wait for the housekeeping/)
  // What the housekeeping goes by.
  assert.deepEqual(rows, [{ batch_id: batch.id }])
})
