import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import type pg from 'pg'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { fillUp, mountSmallDisk, noSmallDisk } from 'pixelmill/test/support/small-disk'
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
import { openDatabase } from '../../database/database.ts'
import { startEmbedded } from '../../database/embedded/server.ts'
import { migrate } from '../../database/migrate.ts'
import { registerInstance } from '../../metering/instance.ts'

const image = await photo(1200, 800).jpeg().toBuffer()
const many = (count: number): Files => Object.fromEntries(Array.from({ length: count }, (_, nth) => [`${nth}.jpg`, image]))

const pool = openPool()
after(() => pool.close())

async function working(t: TestContext, stores: Stores) {
  // The instance's connection breaks with the others, which is part of it.
  const presence = await registerInstance(stores.database, () => {})
  t.after(() => presence.close())
  const worker = startWorker(stores, pool, presence, { pauseMs: 200 })
  t.after(() => worker.close())
  return worker
}

const upload = async (stores: Stores, images: number) =>
  uploadBatch(stores, (await makeAccount(stores.database, 'enterprise')).key, many(images))

/** Cuts the connections that are used for the batch, until it has ended; returns how many were cut. */
async function cutConnectionsUntilEnded(admin: pg.Client, batchId: string): Promise<number> {
  let cut = 0
  const hasEnded = async () => {
    const { rowCount } = await admin.query(
      // Of this database: other tests use others on the same server.
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like $1`,
      ['%batch%'],
    )
    cut += rowCount ?? 0
    await sleep(150 * Math.random())
    return (await admin.query('select from batch where id = $1 and finished_at is not null', [batchId])).rowCount === 1
  }
  assert.ok(await until(hasEnded, 120_000))
  return cut
}

/** Every image is there once, with all its bytes, and was charged once. */
async function assertWhole(stores: Stores, id: string, images: number, chargedBefore: number): Promise<void> {
  const items = await itemsOf(stores, { id })
  assert.equal(items.length, images)
  for (const item of items) assert.equal((await partOf(stores, { id }, item)).length, item.outputBytes)
  assert.equal(await chargedCalls(stores.database), chargedBefore + images)
}

onEachDatabase(({ kind, skip, database }) => {
  test(`${kind}: while the disk is full images wait, and none fails`, { skip: skip || noSmallDisk() }, async (t) => {
    const disk = mountSmallDisk(8)
    t.after(disk.remove)
    const blobs: BlobStore = await openFolder({ root: join(disk.path, 'blobs'), reserveBytes: 0 })
    const stores = { database: database(), blobs }
    const chargedCount = await chargedCalls(database())
    const batch = await upload(stores, 8)
    const filler = join(disk.path, 'filler')
    fillUp(filler)
    const worker = await working(t, stores)
    assert.ok(await until(async () => worker.events.length > 0, 30_000))
    // It goes on to ask, and converts nothing in vain.
    const resultsBefore = worker.results.length
    const checks = t.mock.method(blobs, 'check').mock
    assert.ok(await until(async () => checks.callCount() >= 2, 30_000))
    assert.deepEqual([worker.events, worker.results.length], [['no storage'], resultsBefore])
    const waiting = await readBatch(database(), batch.id)
    assert.deepEqual([waiting.finishedAt, waiting.succeeded, waiting.failed], [null, 0, 0])
    assert.deepEqual(await partsIn(stores, batch), [])
    rmSync(filler)
    assert.equal((await untilEnded(stores, batch)).succeeded, 8)
    await assertWhole(stores, batch.id, 8, chargedCount)
    assert.deepEqual(worker.events, ['no storage', 'storage', 'ended'])
  })

  test(`${kind}: with connections that are cut repeatedly nothing is lost or done twice`, { skip }, async (t) => {
    const stores = { database: database(), blobs: await openFolder({ root: await tempFolder(t), reserveBytes: 0 }) }
    await working(t, stores)
    const admin = await database().connect()
    t.after(() => admin.end())
    let cut = 0
    // A fast machine ends a batch before that many connections are cut; then another follows.
    for (let round = 0; round < 20 && cut <= 10; round++) {
      const chargedCount = await chargedCalls(database())
      const batch = await upload(stores, 24)
      cut += await cutConnectionsUntilEnded(admin, batch.id)
      assert.equal((await readBatch(database(), batch.id)).succeeded, 24)
      await assertWhole(stores, batch.id, 24, chargedCount)
    }
    assert.ok(cut > 10, `${cut} connections were cut`)
  })
})

test('the worker waits for an unavailable database, and reports it once', async (t) => {
  // More than a worker converts while the database is being stopped.
  const IMAGES = 60
  const dataDir = await tempFolder(t)
  let server = await startEmbedded({ dataDir, onLog: () => {} })
  t.after(() => server.stop())
  const database = await openDatabase(server, () => {})
  t.after(() => database.close())
  await migrate(database)
  const stores = { database, blobs: await openFolder({ root: await tempFolder(t), reserveBytes: 0 }) }
  const batch = await upload(stores, IMAGES)
  const worker = await working(t, stores)
  assert.ok(await until(async () => worker.results.length > 0, 30_000))
  await server.stop()
  assert.ok(await until(async () => worker.events.length > 0, 30_000))
  // It goes on to ask, and does not report it again.
  const questions = t.mock.method(database.pool, 'connect').mock
  assert.ok(await until(async () => questions.callCount() >= 2, 30_000))
  assert.deepEqual(worker.events, ['no database'])
  server = await startEmbedded({ dataDir, onLog: () => {} })
  assert.ok(
    await until(
      () =>
        untilEnded(stores, batch).then(
          () => true,
          () => false,
        ),
      30_000,
    ),
  )
  assert.equal((await readBatch(database, batch.id)).succeeded, IMAGES)
  await assertWhole(stores, batch.id, IMAGES, 0)
  assert.deepEqual(worker.events, ['no database', 'database', 'ended'])
})
