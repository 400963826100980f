import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { rendererCrashed } from '@pixelmill/engine/rendering/renderer-process'
import { until } from '@pixelmill/engine/test/support/until'
import { renderersIn } from '../support/rendering.ts'
import { busy, openedPool, render, slow, small } from './lanes.ts'

/** 21 and 60 megapixels: the limit of heavy images at work allows one of them. */
const heavy = await photo(525, 400).resize(5_250, 4_000).jpeg({ quality: 40 }).toBuffer()
/** As AVIF, it takes at least three times the second that a renderer has below. */
const endless = await photo(800, 625).resize(8_000, 6_250).jpeg({ quality: 40 }).toBuffer()
const heavier = await solid(10_000, 6000, '#123456').png().toBuffer()

test('an interactive heavy image interrupts one in the background, which is done afterwards', async (t) => {
  const order: string[] = []
  const pool = openedPool(t)
  const background = render(pool, 'background', heavy, 'avif').then(({ report }) => order.push(`background ${report.width}`))
  // A renderer first reads its header; the second time it is converted.
  assert.ok(await until(async () => pool.state('background').busy > 0 && pool.state('background').queued === 0, 20_000))
  await render(pool, 'sync', heavier, 'jpeg').then(({ report }) => order.push(`sync ${report.width}`))
  await background
  assert.deepEqual(order, ['sync 10000', 'background 5250'])
})

test('a heavy image in the background waits until an interactive one is done', async (t) => {
  const order: string[] = []
  const pool = openedPool(t)
  await render(pool, 'background', small)
  const sync = render(pool, 'sync', heavier, 'webp').then(() => order.push('sync'))
  assert.ok(await busy(pool, 'long'))
  // Slow: should it be at work first, it is interrupted, which what is done within the grace is not.
  const background = render(pool, 'background', heavy, 'webp').then(() => order.push('background'))
  await Promise.all([sync, background])
  assert.deepEqual(order, ['sync', 'background'])
})

test('a caller can distinguish a crashed renderer, a timeout and a file that is no image', async (t) => {
  const pool = openedPool(t, { timeoutSeconds: 1 })
  const failure = async (work: Promise<unknown>): Promise<ImageError> => {
    const error = await work.then(
      () => assert.fail('it was rendered'),
      (error: unknown) => error,
    )
    assert.ok(error instanceof ImageError)
    return error
  }
  for (const lane of ['sync', 'background'] as const) {
    await render(pool, lane, small)
    const late = await failure(render(pool, lane, endless, 'avif'))
    assert.deepEqual([late.code, rendererCrashed(late)], ['conversion_failed', false])
    const wrong = await failure(render(pool, lane, small.subarray(0, 50)))
    assert.deepEqual([wrong.code, rendererCrashed(wrong)], ['invalid_image', false])
    const killedError = failure(render(pool, lane, slow, 'avif'))
    const at = lane === 'sync' ? 'long' : lane
    assert.ok(await busy(pool, at))
    for (const pid of await renderersIn(at)) process.kill(pid, 'SIGKILL')
    assert.deepEqual([(await killedError).code, rendererCrashed(await killedError)], ['conversion_failed', true])
  }
})
