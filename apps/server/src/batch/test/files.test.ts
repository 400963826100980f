import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { StorageUnavailable } from 'pixelmill/bucket/blob-errors'
import { makeAccount } from '../../../test/support/accounts.ts'
import { claimItems, convertedResult, makeBatch } from '../../../test/support/batches.ts'
import { FOLDER } from '../../../test/support/blob-targets.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { registerInstance } from '../../metering/instance.ts'
import { type ClaimedImage, partKey, uploadKey } from '../batch.ts'
import { recordResults } from '../claim-images.ts'
import { cancelBatch, expireBatches, failBatch } from '../end-batches.ts'
import { removeAllFiles, removeFiles, sweepOrphans } from '../remove-files.ts'

const { store: blobs } = await FOLDER.start({ after: (end) => after(end as () => unknown) })
/** Files that were stored within the test are older than this. */
const NOW = -60_000

onEachDatabase(({ kind, skip, database }) => {
  const stores = () => ({ database: database(), blobs })
  const put = (key: string) => blobs.put(key, Readable.from(['file']), { contentType: 'image/webp' })
  const left = async () => (await blobs.list('batch/')).blobs.map(({ key }) => key)

  /** A batch of four with its upload, of which two are converted and two under way; and a part that is not counted. */
  async function halfDone() {
    const { server, close } = await registerInstance(database(), assert.ifError)
    const { id: account, key } = await makeAccount(database(), 'team')
    const { id } = await makeBatch(database(), key, 4)
    const claim = () => claimItems(database(), server, 2)
    const finish = async (items: readonly ClaimedImage[]) => recordResults(database().pool, server, items.map(convertedResult))
    const doneImages = await claim()
    const late = await claim()
    const parts = [...doneImages, ...late].map(partKey)
    const stray = partKey({ batchId: id, seq: 0, attempt: 9 })
    for (const file of [uploadKey(id), ...parts, stray]) await put(file)
    await finish(doneImages)
    const end = async () => {
      await database().pool.query('delete from batch')
      await database().pool.query('delete from batch_cleanup')
      for (const file of await left()) await blobs.delete(file)
      await close()
    }
    return { id, account, parts, all: [...parts, stray, uploadKey(id)].sort(), complete: () => finish(late), end }
  }

  test(`${kind}: when a batch completes, its result's files stay, until it expires`, { skip }, async () => {
    const { id, parts, all, complete, end } = await halfDone()
    await removeFiles(stores(), id)
    assert.deepEqual([await removeAllFiles(stores()), await left()], [0, all], 'while it is under way')
    await complete()
    assert.deepEqual([await removeAllFiles(stores()), await left()], [1, parts])
    assert.equal(await removeAllFiles(stores()), 0)
    await database().pool.query('update batch set expires_at = now()')
    assert.deepEqual(await expireBatches(database().pool), [id])
    assert.deepEqual([await removeAllFiles(stores()), await left()], [1, []])
    await end()
  })

  for (const [what, act] of [
    ['fails', ({ id }: { id: string }) => failBatch(database().pool, id, { code: 'stale', message: '' })],
    ['is cancelled', ({ id, account }: { id: string; account: string }) => cancelBatch(database().pool, account, id)],
  ] as const) {
    test(`${kind}: when a batch ${what}, all of its files are removed, and no others`, { skip }, async () => {
      const goneValue = await halfDone()
      const stays = await halfDone()
      assert.equal(await act(goneValue), true)
      // Two at once do no harm.
      await Promise.all([removeAllFiles(stores()), removeFiles(stores(), goneValue.id)])
      assert.deepEqual(await left(), stays.all)
      await goneValue.end()
      await stays.end()
    })
  }

  test(`${kind}: a batch that leaves files during their removal is processed again`, { skip }, async () => {
    const { id, complete, end } = await halfDone()
    await complete()
    const expiring = {
      ...blobs,
      list: async (prefix: string, cursor?: string) => {
        await database().pool.query('update batch set expires_at = now()')
        await expireBatches(database().pool)
        return blobs.list(prefix, cursor)
      },
    }
    await removeFiles({ database: database(), blobs: expiring }, id)
    assert.equal(await removeAllFiles(stores()), 1)
    assert.deepEqual(await left(), [])
    await end()
  })

  test(`${kind}: files that cannot be deleted do not stop others, and are reported after all others are deleted`, {
    skip,
  }, async () => {
    const ids = Array.from({ length: 102 }, () => randomUUID())
    const stuckTexts = [0, 100].map((nth) => `batch/${ids[nth]}/images/0-1`)
    let tries = 0
    const failing = {
      ...blobs,
      async delete(key: string) {
        if (!stuckTexts.includes(key)) return blobs.delete(key)
        tries++
        throw new StorageUnavailable('on purpose')
      },
    }
    for (const id of ids) {
      for (const part of ['0-1', '1-1']) await put(`batch/${id}/images/${part}`)
      await database().pool.query('insert into batch_cleanup (batch_id) values ($1)', [id])
    }
    const twoErrors = (error: unknown) => error instanceof AggregateError && error.errors.length === 2
    await assert.rejects(removeAllFiles({ database: database(), blobs: failing }), twoErrors)
    assert.deepEqual([await left(), tries], [stuckTexts.toSorted(), 2])
    const { rows } = await database().pool.query<{ id: string }>('select batch_id as id from batch_cleanup order by at')
    assert.deepEqual(
      rows.map(({ id }) => id),
      [ids[0], ids[100]],
    )
    await put('batch/none/images/0-1')
    await assert.rejects(sweepOrphans({ database: database(), blobs: failing }, NOW), twoErrors)
    assert.deepEqual(await left(), stuckTexts.toSorted())
    assert.deepEqual([await removeAllFiles(stores()), await left()], [2, []])
  })

  test(`${kind}: orphans are swept when they are old: files of no batch, and what a batch does not need`, { skip }, async () => {
    const active = await halfDone()
    const completedValue = await halfDone()
    await completedValue.complete()
    const orphans = ['batch/7b0f7e0a-3c8b-4c0e-9d3b-2f6d1f1f8a11/upload.zip', 'batch/none/images/0-1', 'batch/none']
    for (const key of orphans) await put(key)
    await put('installation-of-another-kind')
    assert.equal(await sweepOrphans(stores()), 0, 'they are young')
    assert.equal(await sweepOrphans(stores(), NOW), orphans.length + 2)
    assert.deepEqual(await left(), [...active.all, ...completedValue.parts].sort())
    assert.equal((await blobs.head('installation-of-another-kind')).size, 4)
    await blobs.delete('installation-of-another-kind')
    await active.end()
    await completedValue.end()
  })
})
