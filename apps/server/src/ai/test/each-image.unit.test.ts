import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../contract/api-error.ts'
import { AiError } from '../client/ai-error.ts'
import { eachImage } from '../each-image.ts'
import { providerError } from '../provider-errors.ts'

const images = Array.from({ length: 20 }, (_, index) => index)
const never = new AbortController().signal

test('eight images are under way at once, and each result stands where its image did', async () => {
  let now = 0
  let most = 0
  const { results, summary } = await eachImage(images, never, async (image, index) => {
    most = Math.max(most, ++now)
    await sleep((image * 7) % 20)
    now--
    return { square: image * index }
  })
  assert.equal(most, 8)
  assert.deepEqual(
    results,
    images.map((image) => ({ index: image, status: 'ok', square: image * image })),
  )
  assert.deepEqual(summary, { total: 20, succeeded: 20, failed: 0 })
})

test('an internal error fails the request after running questions are aborted', async () => {
  let under = 0
  const work = eachImage(images, never, async (image, _, signal) => {
    under++
    try {
      if (image === 3) throw new TypeError('a fault of ours')
      await sleep(60_000, undefined, { signal })
      return {}
    } finally {
      under--
    }
  })
  await assert.rejects(work, TypeError)
  assert.equal(under, 0)
})

test('an error that concerns all images is reported for each one that had not ended', async () => {
  const begunNumbers: number[] = []
  const { results } = await eachImage(images, never, async (image, _, signal) => {
    begunNumbers.push(image)
    if (image === 0) return { fine: true }
    if (image === 4) throw providerError(new AiError('model_not_found', 'status 404'), 'byok')
    await sleep(60_000, undefined, { signal })
    return { fine: false }
  })
  assert.ok(begunNumbers.length <= 9, String(begunNumbers))
  const reportedTexts = results.map((result) => (result.status === 'ok' ? 'ok' : result.error.kind))
  assert.deepEqual(reportedTexts, ['ok', ...Array(19).fill('model_not_found')])
})

test('after an abort its reason is thrown, whatever else went wrong', async () => {
  const client = new AbortController()
  const goneError = new Error('the client has gone')
  const work = eachImage(images, client.signal, async (image) => {
    if (image === 2) client.abort(goneError)
    throw new ApiError('invalid_image')
  })
  await assert.rejects(work, goneError)
})

test('when all fail, it is as if the first image had been sent alone', async () => {
  const work = eachImage(images, never, async (image) => {
    throw new ApiError(image === 0 ? 'image_too_large' : 'invalid_image')
  })
  await assert.rejects(work, { code: 'image_too_large' })
})
