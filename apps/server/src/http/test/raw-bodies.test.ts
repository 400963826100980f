import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MiB } from '@pixelmill/codecs/contract/limits'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { chargedCalls, makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { type Answer, caller, form, read } from '../../../test/support/call.ts'
import { raw } from '../../../test/support/raw.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import type { Database } from '../../database/database.ts'

/** An image as the whole body, with its parameters in the query, as `curl --data-binary` sends it. */

let server: SharedServer
let database: Database
before(async () => {
  server = await shareServer({ UPLOAD_TIMEOUT_S: '2' })
  database = await openServerDatabase(server.dir)
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

const image = await photo(60, 40).jpeg().toBuffer()
const logo = await solid(10, 10, 'white').png().toBuffer()

const send = async (path: string, body: RequestInit['body'], headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
  const authorization = `Bearer ${server.key}`
  const init = { method: 'POST', body, duplex: 'half', headers: { authorization, 'content-type': 'image/jpeg', ...headers } }
  return read(await fetch(server.url + path, init as RequestInit))
}
const outcome = ({ status, error }: Answer) => [status, error?.statusMessage]

const calls = [
  ['convert?format=png&width=30&grayscale=True', 'convert', { format: 'png', width: 30, grayscale: true }],
  ['resize?width=20&height=20&fit=fill', 'resize', { width: 20, height: 20, fit: 'fill' }],
  ['crop?x=1&y=2&width=30&height=20', 'crop', { x: 1, y: 2, width: 30, height: 20 }],
  ['optimize?quality=50', 'optimize', { quality: 50 }],
  ['convert', 'convert', {}],
] as const
for (const [path, operation, fields] of calls) {
  test(`${path}: the same answer as for a form`, async () => {
    const alone = await send(`/api/v1/${path}`, new Uint8Array(image))
    const asForm = await caller(server).post(operation, fields, { image })
    assert.equal(alone.status, 200, String(alone.error?.message))
    assert.ok(alone.bytes.equals(asForm.bytes))
    for (const name of ['content-type', 'content-disposition', 'x-input-size', 'x-output-size', 'x-image-width'])
      assert.equal(alone.headers.get(name), asForm.headers.get(name), name)
    assert.equal(alone.headers.get('x-unknown-fields'), null)
  })
}

test('background removal accepts an image as the body', async () => {
  const subject = await solid(80, 80, 'white')
    .composite([{ input: await solid(40, 40, 'red').png().toBuffer() }])
    .png()
    .toBuffer()
  const { status, headers, error } = await send('/api/background-remove?format=webp', new Uint8Array(subject))
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/webp'], String(error?.message))
})

test('any image content type is accepted, and the bytes decide the format', async () => {
  for (const type of ['image/png', 'IMAGE/JPEG', 'image/jpg', 'image/heic', 'image/jpeg; name=a.jpg', 'image/*'])
    assert.equal((await send('/api/v1/convert', new Uint8Array(image), { 'content-type': type })).status, 200, type)
  const svg = await send('/api/v1/convert', '<svg xmlns="http://www.w3.org/2000/svg"/>', { 'content-type': 'image/svg+xml' })
  assert.deepEqual(outcome(svg), [400, 'invalid_image_type'])
  for (const type of ['application/octet-stream', 'application/x-www-form-urlencoded', 'text/plain', 'video/mp4', 'image'])
    assert.deepEqual(
      outcome(await send('/api/v1/convert', new Uint8Array(image), { 'content-type': type })),
      [400, 'missing_form_data'],
      type,
    )
})

test('a body without a length is accepted', async () => {
  assert.equal((await send('/api/v1/convert', new Blob([new Uint8Array(image)]).stream())).status, 200)
})

test('errors are those of a form, in the same order, and not charged', async () => {
  const before = await chargedCalls(database)
  const large = new Uint8Array(15 * MiB + 1)
  const faults: readonly (readonly [path: string, body: RequestInit['body'], error: string])[] = [
    ['convert', '', 'missing_image_file'],
    ['convert?quality=900', '', 'missing_image_file'],
    ['convert?quality=900', 'text', 'invalid_params'],
    ['convert?quality=5&quality=5', new Uint8Array(image), 'invalid_params'],
    ['resize?width=5', new Uint8Array(image), 'invalid_params'],
    ['crop?x=50&y=0&width=20&height=5', new Uint8Array(image), 'invalid_params'],
    ['convert', 'text', 'invalid_image_type'],
    ['convert', new Uint8Array(image.subarray(0, 200)), 'invalid_image'],
    ['convert', large, 'file_too_large'],
    ['convert', new Blob([large]).stream(), 'file_too_large'],
  ]
  for (const [path, body, error] of faults) assert.deepEqual(outcome(await send(`/api/v1/${path}`, body)), [400, error], path)
  const { key } = await makeAccount(database, 'free')
  const deniedAnswer = await send('/api/v1/convert', new Uint8Array(image), { authorization: `Bearer ${key}` })
  assert.deepEqual(outcome(deniedAnswer), [401, 'api_access_not_available'])
  assert.equal(await chargedCalls(database), before)
})

test('an image of 15 MB is accepted', async () => {
  const paddedBytes = new Uint8Array(15 * MiB)
  paddedBytes.set(image)
  assert.equal((await send('/api/v1/convert', paddedBytes)).status, 200)
})

test('a body that stops coming is upload_timeout', async () => {
  const head = `POST /api/v1/convert HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\ncontent-type: image/png\r\ncontent-length: 500\r\n\r\nxx`
  assert.match(await raw(server.url, [head], { ms: 8_000 }), /^HTTP\/1\.1 408 upload_timeout/)
})

test('a client that expects 100-continue gets it', async () => {
  const head = [
    'POST /api/v1/convert?format=png HTTP/1.1',
    'host: x',
    `authorization: Bearer ${server.key}`,
    'content-type: image/jpeg',
    `content-length: ${image.length}`,
    'expect: 100-continue',
    'connection: close',
  ]
  const answer = await raw(server.url, [`${head.join('\r\n')}\r\n\r\n`, image], { pauseMs: 200 })
  assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
})

test('watermark needs two files, so an image as the body is refused with a message that asks for a form', async () => {
  const { status, error } = await send('/api/v1/watermark', new Uint8Array(image))
  assert.deepEqual([status, error?.statusMessage], [400, 'missing_form_data'])
  assert.match(error?.message ?? '', /image and watermark as multipart\/form-data/)
})

test('an unknown field is ignored and named in a header, also of an error', async () => {
  const { post } = caller(server)
  const unknownFieldsOf = ({ status, headers }: Answer) => [status, headers.get('x-unknown-fields')]
  assert.deepEqual(unknownFieldsOf(await post('convert', { qualtiy: 5 }, { image })), [200, 'qualtiy'])
  assert.deepEqual(unknownFieldsOf(await post('resize', { widht: 5, height: 5 }, { image })), [400, 'widht'])
  assert.deepEqual(unknownFieldsOf(await post('watermark', { Position: 'x' }, { image, watermark: logo, 'logo[]': logo })), [
    200,
    'Position, logo[]',
  ])
  assert.deepEqual(unknownFieldsOf(await send('/api/v1/convert?qualtiy=5&format=png', new Uint8Array(image))), [200, 'qualtiy'])
  const inQuery = await post('convert?format=png', { quality: 50 }, { image })
  assert.deepEqual([...unknownFieldsOf(inQuery), inQuery.headers.get('content-type')], [200, 'format', 'image/webp'])
  const background = await read(
    await fetch(`${server.url}/api/v2/batch`, {
      method: 'POST',
      body: form({ webhookUrl: 'x' }, {}),
      headers: { authorization: `Bearer ${server.key}` },
    }),
  )
  assert.deepEqual(unknownFieldsOf(background), [400, 'webhookUrl'])
})

test('names are shown in safe characters, and cut at a limit', async () => {
  const { post } = caller(server)
  const fields = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}${'x'.repeat(100)}`, 'a']))
  const many = (await post('convert', fields, { image })).headers.get('x-unknown-fields') ?? ''
  assert.equal(many.split(', ').length, 8)
  assert.ok(many.length <= 8 * 42, String(many.length))
  const odd = await post('convert', { 'a\r\nSet-Cookie: x': 1, 'größe,"<b>': 1, constructor: 1 }, { image })
  assert.match(odd.headers.get('x-unknown-fields') ?? '', /^[\w.[\]?-]+, [\w.[\]?-]+, constructor$/)
  assert.equal(odd.headers.get('set-cookie'), null)
  assert.equal((await sharp(odd.bytes).metadata()).format, 'webp')
})
