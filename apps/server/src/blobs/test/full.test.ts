import assert from 'node:assert/strict'
import { readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { StorageFull } from 'pixelmill/bucket/blob-errors'
import { mountSmallDisk, noSmallDisk } from 'pixelmill/test/support/small-disk'
import { bucketOnServer, noSmallKey, smallKey } from '../../../test/support/s3-server.ts'
import { openBucket } from '../bucket/bucket-store.ts'
import { openFolder } from '../folder/folder-store.ts'
import { hashOf, noise } from './noise.ts'

const PNG = { contentType: 'image/png' }
const MEGABYTE = 1_000_000

test('a full disk refuses a put whole, and accepts one when there is space again', { skip: noSmallDisk() }, async (t) => {
  const disk = mountSmallDisk(4)
  t.after(disk.remove)
  const store = await openFolder({ root: join(disk.path, 'blobs'), reserveBytes: 0 })
  const first = noise(3 * MEGABYTE)
  await store.put('first', first.stream, PNG)
  for (let attempt = 0; attempt < 3; attempt++) {
    await assert.rejects(store.put('batch/second', noise(3 * MEGABYTE).stream, PNG), StorageFull)
    assert.deepEqual(readdirSync(join(disk.path, 'blobs/.tmp')), [])
  }
  assert.equal(await hashOf((await store.get('first')).stream), first.hash())
  await store.delete('first')
  const second = noise(3 * MEGABYTE)
  await store.put('batch/second', second.stream, PNG)
  assert.equal(await hashOf((await store.get('batch/second')).stream), second.hash())
})

test('puts leave the reserve free, and what is stored can be read and deleted to free space', {
  skip: noSmallDisk(),
}, async (t) => {
  const disk = mountSmallDisk(40)
  t.after(disk.remove)
  const store = await openFolder({ root: join(disk.path, 'blobs'), reserveBytes: 16 * 2 ** 20 })
  const free = () => {
    const { bavail, bsize } = statfsSync(disk.path)
    return (bavail * bsize) / 2 ** 20
  }
  await store.put('first', noise(10 * MEGABYTE).stream, PNG)
  const source = noise(40 * MEGABYTE).stream
  await assert.rejects(store.put('second', source, PNG), StorageFull)
  assert.ok(source.destroyed)
  assert.ok(free() > 25, 'it leaves nothing behind')
  await store.put('third', noise(15.5 * MEGABYTE).stream, PNG)
  await assert.rejects(store.put('fourth', noise(1).stream, PNG), StorageFull)
  await assert.rejects(store.check(), StorageFull)
  assert.ok(free() >= 12, 'past the reserve by one look at most')
  assert.equal((await store.head('third')).size, 15.5 * MEGABYTE)
  await store.delete('third')
  await store.check()
})

test('a server that lets a user store no more refuses a put whole', { skip: noSmallKey }, async (t) => {
  const { location, unfinished } = await bucketOnServer(t, smallKey)
  const store = openBucket(location)
  t.after(() => store.close())
  await store.put('small', noise(1_000).stream, PNG)
  // In one request, and in the parts of an upload.
  for (const size of [2 * MEGABYTE, 40 * MEGABYTE]) {
    const source = noise(size).stream
    await assert.rejects(store.put('large', source, PNG), StorageFull)
    assert.ok(source.destroyed)
  }
  assert.equal(await unfinished(), 0)
  assert.deepEqual(
    (await store.list('')).blobs.map(({ key }) => key),
    ['small'],
  )
})
