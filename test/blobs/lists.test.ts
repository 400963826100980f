import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BlobStore, ListedBlob } from '../../src/blobs/blob-store.ts'
import { text } from './noise.ts'
import { TARGETS } from './targets.ts'

const TEXT = { contentType: 'text/plain' }

for (const target of TARGETS) {
  describe(`lists of blobs in a ${target.name}`, { skip: target.skip }, () => {
    test('2,500 keys come in pages, each once and in order', async (t) => {
      const { store } = await target.start(t)
      const keys = Array.from({ length: 2_500 }, (_, number) => `batch/${number % 7}/${number}`).sort()
      await putAll(store, [...keys, 'a', 'batch-2', 'batch.txt', 'c'])
      const pages = await readPages(store, 'batch/')
      assert.deepEqual(
        pages.map((page) => page.length),
        [1_000, 1_000, 500],
      )
      assert.deepEqual(
        pages.flat().map(({ key }) => key),
        keys,
      )
      assert.deepEqual(
        (await store.list('batch/3/1')).blobs.map(({ key }) => key),
        keys.filter((key) => key.startsWith('batch/3/1')),
      )
    })

    // `-` and `.` come before `/`, digits and letters after it.
    const ORDERED = ['a', 'a-b', 'a.b', 'a/b', 'a/b-c', 'a/b/c', 'a0', 'aa', 'b/a']
    test('keys come in the order of their bytes, with size and time', async (t) => {
      const { store } = await target.start(t)
      await putAll(store, ORDERED.toReversed())
      const { blobs, cursor } = await store.list('')
      assert.equal(cursor, undefined)
      assert.deepEqual(
        blobs.map(({ key }) => key),
        ORDERED,
      )
      for (const { key, size, modifiedAt } of blobs) {
        assert.equal(size, key.length)
        assert.ok(Math.abs(Date.now() - modifiedAt.getTime()) < 60_000)
      }
    })

    test('a prefix ends anywhere in a key, and any key is a cursor', async (t) => {
      const { store } = await target.start(t)
      await putAll(store, ORDERED)
      const listed = async (prefix: string, cursor?: string) => (await store.list(prefix, cursor)).blobs.map(({ key }) => key)
      for (const prefix of ['a', 'a/', 'a/b', 'a/b/', 'a.', 'aa', 'b', 'none', 'none/']) {
        assert.deepEqual(
          await listed(prefix),
          ORDERED.filter((key) => key.startsWith(prefix)),
          prefix,
        )
      }
      for (const cursor of [...ORDERED, 'a/a', 'a/b-', 'a/z', '0', 'z']) {
        assert.deepEqual(
          await listed('', cursor),
          ORDERED.filter((key) => key > cursor),
          cursor,
        )
        assert.deepEqual(
          await listed('a/', cursor),
          ORDERED.filter((key) => key > cursor && key.startsWith('a/')),
          cursor,
        )
      }
    })
  })
}

async function putAll(store: BlobStore, keys: readonly string[]): Promise<void> {
  const rest = [...keys]
  const work = async () => {
    for (let key = rest.pop(); key !== undefined; key = rest.pop()) await store.put(key, text(key), TEXT)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

async function readPages(store: BlobStore, prefix: string): Promise<readonly (readonly ListedBlob[])[]> {
  const pages: (readonly ListedBlob[])[] = []
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await store.list(prefix, cursor)
    pages.push(page.blobs)
    cursor = page.cursor
  }
  return pages
}
