import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { accountTotals } from '../../../../test/support/account-totals.ts'
import { makeAccount, makeLogin, openServerDatabase } from '../../../../test/support/accounts.ts'
import { getResult, startBatch, untilEnded, zipOf } from '../../../../test/support/batch-call.ts'
import { send } from '../../../../test/support/json-call.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import { unzip } from '../../../../test/support/unzip.ts'
import type { Database } from '../../../database/database.ts'
import { manifest as manifestSchema } from '../../routes/answer.ts'

/** Batches by recipe and by preset, and those that optimize. */

let server: SharedServer
let database: Database
let account: { readonly id: string; readonly key: string }
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  account = await makeAccount(database, 'team')
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

const jpeg = await photo(120, 80).jpeg().toBuffer()
const png = await photo(40, 30).png().toBuffer()
const archive = zipOf({ 'a/one.jpg': jpeg, 'two.png': png, 'broken.jpg': jpeg.subarray(0, 200), 'note.txt': Buffer.from('text') })

const calledServer = () => ({ url: server.url, key: account.key })
const start = (fields: Readonly<Record<string, string>>, file = archive) => startBatch(calledServer(), file, fields)

async function resultOf(id: string) {
  const { progress, ...status } = await untilEnded(calledServer(), id)
  const files = await unzip(Buffer.from(await (await getResult(calledServer(), id)).arrayBuffer()))
  return { progress, status, files, manifest: manifestSchema.parse(JSON.parse(String(files['manifest.json']))) }
}

const two = {
  steps: [{ resize: { width: 60 } }],
  outputs: [
    { name: 'web', format: 'webp' },
    { name: 'square', steps: [{ crop: { x: 0, y: 0, width: 40, height: 40 } }] },
  ],
}

test('each output of each image has a path, and a charge or an error of its own', async () => {
  const before = (await accountTotals(database, account.id)).used
  const { batch } = await start({ recipe: JSON.stringify(two), name: 'Shop' })
  assert.deepEqual([batch.format, batch.quality, batch.name], [undefined, undefined, 'Shop'])
  const { progress, files, manifest, status } = await resultOf(batch.id)
  assert.deepEqual([progress.total, progress.succeeded, progress.failed], [6, 4, 2])
  assert.match(status.recipeId ?? '', /^[0-9a-f]{64}$/)
  assert.deepEqual(Object.keys(files).sort(), [
    'a/one-square.jpg',
    'a/one-web.webp',
    'manifest.json',
    'two-square.png',
    'two-web.webp',
  ])
  const square = await sharp(files['a/one-square.jpg']).metadata()
  assert.deepEqual([square.format, square.width, square.height], ['jpeg', 40, 40])
  assert.deepEqual(
    manifest
      .filter(({ status }) => status === 'failed')
      .map(({ source, outputName, error }) => [source, outputName, error?.code]),
    [
      ['broken.jpg', 'web', 'invalid_image'],
      ['broken.jpg', 'square', 'invalid_image'],
    ],
  )
  assert.deepEqual(
    manifest.filter(({ status }) => status === 'skipped').map(({ source, outputName }) => [source, outputName]),
    [['note.txt', undefined]],
  )
  assert.equal((await accountTotals(database, account.id)).used, before + 4)
})

test('a batch that optimizes keeps each format and path, and sends nothing that is larger', async () => {
  const noisy = await photo(200, 150).jpeg({ quality: 98 }).toBuffer()
  const small = await solid(8, 8, '#4080c0').png().toBuffer()
  const before = (await accountTotals(database, account.id)).used
  const { batch } = await start({ optimize: 'true', quality: '60' }, zipOf({ 'a/noisy.JPG': noisy, 'small.png': small }))
  assert.deepEqual([batch.format, batch.optimize, batch.quality], [undefined, true, 60])
  const { files, status } = await resultOf(batch.id)
  assert.equal(status.optimize, true)
  assert.deepEqual(Object.keys(files).sort(), ['a/noisy.jpg', 'manifest.json', 'small.png'])
  const optimizedJpeg = files['a/noisy.jpg'] ?? Buffer.alloc(0)
  assert.equal((await sharp(optimizedJpeg).metadata()).format, 'jpeg')
  assert.ok(optimizedJpeg.length < noisy.length / 2, `${optimizedJpeg.length} of ${noisy.length} bytes`)
  assert.ok((files['small.png']?.length ?? Number.POSITIVE_INFINITY) <= small.length)
  assert.equal((await accountTotals(database, account.id)).used, before + 2)
})

