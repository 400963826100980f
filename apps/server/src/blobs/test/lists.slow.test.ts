import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BlobStore, ListedBlob } from 'pixelmill/bucket/blob-store'
import { TARGETS } from '../../../test/support/blob-targets.ts'
import { putAll } from './put-all.ts'

for (const target of TARGETS) {
  describe(`long lists of blobs in a ${target.name}`, { skip: target.skip }, () => {
    test('1,100 keys come in pages, each once and in order', async (t) => {
      const { store } = await target.start(t)
      const keys = Array.from({ length: 1_100 }, (_, number) => `batch/${number % 7}/${number}`).sort()
      await putAll(store, [...keys, 'a', 'batch-2', 'batch.txt', 'c'])
      const pages = await readPages(store, 'batch/')
      assert.deepEqual(
        pages.map((page) => page.length),
        [1_000, 100],
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
  })
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
