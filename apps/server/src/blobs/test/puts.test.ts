import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { BlobNotFound } from 'pixelmill/bucket/blob-errors'
import { FOLDER, TARGETS } from '../../../test/support/blob-targets.ts'
import { hashOf, noise, text } from './noise.ts'

const PNG = { contentType: 'image/png' }
/** More than a part of a multipart upload, so that a bucket has begun one. */
const BEGUN = 20_000_000

for (const target of TARGETS) {
  describe(`puts into a ${target.name}`, { skip: target.skip }, () => {
    test('a put whose source breaks leaves nothing, and throws what the source threw', async (t) => {
      const { store, unfinished } = await target.start(t)
      const fault = new Error('the client hung up')
      for (const bytes of [0, 1, BEGUN]) {
        const source = breaking(bytes, fault)
        await assert.rejects(store.put('a', source, PNG), (error) => error === fault)
        await assert.rejects(store.head('a'), BlobNotFound)
        assert.ok(source.destroyed)
      }
      assert.equal(await unfinished(), 0)
    })

    test('a put that breaks leaves what was there before', async (t) => {
      const { store } = await target.start(t)
      const { etag } = await store.put('a', text('before'), PNG)
      await assert.rejects(store.put('a', breaking(BEGUN, new Error('broken')), PNG))
      assert.equal((await store.head('a')).etag, etag)
    })

    for (const bytes of [1, BEGUN]) {
      test(`an abort ends a put that waits after ${bytes} bytes, and nothing is left when it returns`, async (t) => {
        const { store, unfinished } = await target.start(t)
        const abort = new AbortController()
        const source = stalling(bytes)
        const put = store.put('a', source, { ...PNG, signal: abort.signal })
        const outcome = assert.rejects(put, { name: 'AbortError' })
        await readAll(source)
        abort.abort()
        await outcome
        assert.equal(await unfinished(), 0)
        assert.deepEqual((await store.list('')).blobs, [])
        assert.ok(source.destroyed)
      })
    }

    test('an abort before the put begins is one too; one after its end does nothing', async (t) => {
      const { store, unfinished } = await target.start(t)
      const early = store.put('a', text('x'), { ...PNG, signal: AbortSignal.abort() })
      await assert.rejects(early, { name: 'AbortError' })
      assert.equal(await unfinished(), 0)
      const abort = new AbortController()
      await store.put('a', text('x'), { ...PNG, signal: abort.signal })
      abort.abort()
      assert.equal((await store.head('a')).size, 1)
    })

    test('a put is not visible before it is complete', async (t) => {
      const { store } = await target.start(t)
      const abort = new AbortController()
      const source = stalling(BEGUN)
      const put = store.put('batch/a', source, { ...PNG, signal: abort.signal })
      const outcome = assert.rejects(put, { name: 'AbortError' })
      await readAll(source)
      await assert.rejects(store.head('batch/a'), BlobNotFound)
      await assert.rejects(store.get('batch/a'), BlobNotFound)
      assert.deepEqual((await store.list('')).blobs, [])
      abort.abort()
      await outcome
    })

    test('of many puts of one key, one stays, and whole', async (t) => {
      const { store, unfinished } = await target.start(t)
      const sources = Array.from({ length: 8 }, (_, number) => noise(9_000_000 + number))
      const storedBlobs = await Promise.all(sources.map(({ stream }) => store.put('a/b', stream, PNG)))
      const { stream, size } = await store.get('a/b')
      const winner = storedBlobs.findIndex(({ bytes }) => bytes === size)
      assert.equal(await hashOf(stream), sources[winner]?.hash())
      assert.equal(await unfinished(), 0)
    })

    test("puts and deletes of the last key in a folder do not get in each other's way", async (t) => {
      const { store } = await target.start(t)
      const work = async (key: string) => {
        for (let round = 0; round < 25; round++) {
          await store.put(key, text(key), PNG)
          await store.delete(key)
        }
        await store.put(key, text(key), PNG)
      }
      await Promise.all([work('a/b/c'), work('a/b/d'), work('a/e')])
      assert.equal((await store.list('')).blobs.length, 3)
    })

    test('what a put under way has written so far is no rubbish', async (t) => {
      const { store, unfinished } = await target.start(t)
      const abort = new AbortController()
      const source = stalling(BEGUN)
      const outcome = assert.rejects(store.put('a', source, { ...PNG, signal: abort.signal }), { name: 'AbortError' })
      await readAll(source)
      assert.equal(await store.sweep(new Date(Date.now() - 3_600_000)), 0)
      assert.equal(await unfinished(), 1)
      abort.abort()
      await outcome
    })

    test('a store that has been tried holds nothing', async (t) => {
      const { store, unfinished } = await target.start(t)
      await Promise.all([store.check(), store.check(), store.check()])
      assert.deepEqual([await unfinished(), (await store.list('')).blobs], [0, []])
    })
  })
}

test("files and folders are their owner's alone, and folders go with the last blob in them", async (t) => {
  const { store, place } = await FOLDER.start(t)
  await store.put('batch/1/a', text('x'), PNG)
  const mode = async (path: string) => (await stat(join('folder' in place ? place.folder : '', path))).mode & 0o777
  assert.deepEqual(
    [await mode('batch+'), await mode('batch+/1+'), await mode('batch+/1+/a'), await mode('.tmp')],
    [0o700, 0o700, 0o600, 0o700],
  )
  await store.delete('batch/1/a')
  await assert.rejects(mode('batch+'), { code: 'ENOENT' })
})

/** Gives so many bytes, then fails. */
function breaking(bytes: number, fault: Error): Readable {
  return Readable.from(
    (async function* () {
      yield* noise(bytes).stream
      throw fault
    })(),
    { objectMode: false },
  )
}

/** Sources that were asked for more than they give. */
const drainedSet = new WeakSet<Readable>()

/** Gives so many bytes, then nothing more and no end. */
function stalling(bytes: number): Readable {
  const rest = noise(bytes).stream[Symbol.asyncIterator]()
  const stream = new Readable({
    async read() {
      const { value, done } = await rest.next()
      if (done) drainedSet.add(this)
      else this.push(value)
    },
  })
  return stream
}

/** Until the store has taken all that a source gives, and asks for more. */
async function readAll(source: Readable): Promise<void> {
  assert.ok(await until(async () => drainedSet.has(source)))
}
