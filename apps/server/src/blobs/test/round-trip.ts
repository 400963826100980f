import assert from 'node:assert/strict'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { hashOf, noise } from './noise.ts'

/** Stores `size` bytes of unknown length, and compares what get and head say of them. */
export async function roundTrip(store: BlobStore, size: number): Promise<void> {
  const { stream, hash } = noise(size)
  const { bytes, etag } = await store.put('batch/1/in.png', stream, { contentType: 'image/png' })
  assert.equal(bytes, size)
  const content = await store.get('batch/1/in.png')
  assert.equal(await hashOf(content.stream), hash())
  assert.deepEqual([content.size, content.etag, content.contentRange], [size, etag, undefined])
  const { modifiedAt, ...head } = await store.head('batch/1/in.png')
  assert.deepEqual(head, { size, etag })
  assert.ok(Math.abs(Date.now() - modifiedAt.getTime()) < 60_000)
  assert.match(etag, /^"[^"]+"$/)
}
