import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { heicReader } from '../../src/codecs/heic/reader.ts'
import { writeHeic } from '../../src/codecs/heic/write-heic.ts'
import { type HeicWriter, heicWriters } from '../../src/codecs/heic/writers.ts'
import { codecs, recognise } from '../../src/codecs/index.ts'
import { type Answer, caller } from '../support/call.ts'
import { at, corners, cornersOf } from '../support/corners.ts'
import * as heif from '../support/heif.ts'
import { nativeHeic, withoutHeifEnc } from '../support/heif-enc.ts'
import { photo, solid } from '../support/pictures.ts'
import { type Server, startServer } from '../support/server.ts'

const opaque = (await writeHeic(corners(240, 160))).bytes
const veiled = (await writeHeic(sharp(await corners(240, 160).ensureAlpha(0.5).png().toBuffer()))).bytes
const noisy = (await writeHeic(photo())).bytes
const turned = heif.heif([heif.picture(await heif.coded(corners(240, 160)), heif.turn(90))])
const logo = await solid(4, 4, '#000000').png().toBuffer()

/** The pixels of an answer, and that it is what it is called. */
async function seen({ bytes, headers }: Answer) {
  const codec = recognise(bytes)
  assert.equal(headers.get('content-type'), codec?.mime)
  if (codec === codecs.heic) return await heicReader.decode(bytes)
  const { data, info } = await sharp(bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, data }
}

const stems = {
  resize: 'resized',
  crop: 'cropped',
  flip: 'flipped',
  flop: 'flopped',
  watermark: 'watermarked',
  optimize: 'optimized',
} as const
const edits = [
  ['resize', { width: 61, height: 41, fit: 'fill' }, 61, 41, 'RGBW'],
  ['crop', { x: 20, y: 10, width: 201, height: 139 }, 201, 139, 'RGBW'],
  ['flip', {}, 240, 160, 'BWRG'],
  ['flop', {}, 240, 160, 'GRWB'],
  ['watermark', { position: 'center', scale: 0.02 }, 240, 160, 'RGBW'],
  ['optimize', {}, 240, 160, 'RGBW'],
] as const
const skips: Readonly<Record<HeicWriter, string | false>> = { 'heif-enc': withoutHeifEnc, elheif: false, none: false }

