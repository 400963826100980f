import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import { animatedGif, photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { hdrJpeg } from '@pixelmill/engine/test/support/gain-maps'
import sharp, { type Sharp } from 'sharp'
import { makeAccount, openServerDatabase } from '../../../../test/support/accounts.ts'
import { damagedText, dataUri, picture } from '../../../../test/support/ai-server.ts'
import { send } from '../../../../test/support/json-call.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import { enhance } from '../../routes/enhance.ts'

interface Answer {
  readonly mode: string
  readonly requestedMode: string
  readonly intensity: number
  readonly operations: readonly { readonly name: string }[]
  readonly original: { readonly width: number; readonly height: number; readonly bytes: number; readonly format: string }
  readonly enhanced: Answer['original']
  readonly metrics: Readonly<Record<'noiseBefore' | 'noiseAfter' | 'sharpnessBefore' | 'sharpnessAfter', number>>
  readonly hdr?: string
  readonly image?: string
  readonly quota?: { readonly remaining: number }
}

let server: SharedServer
let key: string
before(async () => {
  server = await shareServer()
  const database = await openServerDatabase(server.dir)
  key = (await makeAccount(database, 'pro')).key
  await database.close()
})
after(() => server[Symbol.asyncDispose]())

const ask = <Body = Answer>(endpoint: string, body: unknown, token = key) =>
  send<Body>(server.url, `POST /v1/ai/${endpoint}`, { body, token })
const remaining = async () => Number((await ask('enhance', { image: await picture('#f00') })).headers.get('x-ai-remaining'))

/** Asks, asserts success, and decodes the image of the answer. */
async function enhancedPicture(image: string, options: object = {}) {
  const { status, body, headers } = await ask('enhance', { image, ...options })
  assert.equal(status, 200, JSON.stringify(body).slice(0, 300))
  assert.deepEqual(enhance.answer?.parse(body), body)
  const [, type = '', base64 = ''] = /^data:image\/([a-z]+);base64,(.*)$/.exec(body.image ?? '') ?? []
  return { ...body, headers, type, file: Buffer.from(base64, 'base64') }
}
const namesOf = ({ operations }: Pick<Answer, 'operations'>) => operations.map(({ name }) => name)

const noisy = (width = 320, height = 240) =>
  sharp({ create: { width, height, channels: 3, background: '#789', noise: { type: 'gaussian', mean: 120, sigma: 12 } } })
/** Squares with edges of one blur everywhere. */
async function blurredPicture(sigma: number): Promise<Sharp> {
  const tile = await solid(24, 24, '#222').extend({ right: 24, bottom: 24, background: '#ddd' }).png().toBuffer()
  const board = await solid(384, 288, '#999')
    .composite([{ input: tile, tile: true }])
    .png()
    .toBuffer()
  return sharp(board).blur(sigma)
}
const uriOf = async (image: Sharp, type = 'png') => dataUri(await image.toBuffer(), `image/${type}`)

test('denoise removes noise, and answers how much there was', async () => {
  const source = await noisy().png().toBuffer()
  const { file, type, headers, ...body } = await enhancedPicture(dataUri(source), { mode: 'denoise' })
  assert.deepEqual([body.mode, body.requestedMode, body.intensity, namesOf(body)], ['denoise', 'denoise', 2, ['denoise']])
  assert.deepEqual(body.original, { width: 320, height: 240, bytes: source.length, format: 'png' })
  assert.deepEqual(body.enhanced, { width: 320, height: 240, bytes: file.length, format: type })
  assert.ok(body.metrics.noiseBefore > 10 && body.metrics.noiseAfter < 2, JSON.stringify(body.metrics))
  const { channels } = await sharp(file).stats()
  assert.ok(channels.every(({ stdev }) => stdev < 3))
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
})

test('deblur makes edges steeper, and answers by how much', async () => {
  const { file, metrics, ...body } = await enhancedPicture(await uriOf((await blurredPicture(1.5)).png()), {
    mode: 'deblur',
    intensity: 3,
  })
  assert.deepEqual([body.mode, body.intensity, namesOf(body).at(-1)], ['deblur', 3, 'deblur'])
  assert.ok(metrics.sharpnessAfter > metrics.sharpnessBefore, JSON.stringify(metrics))
  assert.equal((await sharp(file).metadata()).width, 384)
})

test('upscale doubles both sides, at every intensity', async () => {
  const source = await uriOf(photo(60, 40).jpeg({ quality: 95 }), 'jpeg')
  for (const intensity of [1, 2, 3]) {
    const body = await enhancedPicture(source, { mode: 'upscale', intensity })
    assert.ok(namesOf(body).includes('upscale'))
    assert.deepEqual([body.intensity, body.type], [intensity, 'jpeg'])
    const { width, height } = await sharp(body.file).metadata()
    assert.deepEqual([width, height, body.enhanced.width, body.enhanced.height], [120, 80, 120, 80])
  }
})

test('auto, which is the default, applies what the picture needs', async () => {
  const body = await enhancedPicture(await uriOf(noisy().png()))
  assert.deepEqual([body.mode, body.requestedMode, body.intensity, namesOf(body)], ['denoise', 'auto', 2, ['denoise']])
})

test('a good picture is sent back unchanged', async () => {
  const clean = await sharp(await photo().png().toBuffer())
    .blur(1)
    .png()
    .toBuffer()
  for (const mode of ['auto', 'denoise']) {
    const { file, operations, ...body } = await enhancedPicture(dataUri(clean), { mode })
    assert.deepEqual([operations, body.mode], [[], mode])
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
    assert.deepEqual(await pixels(file), await pixels(clean))
  }
})

test('without the preview the answer has all but the image', async () => {
  const { status, body } = await ask('enhance', { image: await uriOf(noisy().png()), returnPreview: false })
  assert.deepEqual([status, 'image' in body, namesOf(body)], [200, false, ['denoise']])
  assert.ok(body.enhanced.bytes > 0)
})

test('images of every kind: animated, CMYK, HEIC, transparent, and of one pixel', async () => {
  const gif = await enhancedPicture(dataUri(await animatedGif(60, 40), 'image/gif'), { mode: 'upscale' })
  assert.deepEqual([gif.original.width, gif.original.height, gif.type, gif.enhanced.height], [60, 40, 'gif', 80])
  assert.equal((await sharp(gif.file).metadata()).pages ?? 1, 1)

  const cmyk = await enhancedPicture(await uriOf(noisy().toColourspace('cmyk').jpeg({ quality: 95 }), 'jpeg'), {
    mode: 'denoise',
  })
  assert.deepEqual([namesOf(cmyk), (await sharp(cmyk.file).metadata()).space], [['denoise'], 'srgb'])

  const heif = (await writeHeic(noisy(64, 64))).bytes
  const heic = await enhancedPicture(dataUri(heif, 'image/heic'), { mode: 'upscale' })
  assert.deepEqual([heic.original.format, heic.enhanced.format, heic.type], ['heic', 'jpeg', 'jpeg'])

  const clear = await enhancedPicture(await uriOf(solid(40, 30, '#00000000').png()), { mode: 'upscale', intensity: 3 })
  assert.deepEqual((await sharp(clear.file).stats()).channels.map(({ max }) => max).at(-1), 0)

  const pixel = await enhancedPicture(await uriOf(solid(1, 1, '#336699').png()))
  assert.deepEqual([pixel.operations, pixel.enhanced.width], [[], 1])
})

test('an image of more than 20 megapixels is refused where it is to be enlarged, and not counted', async () => {
  const before = await remaining()
  const larger = await uriOf(solid(5_000, 4_001, '#345').png())
  const { status, error, headers } = await ask('enhance', { image: larger, mode: 'upscale' })
  assert.deepEqual([status, error?.statusMessage], [400, 'image_too_large'])
  assert.match(error?.message ?? '', /20 megapixels/)
  assert.equal(headers.get('x-ai-remaining'), String(before))
})

test('an enhancement counts as one image of the day; a failed one is refunded', async () => {
  const image = await picture('#f00')
  const { headers, body } = await ask('enhance', { image })
  const left = Number(headers.get('x-ai-remaining'))
  assert.equal(body.quota?.remaining, left)
  const failedAnswer = await ask('enhance', { image: damagedText })
  assert.deepEqual([failedAnswer.status, failedAnswer.error?.statusMessage], [400, 'invalid_image'])
  assert.equal(await remaining(), left - 1)
})

for (const [field, value] of [
  ['mode', 'magic'],
  ['intensity', 0],
  ['intensity', 4],
  ['intensity', 1.5],
  ['intensity', '2'],
  ['returnPreview', 'yes'],
  ['image', 'https://example.com/a.jpg'],
  ['image', undefined],
  ['image', dataUri(Buffer.from('<svg/>'), 'image/svg+xml')],
] as const)
  test(`enhance refuses ${field} ${String(value).slice(0, 30)}`, async () => {
    const { status, error } = await ask('enhance', { image: await picture('#f00'), [field]: value })
    assert.deepEqual([status, error?.statusMessage, error?.issues?.[0]?.path], [400, 'invalid_params', [field]])
  })

test('data that only declares to be an image is refused as none', async () => {
  const { status, error } = await ask('enhance', { image: dataUri(Buffer.from('%PDF-1.7 and so on')) })
  assert.deepEqual([status, error?.statusMessage], [400, 'invalid_image_type'])
})

test('where the platform has no model, alt-text and rename say so, and count nothing', async () => {
  const image = await picture('#f00')
  const before = await remaining()
  const answers = [await ask('alt-text', { images: [image] }), await ask('rename', { images: [{ data: image }] })]
  for (const { status, error } of answers) assert.deepEqual([status, error?.statusMessage], [503, 'ai_service_unavailable'])
  assert.equal(await remaining(), before - 1)
})

test('the answer says that a gain map is not in the enhanced image', async () => {
  const { hdr } = await enhancedPicture(dataUri(await hdrJpeg(), 'image/jpeg'))
  assert.equal(hdr, 'dropped')
  assert.equal((await enhancedPicture(await picture('#f00'))).hdr, undefined)
})

test('a field that may be left out may also be null, as the document says', async () => {
  const image = await picture('#f00')
  const facts = { filename: null, width: null, height: null, fileSize: null, mimeType: null }
  for (const [endpoint, body] of [
    ['enhance', { image, mode: null, intensity: null, returnPreview: null }],
    ['smart-crop', { image, platforms: null, customRatio: null, returnCroppedImage: null, userProvider: null }],
    ['recommend', { images: [{ data: image, ...facts }], useCase: null, userProvider: null }],
  ] as const)
    assert.equal((await ask(endpoint, body)).status, 200, endpoint)
  assert.equal((await ask('enhance', { image: null })).error?.statusMessage, 'invalid_params')
})
