import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { animatedGif } from '@pixelmill/codecs/test/support/pictures'
import { judgeOf } from '@pixelmill/vision/likeness/ssimulacra2/ssimulacra2'
import { damagePicture, paintPicture } from '@pixelmill/vision/test/likeness/painted'
import sharp from 'sharp'
import { caller, form, read } from '../../../test/support/call.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'

/** format=best: the fewest bytes at a score among the formats that the caller accepts. */

let server: SharedServer
let post: ReturnType<typeof caller>['post']
before(async () => {
  server = await shareServer()
  post = caller(server).post
})
after(() => server[Symbol.asyncDispose]())

const soft = damagePicture(paintPicture(420, 300), 'blurred')
const image = await sharp(soft.data, { raw: { width: 420, height: 300, channels: 3 } })
  .png()
  .toBuffer()

async function rasterOf(bytes: Buffer): Promise<Raster> {
  const { data, info } = await sharp(bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

const best = async (accept: string, fields: Readonly<Record<string, number>> = { visualQuality: 75 }, file: Buffer = image) => {
  const { status, headers, bytes } = await post(
    'convert',
    { format: 'best', ...fields },
    { image: file },
    { headers: { accept } },
  )
  assert.equal(status, 200)
  assert.equal(headers.get('vary'), 'Accept')
  return { type: headers.get('content-type'), bytes, score: Number(headers.get('x-quality-score')) }
}

test('it reaches the score with the fewest bytes of the formats that are accepted', async () => {
  const alone = async (format: string) => (await post('convert', { format, visualQuality: 75 }, { image })).bytes.length
  const sizes = { 'image/avif': await alone('avif'), 'image/webp': await alone('webp'), 'image/jpeg': await alone('jpeg') }
  for (const accept of ['*/*', 'image/webp,image/jpeg', 'image/jpeg,image/png', 'image/*;q=0.5, image/avif;q=0']) {
    const { type, bytes, score } = await best(accept)
    const allowedTexts = Object.entries(sizes).filter(([mime]) => (accept.includes('*') ? true : accept.includes(mime)))
    const open = allowedTexts.filter(([mime]) => !(accept.includes('avif;q=0') && mime === 'image/avif'))
    assert.equal(bytes.length, Math.min(...open.map(([, size]) => size)), accept)
    assert.equal(sizes[type as keyof typeof sizes], bytes.length, accept)
    const reachedCount = judgeOf([soft]).score([await rasterOf(bytes)])
    assert.ok(
      Math.abs(reachedCount - 75) <= 2 && Math.abs(reachedCount - score) <= 0.1,
      `${reachedCount} in ${type}, said to be ${score}`,
    )
  }
})

test('without a score it has the one of quality, and maxBytes holds', async () => {
  const [high, low] = await Promise.all([90, 50].map((quality) => best('*/*', { quality })))
  assert.ok(high && low && high.score > low.score + 10)
  const most = Math.floor((high?.bytes.length ?? 0) / 2)
  const { bytes } = await best('*/*', { quality: 90, maxBytes: most })
  assert.ok(bytes.length <= most && bytes.length > most / 2, `${bytes.length} of ${most}`)
})

test('few colours are sent without loss where that is smaller', async () => {
  const stripes = Buffer.from(Uint8Array.from({ length: 300 * 200 * 3 }, (_, at) => (Math.floor(at / 3) % 5 === 0 ? 200 : 20)))
  const drawnBytes = await sharp(stripes, { raw: { width: 300, height: 200, channels: 3 } })
    .png()
    .toBuffer()
  const { bytes, score } = await best('image/png,image/jpeg', { visualQuality: 90 }, drawnBytes)
  assert.deepEqual([score, (await sharp(bytes).metadata()).format], [100, 'png'])
})

test('transparency and animation are kept', async () => {
  const clear = await sharp(soft.data, { raw: { width: 420, height: 300, channels: 3 } })
    .ensureAlpha(0.5)
    .png()
    .toBuffer()
  assert.notEqual((await best('*/*', { visualQuality: 75 }, clear)).type, 'image/jpeg')
  const moving = await best('*/*', { visualQuality: 75 }, await animatedGif())
  assert.equal((await readHeader(moving.bytes)).frames, 3, moving.type ?? '')
})

test('it cannot be asked for together with both units of quality, nor in a batch', async () => {
  const both = await post('convert', { format: 'best', quality: 75, visualQuality: 75 }, { image })
  assert.deepEqual([both.status, both.error?.issues?.map(({ path }) => path.join('.'))], [400, ['visualQuality']])
  const batch = await fetch(`${server.url}/api/v2/batch`, {
    method: 'POST',
    body: form({ recipe: '{"outputs":[{"format":"best"}]}' }, { file: Buffer.from('PK') }),
    headers: { authorization: `Bearer ${server.key}` },
  })
  assert.deepEqual(
    (await read(batch)).error?.issues?.map(({ path }) => path.join('.')),
    ['outputs.0.format'],
  )
})

test('it is an output of a recipe', async () => {
  const recipe = JSON.stringify({ steps: [{ resize: { width: 100 } }], outputs: [{ format: 'best', quality: 60 }] })
  const answer = await read(
    await fetch(`${server.url}/api/v3/images`, {
      method: 'POST',
      body: form({ recipe }, { image }),
      headers: { authorization: `Bearer ${server.key}`, accept: 'image/webp' },
    }),
  )
  assert.deepEqual([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')], [200, 'image/webp', 'Accept'])
})
