import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { StorageFull } from '../../src/blobs/blob-errors.ts'
import { openBucket } from '../../src/blobs/bucket/bucket-store.ts'
import { openFolder } from '../../src/blobs/folder/folder-store.ts'
import { hashOf, noise } from './noise.ts'
import { bucketOnServer, noSmallKey, smallKey } from './s3-server.ts'

const PNG = { contentType: 'image/png' }
const MEGABYTE = 1_000_000
const DISK = ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs']

test('a full disk refuses a put whole, and takes one again when there is room', { skip: noSmallDisk() }, async (t) => {
  const disk = mountSmallDisk()
  t.after(disk.remove)
  const store = await openFolder(join(disk.path, 'blobs'))
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

function mountSmallDisk(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'pixelmill-disk-'))
  const { status, stderr } = spawnSync('mount', [...DISK, path], { encoding: 'utf8' })
  if (status !== 0) {
    rmdirSync(path)
    throw new Error(stderr)
  }
  return {
    path,
    remove() {
      spawnSync('umount', [path])
      rmdirSync(path)
    },
  }
}

/** Whether this user may mount a disk of 4 MB: only trying tells, since containers keep it from root too. */
function noSmallDisk(): string | false {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return 'mounting a small disk needs root on Linux'
  try {
    mountSmallDisk().remove()
    return false
  } catch (error) {
    return `a small disk cannot be mounted here: ${error instanceof Error ? error.message.trim() : error}`
  }
}
