import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TARGETS } from '../../../test/support/blob-targets.ts'
import { putAll } from './put-all.ts'

for (const target of TARGETS) {
  describe(`lists of blobs in a ${target.name}`, { skip: target.skip }, () => {
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
      const listedKeys = async (prefix: string, cursor?: string) => (await store.list(prefix, cursor)).blobs.map(({ key }) => key)
      for (const prefix of ['a', 'a/', 'a/b', 'a/b/', 'a.', 'aa', 'b', 'none', 'none/']) {
        assert.deepEqual(
          await listedKeys(prefix),
          ORDERED.filter((key) => key.startsWith(prefix)),
          prefix,
        )
      }
      for (const cursor of [...ORDERED, 'a/a', 'a/b-', 'a/z', '0', 'z']) {
        assert.deepEqual(
          await listedKeys('', cursor),
          ORDERED.filter((key) => key > cursor),
          cursor,
        )
        assert.deepEqual(
          await listedKeys('a/', cursor),
          ORDERED.filter((key) => key > cursor && key.startsWith('a/')),
          cursor,
        )
      }
    })
  })
}
