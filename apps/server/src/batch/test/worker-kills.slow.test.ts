import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { until } from '@pixelmill/engine/test/support/until'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { chargedCalls, makeAccount } from '../../../test/support/accounts.ts'
import { readBatch } from '../../../test/support/batches.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { openPool, renderersIn } from '../../../test/support/rendering.ts'
import { renderersOf } from '../../../test/support/server.ts'
import { type Files, itemsOf, partOf, type Stores, startWorker, untilEnded, uploadBatch } from '../../../test/support/workers.ts'
import { openFolder } from '../../blobs/folder/folder-store.ts'
import { ownStore } from '../../blobs/own-store.ts'
import { type Instance, registerInstance } from '../../metering/instance.ts'

const slow = await photo(2500, 2000).jpeg().toBuffer()
const many = (count: number, image: Buffer): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`${nth}.png`, image]))

onEachDatabase(({ kind, skip, database, target }) => {
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

  /** A worker that is present under a number of its own, until the test ends. */
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

  /** Kills the background's renderer at its next so many images. */
  async function killRenderers(times: number): Promise<void> {
    for (let kills = 0; kills < times; kills++) {
      assert.ok(await until(async () => pool.state('background').busy > 0, 20_000))
      for (const pid of await renderersIn('background')) process.kill(pid, 'SIGKILL')
      assert.ok(await until(async () => pool.state('background').busy === 0))
    }
  }

  test(`${kind}: an image whose renderer is killed is converted again; one that always crashes it fails the third time`, {
    skip,
  }, async (t) => {
    let killer = killRenderers(1)
    const worker = await working(t)
    const once = await upload({ 'a.jpg': slow }, 'avif')
    assert.equal((await untilEnded(stores(), once)).status, 'completed')
    await killer
    const [item] = await itemsOf(stores(), once)
    assert.deepEqual([item?.state, item?.attempt, item?.width], ['converted', 2, 2500])
    assert.deepEqual(
      worker.results.map(({ state }) => state),
      ['crashed', 'converted'],
    )
    killer = killRenderers(3)
    const always = await upload({ 'a.jpg': slow }, 'avif')
    const { status, error } = await untilEnded(stores(), always)
    await killer
    assert.deepEqual([status, error?.code], ['failed', 'conversion_failed'])
  })

  test(`${kind}: images of a worker that is killed are finished by another, each once`, { skip }, async (t) => {
    const before = await chargedCalls(database())
    const batch = await upload(many(12, slow))
    const program = join(import.meta.dirname, 'programs/work.ts')
    const other = spawn(process.execPath, [program, JSON.stringify(target()), folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(() => other.kill('SIGKILL'))
    // Its first result: it has claimed others.
    await once(other.stdout, 'data')
    assert.equal((await renderersOf(other.pid ?? 0)).length, 2)
    other.kill('SIGKILL')
    await once(other, 'exit')
    assert.equal((await readBatch(database(), batch.id)).finishedAt, null)
    await working(t)
    const { status, succeeded } = await untilEnded(stores(), batch)
    assert.deepEqual([status, succeeded, await chargedCalls(database())], ['completed', 12, before + 12])
    for (const item of await itemsOf(stores(), batch))
      assert.equal((await partOf(stores(), batch, item)).length, item.outputBytes)
  })
})
