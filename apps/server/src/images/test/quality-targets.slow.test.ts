import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codecs, recognise } from '@pixelmill/codecs'
import { targetFormats } from '@pixelmill/codecs/image-formats'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { isNight } from '@pixelmill/codecs/test/support/at-night'
import { animatedGif, animatedWebp, everyFormat, photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { readable } from '@pixelmill/engine/test/support/readable'
import { judgeOf } from '@pixelmill/vision/likeness/ssimulacra2/ssimulacra2'
import { damagePicture, paintPicture } from '@pixelmill/vision/test/likeness/painted'
import sharp from 'sharp'
import { chargedCalls, openServerDatabase } from '../../../test/support/accounts.ts'
import { getResult, startBatch, untilEnded, zipOf } from '../../../test/support/batch-call.ts'
import { caller } from '../../../test/support/call.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import type { Database } from '../../database/database.ts'

/** visualQuality and maxBytes: what the answer has to reach. */

let server: SharedServer
let database: Database
let post: ReturnType<typeof caller>['post']
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  post = caller(server).post
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

const soft = damagePicture(paintPicture(300, 200), 'blurred')
const image = await sharp(soft.data, { raw: { width: 300, height: 200, channels: 3 } })
  .png()
  .toBuffer()

async function rasterOf(bytes: Buffer): Promise<Raster> {
  const { data, info } = await sharp(await readable(bytes))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

const scoredTexts = targetFormats.filter((name) => codecs[name].levels?.scores)

for (const format of scoredTexts) {
  test(`${format}: the answer reaches visualQuality, and X-Quality-Score says its score`, async () => {
    const { status, headers, bytes } = await post('convert', { format, visualQuality: 75 }, { image })
    assert.equal(status, 200)
    const score = judgeOf([soft]).score([await rasterOf(bytes)])
    assert.ok(Math.abs(score - 75) <= 2, String(score))
    assert.match(headers.get('x-quality-score') ?? '', /^\d+\.\d$/)
    assert.ok(Math.abs(score - Number(headers.get('x-quality-score'))) <= 0.1)
  })

  test(`${format}: the answer has at most maxBytes, in the same size in pixels`, async () => {
    const { status, headers, bytes } = await post('convert', { format, maxBytes: 4_000 }, { image })
    assert.equal(status, 200)
    assert.ok(bytes.length <= 4_000 && bytes.length > 2_000, String(bytes.length))
    assert.deepEqual([headers.get('x-image-width'), headers.get('x-image-height')], ['300', '200'])
    assert.ok(headers.has('x-quality-score'))
  })
}

test('10 bytes hold no picture: cannot_fit says the smallest size, which then fits; it costs nothing', async () => {
  const before = await chargedCalls(database)
  for (const format of [...scoredTexts, 'png']) {
    const { status, error } = await post('convert', { format, maxBytes: 10 }, { image })
    assert.deepEqual([status, error?.statusMessage], [422, 'cannot_fit'], format)
    const { smallestBytes } = error as unknown as { readonly smallestBytes: number }
    assert.ok(error?.message.includes(String(smallestBytes)))
    if (format === 'png') continue
    const fitting = await post('convert', { format, maxBytes: smallestBytes }, { image })
    assert.deepEqual([fitting.status, fitting.bytes.length], [200, smallestBytes])
  }
  assert.equal(await chargedCalls(database), before + scoredTexts.length)
})

test('without the new fields there is no score, and the answer is the same', async () => {
  const plain = await post('convert', { format: 'jpeg', quality: 60 }, { image })
  assert.equal(plain.headers.get('x-quality-score'), null)
  const reference = await sharp(image).jpeg({ quality: 60, chromaSubsampling: '4:2:0' }).toBuffer()
  assert.deepEqual(await sharp(plain.bytes).raw().toBuffer(), await sharp(reference).raw().toBuffer())
})

const refusedTexts: readonly (readonly [string, string, Readonly<Record<string, string | number>>, string])[] = [
  ['convert', 'visualQuality', { format: 'png', visualQuality: 75 }, 'not for PNG'],
  ['convert', 'visualQuality', { format: 'jpeg', visualQuality: 75, quality: 75 }, 'without quality'],
  ['optimize', 'visualQuality', { visualQuality: 75 }, 'not for PNG'],
  ['optimize', 'visualQuality', { visualQuality: 75, quality: 75 }, 'without quality'],
]
for (const [operation, name, fields, words] of refusedTexts) {
  test(`${operation} with ${JSON.stringify(fields)} of a PNG is invalid_params`, async () => {
    const { status, error } = await post(operation, fields, { image })
    assert.deepEqual([status, error?.statusMessage, error?.issues?.length], [400, 'invalid_params', 1])
    assert.deepEqual(error?.issues?.[0]?.path, [name])
    assert.ok(error?.message.includes(words), error?.message)
  })
}

for (const [format, file] of Object.entries(await everyFormat())) {
  const { levels } = codecs[format as keyof typeof codecs] ?? {}
  if (levels) continue
  test(`optimize refuses visualQuality and maxBytes for ${format}`, async () => {
    for (const fields of [{ visualQuality: 75 }, { maxBytes: 5_000 }]) {
      const { status, error } = await post('optimize', fields, { image: file })
      assert.deepEqual([status, error?.issues?.[0]?.path], [400, Object.keys(fields)])
    }
  })
}

const special: Readonly<Record<string, Buffer>> = {
  'one colour': await solid(200, 120, '#30a060').png().toBuffer(),
  'one pixel': await solid(1, 1, '#ff0000').png().toBuffer(),
  'half transparent': await solid(64, 48, '#2080c080').png().toBuffer(),
  grey: await sharp(image).toColourspace('b-w').png().toBuffer(),
  '16 bits a channel': await sharp(image).toColourspace('rgb16').png().toBuffer(),
  'animated gif': await animatedGif(),
  'animated webp': await animatedWebp(),
}
for (const [nth, [name, file]] of Object.entries(special).entries()) {
  // By day each of them in one format, and each format with some of them.
  const formats = isNight ? scoredTexts : scoredTexts.filter((_, place) => place === nth % scoredTexts.length)
  test(`${name}: a score and a number of bytes can be asked for in ${formats.join(', ')}`, async () => {
    for (const format of formats) {
      const { status, headers, bytes } = await post('convert', { format, visualQuality: 70 }, { image: file })
      assert.equal(status, 200, format)
      assert.equal(recognise(bytes)?.name, format)
      assert.ok(Number(headers.get('x-quality-score')) >= 67, `${format}: ${headers.get('x-quality-score')}`)
      const { pages = 1 } = await sharp(await readable(bytes), { animated: true }).metadata()
      const before = await sharp(file, { animated: true }).metadata()
      assert.equal(pages, codecs[format].animated ? (before.pages ?? 1) : 1)
      const most = bytes.length + 100
      const sizedAnswer = await post('convert', { format, maxBytes: most }, { image: file })
      assert.ok(
        sizedAnswer.status === 200 && sizedAnswer.bytes.length <= most,
        `${format}: ${sizedAnswer.bytes.length} of ${most}`,
      )
    }
  })
}

test('optimize to a score or a number of bytes keeps the format, and a file that fits', async () => {
  const file = await photo(320, 240).jpeg({ quality: 98, chromaSubsampling: '4:4:4' }).toBuffer()
  const toScore = await post('optimize', { visualQuality: 60 }, { image: file })
  assert.deepEqual([toScore.status, recognise(toScore.bytes)?.name], [200, 'jpeg'])
  assert.ok(toScore.bytes.length < file.length)
  const most = Math.floor(file.length / 3)
  const toBytes = await post('optimize', { maxBytes: most }, { image: file })
  assert.ok(toBytes.bytes.length <= most && Number(toBytes.headers.get('x-quality-score')) < 99)
  const same = await post('optimize', { maxBytes: file.length }, { image: file })
  assert.deepEqual([same.bytes, same.headers.get('x-quality-score')], [file, '100.0'])
  const bad = await post('optimize', { maxBytes: file.length }, { image: file.subarray(0, file.length / 2) })
  assert.equal(bad.error?.statusMessage, 'invalid_image')
})

test('a batch to a number of bytes: what cannot fit fails alone, and its status says what was asked', async () => {
  const blank = await solid(20, 20, '#ffffff').png().toBuffer()
  const fields = { format: 'webp', visualQuality: 90, maxBytes: 400 }
  const { status, batch } = await startBatch(
    server,
    zipOf({ 'noise.png': await photo(900, 700).png().toBuffer(), 'blank.png': blank }),
    fields,
  )
  assert.equal(status, 202)
  const doneBody = await untilEnded(server, batch.id)
  assert.deepEqual(
    [doneBody.visualQuality, doneBody.maxBytes, doneBody.progress.succeeded, doneBody.progress.failed],
    [90, 400, 1, 1],
  )
  assert.equal((await getResult(server, batch.id)).status, 200)
  const refusedValue = await startBatch(server, zipOf({ 'blank.png': blank }), { format: 'png', visualQuality: 90 })
  assert.equal(refusedValue.status, 400)
})
