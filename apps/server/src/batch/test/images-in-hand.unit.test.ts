import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ApiError } from '../../contract/api-error.ts'
import type { ClaimedImage } from '../batch.ts'
import type { Handler } from '../convert-image.ts'
import { ImagesInHand } from '../images-in-hand.ts'

const imagesOf = (batchId: string, count: number, losses = 0): readonly ClaimedImage[] =>
  Array.from({ length: count }, (_, seq) => ({
    batchId,
    accountId: batchId,
    keyId: null,
    format: 'webp' as const,
    recipe: null,
    quality: null,
    visualQuality: null,
    maxBytes: null,
    seq,
    attempt: 1,
    losses,
    source: `${seq}.png`,
    entry: { index: seq, path: `${seq}.png`, bytes: 1, compressedBytes: 1, kind: 'file' as const, packed: PACKED },
  }))
const PACKED = { headerAt: 0, endsBefore: 1, method: 0, crc32: 0, rawName: '' }

/** Images in the hands of a worker with two renderers: each is rendered when the test says so. */
function hands() {
  const startedTexts: string[] = []
  const gates: (() => void)[] = []
  const releasedTexts: string[] = []
  const state = { isPaused: false, emptied: 0, kept: 0 }
  const handler = {
    uploads: {
      keep() {
        state.kept++
        return () => state.kept--
      },
      async use(batchId: string) {
        startedTexts.push(batchId)
        const { promise, resolve } = Promise.withResolvers<void>()
        gates.push(resolve)
        await promise
        throw new ApiError('invalid_image')
      },
    },
    recorder: {
      write: async () => true,
      release: async ({ batchId }: ClaimedImage) => void releasedTexts.push(batchId),
      hurry() {},
    },
    pause: { isOn: () => state.isPaused, begin() {}, end() {} },
    onResult() {},
    onRefused() {},
    onFault: assert.ifError,
  } as unknown as Handler
  const inHand = new ImagesInHand(handler, 2, () => state.emptied++)
  const render = async (count: number) => {
    for (let n = 0; n < count; n++) {
      gates.shift()?.()
      await turn()
      await turn()
    }
  }
  return { inHand, started: startedTexts, released: releasedTexts, state, render }
}

const claimOf = (images: readonly ClaimedImage[], pending = 0) => [{ images, pending }]

test('a small batch that comes later is started before the rest of a large one', async () => {
  const { inHand, started, render } = hands()
  inHand.add(claimOf(imagesOf('large', 50)))
  // So many that a free renderer finds an image that is read.
  assert.equal(started.length, 6)
  inHand.add(claimOf(imagesOf('small', 3)))
  await render(3)
  assert.deepEqual(started.slice(6), ['small', 'small', 'small'])
  await render(1)
  assert.equal(started.at(-1), 'large')
})

test('batches take turns of some images', async () => {
  const { inHand, started, render } = hands()
  inHand.add([...claimOf(imagesOf('a', 20)), ...claimOf(imagesOf('b', 20))])
  await render(24)
  const turns = started.filter((batch, nth) => batch !== started[nth - 1])
  assert.deepEqual(turns, ['a', 'b', 'a', 'b', 'a', 'b'])
})

test('a batch may have further results while images of it are in hand, or left to claim', async () => {
  const { inHand, state, render } = hands()
  inHand.add([...claimOf(imagesOf('whole', 1)), ...claimOf(imagesOf('part', 1), 7), ...claimOf(imagesOf('other', 1))])
  assert.deepEqual(
    ['whole', 'part', 'unknown'].map((batch) => inHand.expects(batch)),
    [true, true, false],
  )
  assert.equal(state.kept, 3)
  // Nothing is left for any worker.
  inHand.onClaimed({ most: 6, unrendered: 3 }, [])
  await render(3)
  assert.deepEqual([inHand.expects('part'), inHand.items().length, state.emptied, state.kept], [false, 0, 1, 0])
})

test('at its end, and while the store is unavailable, a worker releases what was not started', async () => {
  const { inHand, started, released, state, render } = hands()
  inHand.add(claimOf(imagesOf('a', 20)))
  state.isPaused = true
  await render(1)
  assert.deepEqual([started.length, released.length], [6, 14])
  state.isPaused = false
  inHand.close()
  inHand.add(claimOf(imagesOf('b', 4)))
  await turn()
  assert.deepEqual([started.length, released.slice(14)], [6, ['b', 'b', 'b', 'b']])
})

test('with images that were lost with a worker in hand, no others are claimed', async () => {
  const { inHand, render } = hands()
  assert.deepEqual(inHand.request(false), { most: 6, unrendered: 0, few: 6 })
  inHand.add(claimOf(imagesOf('lost', 1, 1)))
  assert.equal(inHand.request(true), undefined)
  await render(1)
  assert.equal(inHand.request(false)?.unrendered, 0)
})