test('optimize is sent without a format and without a recipe', async () => {
  const others: readonly Readonly<Record<string, string>>[] = [{ format: 'webp' }, { recipe: JSON.stringify({ steps: [] }) }]
  for (const fields of others) {
    const { status, bytes } = await start({ optimize: 'true', ...fields })
    assert.deepEqual([status, bytes.includes('invalid_params')], [400, true], JSON.stringify(fields))
  }
})

test('a side that is not given is rounded to the nearest pixel, in every format', async () => {
  const wide = solid(1_500, 735, '#4080c0')
  const images = { 'jpeg.jpg': await wide.clone().jpeg().toBuffer(), 'png.png': await wide.clone().png().toBuffer() }
  const { batch } = await start({ recipe: JSON.stringify({ steps: [{ resize: { width: 300 } }] }) }, zipOf(images))
  const { files } = await resultOf(batch.id)
  for (const name of Object.keys(images)) {
    const { width, height } = await sharp(files[name]).metadata()
    assert.deepEqual([width, height], [300, 147], name)
  }
})

test('an output that fails alone does not fail the others of its image', async () => {
  const recipe = { outputs: [{ name: 'all' }, { name: 'part', steps: [{ crop: { x: 0, y: 0, width: 100, height: 80 } }] }] }
  const { batch } = await start({ recipe: JSON.stringify(recipe) }, zipOf({ 'one.jpg': jpeg, 'two.png': png }))
  const { files, manifest } = await resultOf(batch.id)
  assert.deepEqual(Object.keys(files).sort(), ['manifest.json', 'one-all.jpg', 'one-part.jpg', 'two-all.png'])
  const failedValues = manifest.filter(({ status }) => status === 'failed')
  assert.deepEqual(
    failedValues.map(({ source, outputName, error }) => [source, outputName, error?.code]),
    [['two.png', 'part', 'invalid_params']],
  )
  const listedAnswer = await send<{ readonly data: readonly { readonly outputName?: string }[] }>(
    server.url,
    `GET /api/v2/batch/${batch.id}/entries?status=failed`,
    { token: account.key },
  )
  assert.deepEqual(
    listedAnswer.body.data.map(({ outputName }) => outputName),
    ['part'],
  )
})

test('a preset of one output keeps the names of the files', async () => {
  const token = await makeLogin(database, account.id)
  const recipe = { steps: [{ flip: {} }], outputs: [{ format: 'webp' }] }
  assert.equal((await send(server.url, 'PUT /api/user/presets/flipped', { token, body: { recipe } })).status, 200)
  const { batch } = await start({ preset: 'flipped' }, zipOf({ 'a/one.jpg': jpeg }))
  assert.deepEqual(Object.keys((await resultOf(batch.id)).files), ['manifest.json', 'a/one.webp'])
})

for (const [says, fields, status, place] of [
  ['a format beside a recipe', { recipe: '{}', format: 'webp' }, 400, 'format'],
  ['a quality beside a preset', { preset: 'flipped', quality: '80' }, 400, 'quality'],
  ['a recipe that reads a file', { recipe: '{"steps":[{"watermark":{"image":"logo"}}]}' }, 400, 'steps.0.watermark.image'],
  ['a faulty recipe', { recipe: '{"steps":[{"blur":{"sigma":0}}]}' }, 400, 'steps.0.blur.sigma'],
  ['an unknown preset', { preset: 'none' }, 404, undefined],
] as const) {
  test(`${says} is refused, and no batch is made`, async () => {
    const before = await accountTotals(database, account.id)
    const { status: answeredCount, error } = await start(fields)
    assert.deepEqual([answeredCount, error?.issues?.[0]?.path.join('.')], [status, place])
    assert.deepEqual(await accountTotals(database, account.id), before)
  })
}

test('outputs count towards the largest number of images', async () => {
  const outputs = Array.from({ length: 20 }, (_, nth) => ({ name: `o${nth}` }))
  const many = zipOf(Object.fromEntries(Array.from({ length: 51 }, (_, nth) => [`${nth}.png`, png])))
  const { status, error } = await start({ recipe: JSON.stringify({ outputs }) }, many)
  assert.deepEqual([status, error?.statusMessage], [400, 'archive_too_large'])
  assert.match(error?.message ?? '', /1020 images, and 1000 are possible/)
})
