import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after, before, test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import sharp from 'sharp'
import { dataUri, picture, type SharedAiServer, shareAiServer } from '../../../../test/support/ai-server.ts'
import { habits } from '../../../../test/support/fake-vision.ts'
import { smartCrop } from '../../routes/smart-crop.ts'

let server: SharedAiServer
before(async () => {
  server = await shareAiServer({ platform: habits['401'] })
})
after(() => server?.[Symbol.asyncDispose]())

test('a client that does not read its answers keeps its places', async (t) => {
  const raw = { width: 1_500, height: 1_500, channels: 3 } as const
  const noise = dataUri(
    await sharp(randomBytes(3 * 1_500 ** 2), { raw })
      .png({ compressionLevel: 0 })
      .toBuffer(),
  )
  // Each crop has four megabytes: together more than sockets hold.
  const body = JSON.stringify({
    image: noise,
    platforms: ['square', 'twitter', 'threads', 'facebook-event'],
    returnCroppedImage: true,
  })
  const token = await server.signedIn('enterprise')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const askedRequests = Array.from({ length: 4 }, () =>
    request(`${server.url}/v1/ai/smart-crop`, { method: 'POST', headers }).end(body),
  )
  t.after(() => askedRequests.map((one) => one.destroy()))
  const answers = await Promise.all(askedRequests.map(async (one) => (await once(one, 'response'))[0] as IncomingMessage))
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200],
  )
  const fifth = await server.ask('alt-text', { images: [await picture('#f00')] }, token)
  assert.deepEqual([fifth.status, fifth.error?.statusMessage], [429, 'rate_limited'])
  for (const answer of answers) answer.resume()
  const asksAgain = async () => (await server.ask('alt-text', { images: [await picture('#f00')] }, token)).status === 502
  assert.ok(await until(asksAgain), 'they are taken')
})

interface Crops {
  readonly image: object
  readonly crops: readonly {
    readonly crop: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  }[]
}

test('an image of 80 megapixels can be cropped', { skip: skipByDay }, async () => {
  const image = dataUri(await solid(10_000, 8_000, '#808080').png().toBuffer())
  const askedValue = {
    image,
    platforms: ['square', 'twitter-header', 'tiktok'],
    customRatio: { width: 20, height: 1 },
    returnCroppedImage: true,
  }
  const { status, body } = await server.ask<Crops & { readonly crops: readonly { readonly image?: string }[] }>(
    'smart-crop',
    askedValue,
  )
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500))
  assert.deepEqual(smartCrop.answer?.parse(body), body)
  assert.deepEqual([body.image, body.crops.length], [{ width: 10_000, height: 8_000 }, 4])
  for (const { crop, image = '' } of body.crops) {
    assert.ok(crop.x + crop.width <= 10_000 && crop.y + crop.height <= 8_000, JSON.stringify(crop))
    const metadata = await sharp(Buffer.from(image.split(',')[1] ?? '', 'base64')).metadata()
    assert.ok((metadata.width ?? 0) <= crop.width && (metadata.height ?? 0) <= crop.height)
  }
})

test('an image of 80 megapixels gets a recommendation', { skip: skipByDay }, async () => {
  const data = dataUri(await solid(8_000, 10_000, '#357').png().toBuffer())
  const { status, body } = await server.ask<{
    readonly results: readonly { readonly current: Sides; readonly recommended: Sides }[]
  }>('recommend', { images: [{ data }], useCase: 'web' })
  assert.equal(status, 200, JSON.stringify(body))
  const [{ current, recommended } = assert.fail()] = body.results
  assert.deepEqual([current.width, current.height], [8_000, 10_000])
  assert.deepEqual([recommended.width, recommended.height], [2_048, 2_560])
})

test('an image of 80 megapixels is examined, though nothing is enhanced', { skip: skipByDay }, async () => {
  const image = dataUri(await solid(10_000, 8_000, '#345').png().toBuffer())
  const { status, body } = await server.ask<{ readonly original: Sides; readonly operations: readonly object[] }>('enhance', {
    image,
    returnPreview: false,
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.original.width, body.original.height, body.operations], [10_000, 8_000, []])
})

interface Sides {
  readonly width: number
  readonly height: number
}