for (const writer of heicWriters) {
  const skip = skips[writer]
  let server: Server
  let post: ReturnType<typeof caller>['post']
  before(async () => {
    if (skip) return
    server = await startServer({ HEIC_WRITER: writer, RENDERERS: '1' })
    post = caller(server).post
  })
  after(async () => {
    if (!skip) await server[Symbol.asyncDispose]()
  })

  for (const [what, image] of Object.entries({ opaque, veiled })) {
    for (const [operation, fields, width, height, looks] of edits) {
      const kept = writer !== 'none'
      const codec = kept ? codecs.heic : image === veiled ? codecs.png : codecs.jpeg
      test(`${writer}: ${operation} of ${what} HEIC is ${codec.name}, and says so`, { skip }, async () => {
        const answer = await post(operation, fields, operation === 'watermark' ? { image, watermark: logo } : { image })
        assert.equal(answer.status, 200, String(answer.error?.message))
        const header = (name: string) => answer.headers.get(name)
        const picture = await seen(answer)
        // Where no encoding is smaller, optimize sends the HEIC as it came.
        const sent = operation === 'optimize' && answer.bytes.equals(image) ? codecs.heic : codec
        assert.equal(header('content-type'), sent.mime)
        assert.equal(header('content-disposition'), `attachment; filename="${stems[operation]}.${sent.extension}"`)
        assert.equal(header('x-format-fallback'), sent === codecs.heic ? null : `heic->${sent.name}`)
        assert.deepEqual([header('x-image-width'), header('x-image-height')], [String(width), String(height)])
        assert.deepEqual([picture.width, picture.height, cornersOf(picture)], [width, height, looks])
        if (image === veiled) assert.ok(Math.abs((at(picture, 20, 20)[3] ?? 0) - 128) <= 3)
        if (operation === 'optimize') assert.ok(answer.bytes.length <= image.length)
      })
    }
  }

  test(`${writer}: convert makes every target of HEIC, turned as it says`, { skip }, async () => {
    for (const format of ['webp', 'avif', 'jpeg', 'png'] as const) {
      const answer = await post('convert', { format, width: 80 }, { image: turned })
      assert.equal(answer.status, 200, String(answer.error?.message))
      assert.deepEqual([recognise(answer.bytes)?.name, answer.headers.get('x-format-fallback')], [format, null])
      const picture = await seen(answer)
      assert.deepEqual([picture.width, picture.height, cornersOf(picture)], [80, 120, 'GWRB'])
    }
  })

  test(`${writer}: crop counts in the picture as it is displayed`, { skip }, async () => {
    const answer = await post('crop', { x: 82, y: 2, width: 76, height: 100 }, { image: turned })
    assert.equal(cornersOf(await seen(answer)), 'WWWW')
    const beyond = await post('crop', { x: 100, y: 0, width: 100, height: 10 }, { image: turned })
    assert.deepEqual([beyond.status, beyond.error?.statusMessage], [400, 'invalid_params'])
  })

  test(`${writer}: optimize of a photograph is never larger, at any quality`, { skip }, async () => {
    for (const quality of [1, 50, 75, 80, 81, 95, 100]) {
      const answer = await post('optimize', { quality }, { image: noisy })
      assert.equal(answer.status, 200, String(answer.error?.message))
      assert.ok(answer.bytes.length <= noisy.length, `${quality}: ${answer.bytes.length} of ${noisy.length}`)
      assert.deepEqual([(await seen(answer)).width, (await seen(answer)).height], [240, 160])
    }
  })

  test(`${writer}: a HEIC can be the watermark`, { skip }, async () => {
    const fields = { position: 'top-left', scale: 1 }
    const answer = await post('watermark', fields, {
      image: await solid(240, 160, '#000000').png().toBuffer(),
      watermark: opaque,
    })
    assert.equal(cornersOf(await seen(answer)), 'RGBW')
  })

  test(`${writer}: damage is invalid_image, and too many pixels are image_too_large`, { skip }, async () => {
    const cut = await post('optimize', {}, { image: opaque.subarray(0, -50) })
    assert.deepEqual([cut.status, cut.error?.statusMessage], [400, 'invalid_image'])
    const huge = heif.grid(2, 1, { width: 100_000, height: 100_000 }, [2, 3])
    const tile = heif.picture(await heif.coded(corners()))
    const promising = await post('resize', { width: 9, height: 9 }, { image: heif.heif([huge, tile, tile]) })
    assert.deepEqual([promising.status, promising.error?.statusMessage], [400, 'image_too_large'])
  })

  if (writer !== 'heif-enc') continue
  test('heif-enc: the quality of optimize is that of the answer', { skip }, async () => {
    const image = nativeHeic(await photo(480, 320).png().toBuffer(), '-q', '95')
    const sizes: number[] = []
    for (const quality of [20, 50, 75, 90]) {
      const { bytes, headers } = await post('optimize', { quality }, { image })
      assert.equal(headers.get('content-type'), 'image/heic')
      sizes.push(bytes.length)
    }
    assert.deepEqual(
      sizes.toSorted((a, b) => a - b),
      sizes,
    )
    assert.ok(new Set(sizes).size === 4 && (sizes[3] ?? 0) < image.length, sizes.join())
  })
}

test('HEIC=off accepts none, as image or as watermark, and all else as before', async () => {
  await using server = await startServer({ HEIC: 'off', RENDERERS: '1', LOG_LEVEL: 'debug' })
  assert.match(server.output(), /"heicWriter":"none"/)
  const { post } = caller(server)
  for (const answer of [
    await post('convert', {}, { image: opaque }),
    await post('optimize', {}, { image: { bytes: turned, name: 'photo.jpg', type: 'image/jpeg' } }),
    await post('watermark', {}, { image: logo, watermark: opaque }),
  ])
    assert.deepEqual([answer.status, answer.error?.statusMessage], [400, 'invalid_image_type'])
  const avif = await solid(16, 16, '#123456').avif({ effort: 0 }).toBuffer()
  for (const image of [logo, avif]) assert.equal((await post('convert', {}, { image })).status, 200)
})
