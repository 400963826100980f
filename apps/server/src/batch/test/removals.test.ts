import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { StorageUnavailable } from 'pixelmill/bucket/blob-errors'
import { FOLDER } from '../../../test/support/blob-targets.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { removeAllFiles, startRemovingFiles } from '../remove-files.ts'

const { store: blobs } = await FOLDER.start({ after: (end) => after(end as () => unknown) })
const put = (id: string) => blobs.put(`batch/${id}/images/0-1`, Readable.from(['file']), { contentType: 'image/webp' })
const left = async () => (await blobs.list('batch/')).blobs.map(({ key }) => key)
const events = {
  onFault: (_: string, error: unknown) => assert.ifError(error),
  onLook: (error?: unknown) => assert.ifError(error),
}

onEachDatabase(({ kind, skip, database }) => {
  const waiting = async () => (await database().pool.query('select batch_id from batch_cleanup')).rows.length

  test(`${kind}: files are removed after the end of their batch is committed, by one of two processes`, { skip }, async (t) => {
    const listedTexts: string[] = []
    const counting = {
      ...blobs,
      list: (prefix: string, cursor?: string) => {
        listedTexts.push(prefix)
        return blobs.list(prefix, cursor)
      },
    }
    const stores = { database: database(), blobs: counting }
    const loops = [startRemovingFiles(stores, events), startRemovingFiles(stores, events)]
    t.after(() => Promise.all(loops.map((loop) => loop.close())))
    const client = await database().connect()
    t.after(() => client.end())
    const undoneText = randomUUID()
    const keptText = randomUUID()
    for (const [id, end] of [
      [undoneText, 'rollback'],
      [keptText, 'commit'],
    ] as const) {
      await put(id)
      await client.query('begin')
      await client.query('insert into batch_cleanup (batch_id) values ($1)', [id])
      await client.query(end)
    }
    assert.ok(await until(async () => (await waiting()) === 0))
    for (const loop of loops) assert.equal(await loop.look(), false)
    assert.deepEqual(await left(), [`batch/${undoneText}/images/0-1`])
    assert.deepEqual(listedTexts, [`batch/${keptText}/`])
    await blobs.delete(`batch/${undoneText}/images/0-1`)
  })

  test(`${kind}: a batch that leaves files again is claimed again; failed removals are left for the housekeeping`, {
    skip,
  }, async (t) => {
    const faults: string[] = []
    const id = randomUUID()
    const failing = { ...blobs, delete: () => Promise.reject(new StorageUnavailable('on purpose')) }
    const loop = startRemovingFiles(
      { database: database(), blobs: failing },
      { ...events, onFault: (batch) => faults.push(batch) },
    )
    t.after(() => loop.close())
    await put(id)
    await database().pool.query('insert into batch_cleanup (batch_id) values ($1)', [id])
    assert.ok(await until(async () => faults.length === 1))
    assert.equal(await loop.look(), false)
    assert.deepEqual(faults, [id], 'it is not tried at each look')
    await database().pool.query('update batch_cleanup set at = clock_timestamp()')
    assert.ok(await until(async () => faults.length === 2))
    await loop.close()
    assert.equal(await removeAllFiles({ database: database(), blobs }), 1)
    assert.deepEqual([await left(), await waiting()], [[], 0])
  })
})
