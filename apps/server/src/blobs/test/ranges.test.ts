import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { BlobNotFound, RangeNotSatisfiable } from 'pixelmill/bucket/blob-errors'
import type { ByteRange } from 'pixelmill/bucket/byte-range'
import { TARGETS } from '../../../test/support/blob-targets.ts'
import { noise, text } from './noise.ts'

const ZIP = { contentType: 'application/zip' }
const SIZE = 1_000

const RANGES: readonly (readonly [name: string, range: ByteRange, first: number, last: number])[] = [
  ['the first byte', { first: 0, last: 0 }, 0, 0],
  ['some in the middle', { first: 500, last: 599 }, 500, 599],
  ['from the middle on', { first: 900 }, 900, 999],
  ['all', { first: 0 }, 0, 999],
  ['the end, cut off', { first: 990, last: 5_000 }, 990, 999],
  ['the last byte', { suffix: 1 }, 999, 999],
  ['the last hundred', { suffix: 100 }, 900, 999],
  ['more than there is, from the end', { suffix: 5_000 }, 0, 999],
]
const OUTSIDE: readonly ByteRange[] = [{ first: 1_000 }, { first: 5_000, last: 6_000 }, { suffix: 0 }]
const NONSENSE: readonly ByteRange[] = [
  { first: 5, last: 4 },
  { first: -1 },
  { first: 0.5 },
  { suffix: -1 },
  { suffix: Number.NaN },
]

for (const target of TARGETS) {
  describe(`parts of blobs in a ${target.name}`, { skip: target.skip }, () => {
    test('a range gives these bytes and no others', async (t) => {
      const { store } = await target.start(t)
      const bytes = randomBytes(SIZE)
      const { etag } = await store.put('a', Readable.from([bytes]), ZIP)
      for (const [name, range, first, last] of RANGES) {
        const content = await store.get('a', { range })
        assert.deepEqual(await buffer(content.stream), bytes.subarray(first, last + 1), name)
        assert.deepEqual([content.size, content.contentRange, content.etag], [SIZE, { first, last }, etag], name)
      }
    })

    test('a range without a byte of the blob is refused with its size', async (t) => {
      const { store } = await target.start(t)
      await store.put('a', Readable.from([randomBytes(SIZE)]), ZIP)
      await store.put('empty', Readable.from([]), ZIP)
      const refusal = (size: number) => (error: unknown) => error instanceof RangeNotSatisfiable && error.size === size
      for (const range of OUTSIDE) await assert.rejects(store.get('a', { range }), refusal(SIZE), JSON.stringify(range))
      for (const range of [{ first: 0 }, { suffix: 1 }]) await assert.rejects(store.get('empty', { range }), refusal(0))
      for (const range of NONSENSE) await assert.rejects(store.get('a', { range }), TypeError, JSON.stringify(range))
      await assert.rejects(store.get('missing', { range: { first: 0 } }), BlobNotFound)
    })

    test('readers that stop early leave nothing open', async (t) => {
      const { store } = await target.start(t)
      await store.put('a', noise(2_000_000).stream, ZIP)
      for (let reader = 0; reader < 300; reader++) {
        const { stream } = await store.get('a')
        for await (const _ of stream) break
        assert.ok(await until(async () => stream.closed))
      }
      assert.equal((await buffer((await store.get('a')).stream)).length, 2_000_000)
    })

    test('a blob is read anywhere, in any order', async (t) => {
      const { store } = await target.start(t)
      const bytes = randomBytes(3_000_000)
      await store.put('a', Readable.from([bytes]), ZIP)
      const file = await store.openRandom('a')
      assert.equal(file.size, bytes.length)
      // As a ZIP is read: its end, its directory before that, then files here and there; and several at once.
      const spans = [
        [2_999_978, 22],
        [2_950_000, 40_000],
        [0, 30],
        [1_000_000, 1_500_000],
        [2_999_990, 100],
        [3_000_000, 1],
      ] as const
      for (const [at, length] of spans) assert.deepEqual(await file.read(at, length), bytes.subarray(at, at + length))
      const together = await Promise.all(spans.map(([at, length]) => file.read(at, length)))
      spans.forEach(([at, length], index) => {
        assert.deepEqual(together[index], bytes.subarray(at, at + length))
      })
      await file.close()
    })

    test('an open blob stays what it was, or is gone', async (t) => {
      const { store } = await target.start(t)
      const bytes = randomBytes(1_000_000)
      await store.put('a', Readable.from([bytes]), ZIP)
      const file = await store.openRandom('a')
      await store.put('a', noise(1_000_000).stream, ZIP)
      const read = await file.read(500_000, 10).catch((error) => error)
      if (!(read instanceof BlobNotFound)) assert.deepEqual(read, bytes.subarray(500_000, 500_010))
      await file.close()
    })

    test('an empty blob is opened too', async (t) => {
      const { store } = await target.start(t)
      await store.put('a', text(''), ZIP)
      const file = await store.openRandom('a')
      assert.deepEqual([file.size, (await file.read(0, 22)).length], [0, 0])
      await file.close()
    })
  })
}
