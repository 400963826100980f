import assert from 'node:assert/strict'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { blobPath } from '../../blobs/folder/disk.ts'
import { openFolder } from '../../blobs/folder/folder-store.ts'
import { openCache, type Result } from '../cache.ts'
import { evict, sweepGenerations } from '../evict.ts'

async function folder(t: { after(end: () => Promise<void>): void }) {
  const root = await mkdtemp(join(tmpdir(), 'cache-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  return { root, blobs: await openFolder({ root, reserveBytes: 0 }) }
}

async function keysOf(blobs: BlobStore): Promise<readonly string[]> {
  const { blobs: foundBlobs } = await blobs.list('cache/')
  return foundBlobs.map(({ key }) => key)
}
const put = (blobs: BlobStore, key: string, bytes: number) => blobs.keep(key, Buffer.alloc(bytes))

test('what was used longest ago goes first, to a tenth below the limit', async (t) => {
  const { root, blobs } = await folder(t)
  for (let n = 0; n < 10; n++) {
    const key = `cache/1/aa/${n}`
    await put(blobs, key, 1_000)
    const usedAt = new Date(Date.now() - n * 7_200_000)
    await utimes(blobPath(root, key), usedAt, usedAt)
  }
  await put(blobs, 'batch/1', 100_000)
  assert.deepEqual(await evict(blobs, 10_000), { files: 0, bytes: 0, left: 10_000 })
  await blobs.touch('cache/1/aa/9')
  await blobs.touch('cache/1/aa/none')
  const { files, left } = await evict(blobs, 5_000)
  assert.ok(left <= 5_000 && left >= 4_000 - 1_000, String(left))
  assert.equal(files, 10 - left / 1_000)
  const keptTexts = await keysOf(blobs)
  assert.ok(keptTexts.includes('cache/1/aa/9') && keptTexts.includes('cache/1/aa/0'))
  assert.ok(!keptTexts.includes('cache/1/aa/8'))
  assert.equal((await blobs.head('batch/1')).size, 100_000)
})

const result = (body: Buffer): Result => ({
  etag: '"1"',
  format: 'webp',
  formats: '',
  width: 1,
  height: 1,
  lastModified: 'x',
  checkedAt: 1,
  headers: {},
  body,
})
const noEvents = { onFault: assert.ifError, onStored: () => {} }

test('results in memory and in the store; damaged ones are none', async (t) => {
  const { root, blobs } = await folder(t)
  const cache = openCache(blobs, { memoryBytes: 10_000, stores: true }, noEvents)
  const small = result(Buffer.from('bytes'))
  await cache.write('cache/1/aa/small', small)
  assert.deepEqual(cache.inMemory('cache/1/aa/small'), small)
  const large = result(Buffer.alloc(300_000, 1))
  await cache.write('cache/1/aa/large', large)
  assert.equal(cache.inMemory('cache/1/aa/large'), undefined)
  const fresh = openCache(blobs, { memoryBytes: 10_000, stores: true }, noEvents)
  assert.deepEqual(await fresh.read('cache/1/aa/small'), small)
  assert.deepEqual(await fresh.read('cache/1/aa/large'), large)
  assert.equal(await fresh.read('cache/1/aa/none'), undefined)
  for (const [name, bytes] of Object.entries({ empty: [], short: [0, 0], cut: [0, 0, 0, 99, 1], text: [0, 0, 0, 2, 97, 98] })) {
    await blobs.put(`cache/1/aa/${name}`, Readable.from([Buffer.from(bytes)]), { contentType: 'x' })
    assert.equal(await fresh.read(`cache/1/aa/${name}`), undefined, name)
  }
  // A loss of power may have cut it off.
  const whole = await blobs.read('cache/1/aa/small')
  await blobs.keep('cache/1/aa/small', whole.subarray(0, -1))
  const after = openCache(blobs, { memoryBytes: 10_000, stores: true }, noEvents)
  assert.equal(await after.read('cache/1/aa/small'), undefined)
  await cache.remove('cache/1/aa/small')
  assert.deepEqual([cache.inMemory('cache/1/aa/small'), await cache.read('cache/1/aa/small')], [undefined, undefined])
  // A store that cannot be used costs the results, not the answers.
  const faults: unknown[] = []
  const broken = openCache(
    blobs,
    { memoryBytes: 0, stores: true },
    { onFault: (error) => faults.push(error), onStored: () => {} },
  )
  await rm(root, { recursive: true })
  await broken.write('cache/1/aa/lost', small)
  assert.equal(await broken.read('cache/1/aa/lost'), undefined)
  assert.equal(faults.length, 1)
})

onEachDatabase(({ kind, skip, database }) => {
  test(`${kind}: results of generations that no source has are removed`, { skip }, async (t) => {
    const { blobs } = await folder(t)
    const { kysely } = database()
    const { id } = await kysely
      .insertInto('account')
      .values({ email: 'sweep@example.com', password_hash: '-' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await kysely
      .insertInto('source')
      .values({ name: 'kept', account_id: id, place: '{}', max_age: 1, unsigned: false, secret: 'x', generation: 12 })
      .execute()
    for (const generation of [1, 12, 120, 2])
      for (const name of ['aa/1', 'bb/2']) await put(blobs, `cache/${generation}/${name}`, 1)
    await put(blobs, 'cachet/1/aa/1', 1)
    assert.equal(await sweepGenerations(kysely, blobs), 6)
    assert.deepEqual(await keysOf(blobs), ['cache/12/aa/1', 'cache/12/bb/2'])
    assert.equal((await blobs.head('cachet/1/aa/1')).size, 1)
    assert.equal(await sweepGenerations(kysely, blobs), 0)
  })
})
