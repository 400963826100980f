import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { fillUp, mountSmallDisk, noSmallDisk } from 'pixelmill/test/support/small-disk'
import { findMismatches } from '../src/metering/ledger.ts'
import { accountTotals } from './support/account-totals.ts'
import { makeAccount, openServerDatabase } from './support/accounts.ts'
import { startBatch, statusOf, untilEnded, zipOf } from './support/batch-call.ts'
import { caller } from './support/call.ts'
import { postmasterIn } from './support/postgres-processes.ts'
import { startServer } from './support/server.ts'

const image = await solid(8, 8, '#123456').png().toBuffer()

test('the disk fills up: new batches are storage_full, one under way waits, all else goes on; and all is well when there is room', {
  skip: noSmallDisk(),
  timeout: 180_000,
}, async (t) => {
  const disk = mountSmallDisk(400)
  t.after(disk.remove)
  const filler = join(disk.path, 'filler')
  await using server = await startServer({ DATA_DIR: join(disk.path, 'data'), RENDERERS: '1' })
  const database = await openServerDatabase(server.dir)
  const { id, key } = await makeAccount(database, 'team')
  const calledValue = { url: server.url, key }
  const photograph = await photo(1600, 1200).png().toBuffer()
  const photographs = zipOf(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.png`, photograph])))

  const { batch } = await startBatch(calledValue, photographs, { format: 'webp' })
  const doneImages = async () => (await statusOf(calledValue, batch.id)).body.progress.done
  assert.ok(await until(async () => (await doneImages()) > 0, 60_000))
  fillUp(filler, 60)
  const refusedValue = await startBatch(calledValue, photographs)
  assert.deepEqual([refusedValue.status, refusedValue.error?.statusMessage], [503, 'storage_full'])
  assert.ok(Number(refusedValue.headers.get('retry-after')) >= 1)
  const single = await caller(calledValue).post('convert', { format: 'png' }, { image })
  const ready = await fetch(`${server.url}/readyz`)
  assert.deepEqual([single.status, ready.status], [200, 200])
  assert.ok(await until(async () => server.output().includes('batches wait for the store'), 60_000))
  const waiting = (await statusOf(calledValue, batch.id)).body
  assert.deepEqual([waiting.status, waiting.progress.failed], ['processing', 0])
  assert.ok(waiting.progress.done < 12, 'it waits')

  await rm(filler)
  assert.equal((await untilEnded(calledValue, batch.id)).progress.succeeded, 12)
  const next = await startBatch(calledValue, photographs)
  assert.equal((await untilEnded(calledValue, next.batch.id)).progress.succeeded, 12)
  const books = await accountTotals(database, id)
  await database.close()
  assert.deepEqual([books.used, books.open], [25, 0])
  assert.equal(server.child.exitCode, null)
})

test('something else fills the disk, and PostgreSQL ends meanwhile: the server lives, and works by itself when there is room', {
  skip: skipByDay || noSmallDisk(),
  timeout: 120_000,
}, async (t) => {
  const disk = mountSmallDisk(256)
  t.after(disk.remove)
  const DATA_DIR = join(disk.path, 'data')
  const filler = join(disk.path, 'filler')
  await using server = await startServer({ DATA_DIR, RENDERERS: '1' })
  const before = await openServerDatabase(server.dir)
  const { id, key } = await makeAccount(before, 'team')
  await before.close()
  let acknowledgedCount = 0
  const call = async () => {
    const { status } = await caller({ url: server.url, key }).post('convert', { format: 'png' }, { image })
    if (status === 200) acknowledgedCount++
    return status
  }
  assert.equal(await call(), 200)

  fillUp(filler)
  // Some are still served, until a table has to grow.
  for (let calls = 0; calls < 20; calls++) assert.ok([200, 500, 503].includes(await call()))
  process.kill(await postmasterIn(server.dir), 'SIGKILL')
  // It may even start again: it cleans up first, and its log has room of its own.
  assert.ok(await until(async () => server.output().includes('"PostgreSQL is away"'), 30_000))
  fillUp(`${filler}-2`)
  for (let calls = 0; calls < 20; calls++) assert.ok([200, 500, 503].includes(await call()))
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)

  for (const file of [filler, `${filler}-2`]) await rm(file)
  assert.ok(await until(async () => (await call()) === 200, 45_000), server.output())
  assert.equal(server.child.exitCode, null)
  const after = await openServerDatabase(server.dir)
  assert.ok(await until(async () => (await accountTotals(after, id)).open === 0, 10_000))
  const { used } = await accountTotals(after, id)
  const mismatches = await findMismatches(after)
  await after.close()
  assert.deepEqual([used, mismatches], [acknowledgedCount, []])
})
