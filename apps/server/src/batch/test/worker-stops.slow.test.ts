import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import { chargedCalls, makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { type Process, run } from '../../../test/support/server.ts'
import { itemsOf, partsIn, untilEnded, uploadBatch } from '../../../test/support/workers.ts'
import { openFolder } from '../../blobs/folder/folder-store.ts'
import type { DatabaseTarget } from '../../database/database.ts'

const IMAGES = 60
const image = await photo(1200, 900).jpeg().toBuffer()
const files = Object.fromEntries(Array.from({ length: IMAGES }, (_, nth) => [`${nth}.jpg`, image]))

const urlOf = (target: DatabaseTarget): string =>
  'url' in target ? target.url : `postgres:///postgres?user=pixelmill&host=${encodeURIComponent(target.socketDir)}`

onEachDatabase(({ kind, skip, database, target }) => {
  test(`${kind}: a worker that is stopped during a batch leaves nothing claimed, and another finishes it at once`, {
    skip,
  }, async (t) => {
    const dir = await tempFolder(t)
    const settings = { ROLE: 'worker', DATABASE_URL: urlOf(target()), DATA_DIR: dir, RENDERERS: '1', BATCH_NICE: '0' }
    const start = async (): Promise<Process> => {
      const worker = run(settings)
      t.after(async () => {
        worker.child.kill('SIGKILL')
        await worker.exited
      })
      assert.ok(await until(async () => /works on batches/.test(worker.output()), 60_000), worker.output())
      return worker
    }
    const first = await start()
    const stores = { database: database(), blobs: await openFolder({ root: `${dir}/blobs`, reserveBytes: 0 }) }
    const { key } = await makeAccount(database(), 'enterprise')
    const batch = await uploadBatch(stores, key, files)
    const countOf = async (state: string) => (await itemsOf(stores, batch)).filter((item) => item.state === state).length

    assert.ok(await until(async () => (await countOf('converted')) > 0, 60_000), first.output())
    const began = performance.now()
    first.child.kill('SIGTERM')
    assert.deepEqual(await first.exited, { code: 0, signal: null }, first.output())
    assert.ok(performance.now() - began < 30_000)
    assert.equal(await countOf('claimed'), 0)
    const doneCount = await countOf('converted')
    assert.ok(doneCount > 0 && doneCount < IMAGES, `${doneCount} images were converted`)

    await start()
    // Far less than the two minutes that a lease runs.
    const { status } = await untilEnded(stores, batch, 60_000)
    assert.equal(status, 'completed')
    assert.equal(await countOf('converted'), IMAGES)
    // Given back, not lost: none waited for its lease, and none was charged twice.
    const { rows } = await database().pool.query('select sum(losses)::int as losses from batch_item where batch_id = $1', [
      batch.id,
    ])
    assert.deepEqual(rows, [{ losses: 0 }])
    assert.equal((await partsIn(stores, batch)).length, IMAGES)
    assert.equal(await chargedCalls(database()), IMAGES)
  })
})
