import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashOf, noise } from './noise.ts'
import { TARGETS } from './targets.ts'

const PNG = { contentType: 'image/png' }
/** 25 parts of a multipart upload. */
const size = 200_000_000

for (const target of TARGETS) {
  describe(`large blobs in a ${target.name}`, { skip: target.skip }, () => {
    test(`${size} bytes of unknown length come back as they were`, async (t) => {
      const { store } = await target.start(t)
      const { stream, hash } = noise(size)
      const { bytes, etag } = await store.put('batch/1/in.png', stream, PNG)
      assert.equal(bytes, size)
      const content = await store.get('batch/1/in.png')
      assert.equal(await hashOf(content.stream), hash())
      assert.deepEqual([content.size, content.etag, content.contentRange], [size, etag, undefined])
      const { modifiedAt, ...head } = await store.head('batch/1/in.png')
      assert.deepEqual(head, { size, etag })
      assert.ok(Math.abs(Date.now() - modifiedAt.getTime()) < 60_000)
      assert.match(etag, /^"[^"]+"$/)
    })
  })
}
