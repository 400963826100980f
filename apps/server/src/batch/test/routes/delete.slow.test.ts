import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { openServerDatabase } from '../../../../test/support/accounts.ts'
import { startBatch, statusOf, untilEnded, zipOf } from '../../../../test/support/batch-call.ts'
import { startServer } from '../../../../test/support/server.ts'

test('a batch that is deleted while housekeeping fails is gone, and so are its files', async () => {
  await using server = await startServer({ RENDERERS: '1' })
  const database = await openServerDatabase(server.dir)
  const { batch } = await startBatch(server, zipOf({ 'a.png': await solid(20, 20, '#123456').png().toBuffer() }))
  await untilEnded(server, batch.id)
  await database.pool.query('alter table housekeeping_job rename to away')
  assert.ok(await until(async () => /"level":"warn".*housekeeping waits for the database/.test(server.output()), 20_000))
  const headers = { authorization: `Bearer ${server.key}` }
  const { status } = await fetch(`${server.url}/api/v2/batch/${batch.id}`, { method: 'DELETE', headers })
  assert.equal(status, 200)
  assert.equal((await statusOf(server, batch.id)).status, 404)
  // What says that files wait to be removed.
  const waiting = async () => (await database.pool.query('select batch_id from batch_cleanup')).rows.length
  assert.ok(await until(async () => (await waiting()) === 0))
  await database.pool.query('alter table away rename to housekeeping_job')
  await database.close()
  const files = await readdir(join(server.dir, 'blobs'), { recursive: true })
  assert.deepEqual(
    files.filter((file) => file.includes(batch.id)),
    [],
  )
})
