import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { everyFormat, near, photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { readable } from '@pixelmill/engine/test/support/readable'
import { until } from '@pixelmill/engine/test/support/until'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import sharp from 'sharp'
import { chargedCalls, makeAccount } from '../../../test/support/accounts.ts'
import { readBatch } from '../../../test/support/batches.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { openPool } from '../../../test/support/rendering.ts'
import {
  type Files,
  itemsOf,
  partOf,
  partsIn,
  type Stores,
  startWorker,
  untilEnded,
  uploadBatch,
} from '../../../test/support/workers.ts'
import { openFolder } from '../../blobs/folder/folder-store.ts'
import { ownStore } from '../../blobs/own-store.ts'
import { errors } from '../../contract/errors.ts'
import { type Instance, registerInstance } from '../../metering/instance.ts'
import { cancelBatch } from '../end-batches.ts'

const red = await solid(30, 20, '#ff0000').png().toBuffer()
const slow = await photo(1000, 800).jpeg().toBuffer()
const many = (count: number, image = red): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`${nth}.png`, image]))

onEachDatabase(({ kind, skip, database }) => {
  let folder: string
  let blobs: BlobStore
  let pool: Pool
  const cleanups: (() => unknown)[] = []
  before(async () => {
    if (skip) return
    folder = await tempFolder({ after: (clean: unknown) => void cleanups.push(clean as () => unknown) })
    blobs = await openFolder({ root: folder, reserveBytes: 0 })
    await ownStore(blobs, 'test')
    pool = openPool()
  })
  after(async () => {
    await pool?.close()
    for (const clean of cleanups) await clean()
  })
  const stores = (): Stores => ({ database: database(), blobs })
  const upload = async (files: Files, format: 'webp' | 'avif' = 'webp') =>
    uploadBatch(stores(), (await makeAccount(database(), 'enterprise')).key, files, format)

  /** A worker process's registration under a number of its own, until the test ends. */
  async function present(t: TestContext): Promise<Instance> {
    const presence = await registerInstance(database(), assert.ifError)
    t.after(() => presence.close())
    return presence
  }
  async function working(t: TestContext, ...[settings, events]: [object?, object?]) {
    const worker = startWorker(stores(), pool, await present(t), settings, events)
    t.after(() => worker.close())
    return worker
  }

  test(`${kind}: a batch gives the same results as the endpoint, image by image`, { skip }, async (t) => {
    const before = await chargedCalls(database())
    const pictures = await everyFormat()
    const count = Object.keys(pictures).length
    const files = {
      ...pictures,
      'cut.jpg': slow.subarray(0, 1_000),
      'notes.txt': Buffer.from('no image'),
      'no.png': red.subarray(9),
    }
    const batch = await upload(files)
    const worker = await working(t)
    const { status, total, succeeded, failed } = await untilEnded(stores(), batch)
    assert.deepEqual([status, total, succeeded, failed], ['completed', count + 2, count, 2])
    assert.equal(await chargedCalls(database()), before + count)
    const items = await itemsOf(stores(), batch)
    for (const item of items.slice(0, count)) {
      const part = await partOf(stores(), batch, item)
      assert.deepEqual([item.state, item.outputBytes, item.crc32], ['converted', part.length, crc32(part)])
      assert.equal(item.inputBytes, pictures[item.source]?.length)
      const { format, width, height } = await sharp(part).metadata()
      assert.deepEqual([format, width, height], ['webp', item.width, item.height])
      assert.ok(near(await pixel(part, 100, 80), await pixel(await readable(pictures[item.source] ?? part), 100, 80), 24))
    }
    assert.deepEqual(
      items.slice(count).map(({ state, error }) => [state, error]),
      [
        ['failed', { code: 'invalid_image', message: 'The image cannot be read: it ends before its pixels do.' }],
        ['skipped', null],
        ['failed', { code: 'invalid_image_type', message: errors.invalid_image_type.message }],
      ],
    )
    assert.equal((await partsIn(stores(), batch)).length, count)
    assert.deepEqual([worker.events, worker.results.length], [['ended'], count + 2])
  })

  test(`${kind}: a worker that stops releases what it does not finish in time`, { skip }, async (t) => {
    const batch = await upload(many(2, slow), 'avif')
    const stopping = startWorker(stores(), pool, await present(t), { finishMs: 0 })
    assert.ok(await until(async () => pool.state('background').busy > 0))
    assert.equal(stopping.close(), stopping.close())
    await stopping.close()
    const items = await itemsOf(stores(), batch)
    assert.deepEqual(new Set(items.map(({ state }) => state)), new Set(['pending']))
    assert.deepEqual(await partsIn(stores(), batch), [])
    await working(t)
    assert.deepEqual((await untilEnded(stores(), batch)).succeeded, 2)
    // A release is no loss: nothing was counted against the images.
    const { rows } = await database().pool.query(
      'select sum(losses)::int as lost, sum(crashes)::int as crashed from batch_item where batch_id = $1',
      [batch.id],
    )
    assert.deepEqual(rows, [{ lost: 0, crashed: 0 }])
  })

  test(`${kind}: a batch that is cancelled during conversion leaves nothing`, { skip }, async (t) => {
    const { results } = await working(t)
    const count = 60 // More than are converted while this test notices the first.
    const batch = await upload(many(count, slow))
    assert.ok(await until(async () => (await readBatch(database(), batch.id)).succeeded > 0, 20_000))
    assert.ok(await cancelBatch(database().pool, batch.accountId, batch.id))
    assert.ok(await until(async () => pool.state('background').busy === 0 && pool.state('background').queued === 0, 20_000))
    // An image that counted before has its file until housekeeping removes the batch's. One that was converted later was stored, refused
    // by the database, and deleted.
    assert.ok(await until(async () => (await partsIn(stores(), batch)).length === results.length))
    assert.ok(results.length < count)
  })

  test(`${kind}: a batch whose upload is lost fails, unless it is the wrong store`, { skip }, async (t) => {
    const lostBatch = await upload(many(3))
    await blobs.delete(`batch/${lostBatch.id}/upload.zip`)
    const first = await working(t, { pauseMs: 100 })
    const { status, error } = await untilEnded(stores(), lostBatch)
    assert.deepEqual([status, error?.code], ['failed', 'conversion_failed'])
    assert.ok(await until(async () => first.events.includes('ended')))
    await first.close()

    const batch = await upload(many(3))
    await blobs.delete('installation')
    await blobs.delete(`batch/${batch.id}/upload.zip`)
    const worker = await working(t, { pauseMs: 100 })
    assert.ok(await until(async () => worker.events.includes('no storage')))
    assert.equal((await readBatch(database(), batch.id)).finishedAt, null)
    await ownStore(blobs, 'test')
    assert.equal((await untilEnded(stores(), batch)).status, 'failed')
  })
})
