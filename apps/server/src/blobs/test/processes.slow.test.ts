import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { BlobNotFound } from 'pixelmill/bucket/blob-errors'
import { TARGETS } from '../../../test/support/blob-targets.ts'
import { startProgram } from './program.ts'

const MEGABYTE = 1_000_000

for (const target of TARGETS) {
  describe(`processes that put into a ${target.name}`, { skip: target.skip }, () => {
    test('a process killed in the middle of a put leaves nothing to be seen, and a sweep clears the rest', async (t) => {
      const { store, place, unfinished } = await target.start(t)
      const { child, lines } = startProgram('put-endless.ts', place)
      for (let takenCount = 0; takenCount < 40; ) takenCount = Number((await lines.next()).value)
      child.kill('SIGKILL')
      await once(child, 'exit')
      await assert.rejects(store.head('batch/1/endless'), BlobNotFound)
      assert.deepEqual((await store.list('')).blobs, [])
      assert.equal(await unfinished(), 1)
      assert.equal(await store.sweep(new Date(Date.now() - 60_000)), 0)
      assert.equal(await store.sweep(new Date(Date.now() + 1_000)), 1)
      assert.deepEqual([await unfinished(), await store.sweep(new Date(Date.now() + 1_000))], [0, 0])
    })

    test('200 MB are put in less than 100 MB of memory', async (t) => {
      const { place } = await target.start(t)
      const { lines } = startProgram('put-and-measure.ts', place)
      const { put, both, bytes } = JSON.parse((await lines.next()).value)
      t.diagnostic(`put ${Math.round(put / MEGABYTE)} MB, put and read ${Math.round(both / MEGABYTE)} MB`)
      assert.equal(bytes, 200 * MEGABYTE)
      assert.ok(put <= 100 * MEGABYTE, `${put} bytes`)
    })
  })
}
