import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bmp } from '@pixelmill/codecs/bmp/index'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import { animatedGif, near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { quarters, withGainMap } from '@pixelmill/engine/test/support/gain-maps'
import sharp, { type Sharp } from 'sharp'
import { quotaOf, removeBackground, studio } from '../../../../test/support/background-call.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'

let server: SharedServer
before(async () => {
  server = await shareServer()
})
after(() => server[Symbol.asyncDispose]())
const remove = (image: Buffer | undefined, fields = {}) => removeBackground(server.url, server.key, image, fields)

const WIDTH = 60
const HEIGHT = 40
const source = await studio(WIDTH, HEIGHT).png().toBuffer()
const write = (encode: (image: Sharp) => Sharp) => encode(sharp(source)).toBuffer()
const cmyk = await write((image) => image.toColourspace('cmyk').jpeg({ quality: 95 }))
const still = { quality: undefined, megapixels: 1, animation: undefined }
const inputs = {
  jpeg: await write((image) => image.jpeg({ quality: 95 })),
  'a CMYK jpeg': cmyk,
  'a turned jpeg': await write((image) => image.rotate(90).jpeg({ quality: 95 }).withMetadata({ orientation: 8 })),
  png: source,
  '16-bit png': await write((image) => image.toColourspace('rgb16').png()),
  webp: await write((image) => image.webp({ quality: 95 })),
  gif: await write((image) => image.gif()),
  tiff: await write((image) => image.tiff({ compression: 'lzw' })),
  avif: await write((image) => image.avif({ quality: 90, effort: 0 })),
  bmp: (await bmp.encode(sharp(source), still)).bytes,
  heic: (await writeHeic(sharp(source))).bytes,
} as const

for (const [name, image] of Object.entries(inputs)) {
  for (const format of ['png', 'webp'] as const) {
    test(`${name} becomes a cut-out in ${format}, with truthful headers`, async () => {
      const answer = await remove(image, { format })
      assert.equal(answer.status, 200, String(answer.error?.message))
      const header = (name: string) => answer.headers.get(name)
      assert.equal(header('content-type'), `image/${format}`)
      assert.equal(header('content-disposition'), `attachment; filename="no-background.${format}"`)
      assert.equal(header('x-input-size'), String(image.length))
      assert.equal(header('x-output-size'), String(answer.bytes.length))
      assert.ok(Math.abs(Number(header('x-saved-percent')) - 100 * (1 - answer.bytes.length / image.length)) <= 0.06)
      assert.deepEqual([header('x-image-width'), header('x-image-height')], [String(WIDTH), String(HEIGHT)])
      assert.equal(header('x-background-removal'), 'local')
      assert.match(header('x-background-confidence') ?? '', /^(0\.[7-9]\d|1\.00)$/)
      assert.equal(header('x-content-type-options'), 'nosniff')
      assert.equal(header('cache-control'), 'no-store')
      assert.equal(header('content-security-policy'), "default-src 'none'; sandbox")
      // The first administrator is on the Enterprise plan.
      assert.deepEqual([header('x-ratelimit-limit'), header('x-ratelimit-remaining')], ['unlimited', 'unlimited'])
      assert.deepEqual(quotaOf(answer).slice(0, 2), ['unlimited', 'unlimited'])
      const real = await sharp(answer.bytes).metadata()
      assert.deepEqual([real.format, real.width, real.height, real.hasAlpha], [format, WIDTH, HEIGHT, true])
      const middle = await pixel(answer.bytes, WIDTH / 2, HEIGHT / 2)
      assert.ok(near(middle, [176, 40, 24, 255], 30), `the subject stays: ${middle}`)
      for (const [x, y] of [
        [0, 0],
        [WIDTH - 1, 0],
        [0, HEIGHT - 1],
        [WIDTH - 1, HEIGHT - 1],
        [5, HEIGHT / 2],
      ] as const)
        assert.equal((await pixel(answer.bytes, x, y))[3], 0, `the wall goes at ${x}, ${y}`)
    })
  }
}

test('png is the default, also where the format is blank', async () => {
  assert.equal((await remove(source)).headers.get('content-type'), 'image/png')
  assert.equal((await remove(source, { format: '' })).headers.get('content-type'), 'image/png')
})

test('an image that is transparent already is left unchanged, whatever it shows', async () => {
  const clear = await solid(60, 40, '#00000000').png().toBuffer()
  const faint = await solid(60, 40, '#2060c080').png().toBuffer()
  const window = await solid(60, 40, '#2060c0')
    .composite([{ input: faint, blend: 'dest-in' }])
    .png()
    .toBuffer()
  const half = await solid(60, 40, '#00000000')
    .composite([{ input: await solid(30, 40, '#2060c0').png().toBuffer(), left: 0, top: 0 }])
    .png()
    .toBuffer()
  for (const [image, left, right] of [
    [clear, [0, 0, 0, 0], [0, 0, 0, 0]],
    [half, [32, 96, 192, 255], [0, 0, 0, 0]],
    [faint, [32, 96, 192, 128], [32, 96, 192, 128]],
    [window, [32, 96, 192, 128], [32, 96, 192, 128]],
  ] as const)
    for (const format of ['png', 'webp']) {
      const answer = await remove(image, { format })
      assert.equal(answer.status, 200, String(answer.error?.message))
      assert.equal(answer.headers.get('x-background-removal'), 'local')
      assert.equal(answer.headers.get('x-background-confidence'), '1.00')
      assert.ok(near(await pixel(answer.bytes, 5, 20), left, 4))
      assert.ok(near(await pixel(answer.bytes, 55, 20), right, 4))
    }
})

test('of an animation the first frame is used', async () => {
  const frame = await studio(60, 40).png().toBuffer()
  const other = await solid(60, 40, '#0000ff').png().toBuffer()
  const moving = await sharp([frame, other, other], { join: { animated: true } })
    .webp({ lossless: true, delay: [100, 100, 100] })
    .toBuffer()
  const answer = await remove(moving, { format: 'webp' })
  assert.equal(answer.status, 200, String(answer.error?.message))
  const { pages = 1, width, height } = await sharp(answer.bytes).metadata()
  assert.deepEqual([pages, width, height], [1, 60, 40])
  assert.ok(near(await pixel(answer.bytes, 30, 20), [176, 40, 24, 255]))
  // Of one colour each: there is no subject to be found, in a GIF either.
  assert.equal((await remove(await animatedGif())).error?.statusMessage, 'background_not_separable')
})

test('webp has no side of more than 16,383 pixels, png has', async () => {
  // Cut out already: of so few rows no subject could be told from its ground.
  const create = { width: 16_400, height: 60, channels: 4, background: '#12345680' } as const
  const long = await sharp({ create }).png().toBuffer()
  assert.equal((await remove(long, { format: 'webp' })).error?.statusMessage, 'image_too_large')
  assert.equal((await remove(long)).headers.get('x-image-width'), '16400')
})

test('the answer says that a gain map is not in the cut-out', async () => {
  const { status, headers } = await remove(
    withGainMap(
      inputs.jpeg,
      await sharp(await quarters(30, 20))
        .jpeg()
        .toBuffer(),
    ),
  )
  assert.deepEqual([status, headers.get('x-hdr')], [200, 'dropped'])
  assert.equal((await remove(inputs.jpeg)).headers.get('x-hdr'), null)
})
