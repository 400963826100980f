import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { everyFormat, near, photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { operations } from '@pixelmill/engine/tasks/index'
import { readable } from '@pixelmill/engine/test/support/readable'
import sharp from 'sharp'
import { caller } from '../../../test/support/call.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'

let server: SharedServer
let post: ReturnType<typeof caller>['post']
const inputs = await everyFormat()
const logo = await solid(40, 20, '#00ff0080').png().toBuffer()

before(async () => {
  server = await shareServer()
  post = caller(server).post
})
after(() => server[Symbol.asyncDispose]())

const stems = {
  resize: 'resized',
  crop: 'cropped',
  flip: 'flipped',
  flop: 'flopped',
  watermark: 'watermarked',
  optimize: 'optimized',
} as const
const calls = [
  ['resize', { width: 60, height: 60 }, 60, 40],
  ['crop', { x: 5, y: 6, width: 50, height: 30 }, 50, 30],
  ['flip', {}, 240, 160],
  ['flop', {}, 240, 160],
  ['watermark', { position: 'center', scale: 0.5 }, 240, 160],
  ['optimize', {}, 240, 160],
] as const

test('every operation has a row here', () => {
  assert.deepEqual(Object.keys(operations).toSorted(), ['convert', ...calls.map(([operation]) => operation)].toSorted())
})

for (const [format, image] of Object.entries(inputs)) {
  const codec = codecs[format as keyof typeof codecs]
  for (const [operation, fields, width, height] of calls) {
    test(`${operation} keeps ${format}, and its headers describe the answer`, async () => {
      const files = operation === 'watermark' ? { image, watermark: logo } : { image }
      const answer = await post(operation, fields, files)
      assert.equal(answer.status, 200, String(answer.error?.message))
      const header = (name: string) => answer.headers.get(name)
      assert.equal(header('content-type'), codec.mime)
      assert.equal(header('content-disposition'), `attachment; filename="${stems[operation]}.${codec.extension}"`)
      assert.equal(header('x-input-size'), String(image.length))
      assert.equal(header('x-output-size'), String(answer.bytes.length))
      assert.ok(Math.abs(Number(header('x-saved-percent')) - 100 * (1 - answer.bytes.length / image.length)) <= 0.06)
      assert.equal(header('x-ratelimit-limit'), 'unlimited')
      assert.equal(header('x-ratelimit-remaining'), 'unlimited')
      assert.equal(header('x-content-type-options'), 'nosniff')
      assert.equal(header('cache-control'), 'no-store')
      assert.equal(header('content-security-policy'), "default-src 'none'; sandbox")
      const real = await sharp(await readable(answer.bytes)).metadata()
      assert.deepEqual([real.width, real.height], [width, height])
      assert.deepEqual([header('x-image-width'), header('x-image-height')], [String(width), String(height)])
      if (operation === 'optimize') assert.ok(answer.bytes.length <= image.length)
    })
  }
  for (const target of ['webp', 'avif', 'jpeg', 'png', 'jxl'] as const) {
    test(`convert ${format} to ${target}`, async () => {
      const answer = await post('convert', { format: target, width: 120 }, { image })
      assert.equal(answer.status, 200, String(answer.error?.message))
      assert.equal(answer.headers.get('content-type'), codecs[target].mime)
      assert.equal(answer.headers.get('content-disposition'), `attachment; filename="converted.${codecs[target].extension}"`)
      const real = await sharp(await readable(answer.bytes)).metadata()
      assert.deepEqual([real.width, real.height], [120, 80])
    })
  }
}

const sizes = [
  [{ width: 100, height: 100, fit: 'cover' }, 100, 100],
  [{ width: 100, height: 100, fit: 'contain' }, 100, 100],
  [{ width: 100, height: 100, fit: 'fill' }, 100, 100],
  [{ width: 100, height: 100, fit: 'inside' }, 100, 67],
  [{ width: 100, height: 100, fit: 'outside' }, 150, 100],
  [{ width: 480 }, 480, 320],
  [{ height: 80 }, 120, 80],
  [{ rotate: 90 }, 160, 240],
  [{ rotate: 90, width: 80 }, 80, 120],
  [{ rotate: 45 }, 283, 283],
  [{ rotate: 45, width: 100 }, 100, 100],
  [{ rotate: 360 }, 240, 160],
] as const
for (const [fields, width, height] of sizes) {
  test(`convert ${JSON.stringify(fields)} is ${width} × ${height}`, async () => {
    const { bytes } = await post('convert', { ...fields, format: 'png' }, { image: inputs.jpeg ?? logo })
    const real = await sharp(bytes).metadata()
    assert.deepEqual([real.width, real.height], [width, height])
  })
}

test('the default of convert is WebP at quality 75', async () => {
  const image = inputs.png ?? logo
  const plain = await post('convert', {}, { image })
  const saidAnswer = await post('convert', { format: 'webp', quality: 75 }, { image })
  assert.equal(plain.headers.get('content-type'), 'image/webp')
  assert.deepEqual(plain.bytes, saidAnswer.bytes)
})

test('PNG is lossless unless a quality is sent', async () => {
  const image = inputs.png ?? logo
  const raw = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer()
  const lossless = await post('convert', { format: 'png' }, { image })
  assert.deepEqual(await raw(lossless.bytes), await raw(image))
  const palette = await post('convert', { format: 'png', quality: 75 }, { image })
  assert.equal((await sharp(palette.bytes).metadata()).isPalette, true)
})

test('corners that a rotation leaves empty are transparent in PNG and white in JPEG', async () => {
  const image = await solid(60, 60, '#ff0000').png().toBuffer()
  assert.equal((await pixel((await post('convert', { format: 'png', rotate: 45 }, { image })).bytes, 1, 1))[3], 0)
  assert.ok(near(await pixel((await post('convert', { format: 'jpeg', rotate: 45 }, { image })).bytes, 1, 1), [255, 255, 255]))
})

test('contain fills with transparent in PNG and with white in JPEG', async () => {
  const image = await solid(60, 20, '#ff0000').png().toBuffer()
  const fields = { width: 60, height: 60, fit: 'contain' }
  assert.equal((await pixel((await post('resize', fields, { image })).bytes, 30, 2))[3], 0)
  assert.ok(near(await pixel((await post('convert', { ...fields, format: 'jpeg' }, { image })).bytes, 30, 2), [255, 255, 255]))
})

test('blur softens and grayscale has no colour', async () => {
  const image = await photo().png().toBuffer()
  const spread = async (bytes: Buffer) => (await sharp(bytes).stats()).channels[0]?.stdev ?? 0
  const { bytes } = await post('convert', { format: 'png', blur: 10 }, { image })
  assert.ok((await spread(bytes)) < (await spread(image)) / 2)
  const [r, g, b] = await pixel((await post('convert', { format: 'png', grayscale: 'true' }, { image })).bytes, 20, 20)
  assert.ok(r === g && g === b)
})
