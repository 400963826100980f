import assert from 'node:assert/strict'
import { text as wholeText } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { BlobNotFound } from 'pixelmill/bucket/blob-errors'
import { TARGETS } from '../../../test/support/blob-targets.ts'
import { hashOf, noise, text } from './noise.ts'
import { roundTrip } from './round-trip.ts'

const PNG = { contentType: 'image/png' }
/** The last is three parts of a multipart upload. */
const SIZES = [0, 1, 20_000_000]

for (const target of TARGETS) {
  describe(`blobs in a ${target.name}`, { skip: target.skip }, () => {
    for (const size of SIZES) {
      test(`${size} bytes of unknown length come back as they were`, async (t) => roundTrip((await target.start(t)).store, size))
    }

    test('a key and another below it do not get into each other', async (t) => {
      const { store } = await target.start(t)
      await store.put('a/b', text('deep'), PNG)
      await store.put('a', text('flat'), PNG)
      assert.equal(await wholeText((await store.get('a')).stream), 'flat')
      assert.equal(await wholeText((await store.get('a/b')).stream), 'deep')
      await store.delete('a')
      assert.equal(await wholeText((await store.get('a/b')).stream), 'deep')
    })

    test('a put replaces a blob, and a stream of the old one can still be read', async (t) => {
      const { store } = await target.start(t)
      const first = noise(1_000_000)
      const before = await store.put('a', first.stream, PNG)
      const { stream } = await store.get('a')
      const after = await store.put('a', text('new'), PNG)
      assert.notEqual(after.etag, before.etag)
      assert.equal(await wholeText((await store.get('a')).stream), 'new')
      assert.equal(await hashOf(stream), first.hash())
    })

    test('every method throws BlobNotFound for a missing blob', async (t) => {
      const { store } = await target.start(t)
      await store.put('a', text('gone'), PNG)
      await store.delete('a')
      for (const key of ['a', 'b', 'a/b']) {
        for (const method of [store.get, store.head, store.openRandom]) {
          await assert.rejects(async () => method(key), BlobNotFound)
        }
      }
    })

    test('to delete is to have it gone, however often', async (t) => {
      const { store } = await target.start(t)
      await store.put('deep/er/a', text('x'), PNG)
      await store.delete('deep/er/a')
      await store.delete('deep/er/a')
      await store.delete('never/was')
      assert.deepEqual((await store.list('')).blobs, [])
    })

    const BAD = [
      '',
      '/',
      'a/',
      '/a',
      'a//b',
      '..',
      '../a',
      'a/../b',
      'a/..',
      '.tmp/a',
      'A',
      'a b',
      'a\0',
      'ä',
      'a\\b',
      'a+/b',
      'a'.repeat(201),
    ]
    test('a key that could mean anything else than itself is refused', async (t) => {
      const { store } = await target.start(t)
      for (const key of [...BAD, `${'abc/'.repeat(128)}d`]) {
        for (const method of [store.get, store.head, store.openRandom, store.delete]) {
          await assert.rejects(async () => method(key), TypeError, key)
        }
        await assert.rejects(store.put(key, text('x'), PNG), TypeError, key)
      }
      for (const prefix of ['/', '..', 'a/../', 'a//', 'A']) await assert.rejects(store.list(prefix), TypeError, prefix)
    })
  })
}
