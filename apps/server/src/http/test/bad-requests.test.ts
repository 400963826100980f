import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { crc32, gzipSync } from 'node:zlib'
import { everyFormat, photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import sharp from 'sharp'
import { chargedCalls, openServerDatabase } from '../../../test/support/accounts.ts'
import { caller, read } from '../../../test/support/call.ts'
import { raw } from '../../../test/support/raw.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import type { Database } from '../../database/database.ts'

const MiB = 1024 * 1024
let server: SharedServer
let database: Database
let post: ReturnType<typeof caller>['post']
before(async () => {
  server = await shareServer({ UPLOAD_TIMEOUT_S: '2' })
  database = await openServerDatabase(server.dir)
  post = caller(server).post
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

const image = await photo(60, 40).jpeg().toBuffer()
const inputs = await everyFormat()
const text = Buffer.from('hello '.repeat(100))
const tall = await solid(2, 20_000, '#ffffff').png().toBuffer()
const send =
  (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
  async () =>
    read(
      await fetch(`${server.url}/api/v1/convert`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${server.key}`, ...headers },
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      } as RequestInit),
    )
/** A PNG header that promises more than the file has. */
function promising(width: number, height: number): Buffer {
  const bytes = Buffer.from(tall)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}
const multipart = (boundary: string, bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])

const MULTIPART_A = { 'content-type': 'multipart/form-data; boundary=a' }
const rows: readonly [name: string, request: () => Promise<Awaited<ReturnType<typeof read>>>, identifier: string][] = [
  ['JSON', send('{}', { 'content-type': 'application/json' }), 'missing_form_data'],
  ['no content type', send(text), 'missing_form_data'],
  ['nonsense as content type', send(text, { 'content-type': '###' }), 'missing_form_data'],
  ['no boundary', send(text, { 'content-type': 'multipart/form-data' }), 'missing_form_data'],
  ['a wrong boundary', send(multipart('a', image), { 'content-type': 'multipart/form-data; boundary=b' }), 'missing_form_data'],
  [
    'a form that stops',
    send(multipart('a', image).subarray(0, 500), { 'content-type': 'multipart/form-data; boundary=a' }),
    'missing_form_data',
  ],
  [
    'a form packed by gzip',
    send(gzipSync(multipart('a', image)), { ...MULTIPART_A, 'content-encoding': 'gzip' }),
    'missing_form_data',
  ],
  [
    'a form that is only said to be packed',
    send(multipart('a', image), { ...MULTIPART_A, 'content-encoding': 'br' }),
    'missing_form_data',
  ],
  ['no file', () => post('convert', {}, {}), 'missing_image_file'],
  ['the image as text', () => post('convert', { image: 'x' }, {}), 'missing_image_file'],
  ['the file in another field', () => post('convert', {}, { file: image }), 'missing_image_file'],
  ['an empty file', () => post('convert', {}, { image: Buffer.alloc(0) }), 'missing_image_file'],
  ['two files in one field', () => post('convert', {}, { image: [image, image] }), 'invalid_params'],
  [
    '15 MB and a byte',
    () => post('convert', {}, { image: Buffer.concat([image, Buffer.alloc(15 * MiB + 1 - image.length)]) }),
    'file_too_large',
  ],
  ['40 MB', () => post('convert', {}, { image: Buffer.alloc(40 * MiB) }), 'file_too_large'],
  [
    '16 MB without a length',
    () =>
      send(new Blob([new Uint8Array(multipart('a', Buffer.alloc(16 * MiB)))]).stream(), {
        'content-type': 'multipart/form-data; boundary=a',
      })(),
    'file_too_large',
  ],
  [
    'text called .jpg',
    () => post('convert', {}, { image: { bytes: text, name: 'a.jpg', type: 'image/jpeg' } }),
    'invalid_image_type',
  ],
  [
    'SVG',
    () => post('convert', {}, { image: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>') }),
    'invalid_image_type',
  ],
  ['PDF', () => post('convert', {}, { image: Buffer.from('%PDF-1.7\n1 0 obj\n') }), 'invalid_image_type'],
  [
    '80 megapixels and more, in the header alone',
    () => post('convert', {}, { image: promising(20_000, 20_000) }),
    'image_too_large',
  ],
  ['a strip longer than WebP holds', () => post('convert', {}, { image: tall }), 'image_too_large'],
  [
    'more than 80 megapixels asked for',
    () => post('resize', { width: 10_000, height: 10_000, fit: 'fill' }, { image }),
    'image_too_large',
  ],
  ['no watermark', () => post('watermark', {}, { image }), 'missing_watermark_file'],
  ['a watermark that is text', () => post('watermark', {}, { image, watermark: text }), 'invalid_image_type'],
  ['a damaged watermark', () => post('watermark', {}, { image, watermark: image.subarray(0, 300) }), 'invalid_image'],
]
for (const [name, request, identifier] of rows) {
  test(`${name} is ${identifier}, and is not charged`, async () => {
    const chargedCount = await chargedCalls(database)
    const { status, error } = await request()
    assert.deepEqual([status, error?.statusMessage], [400, identifier], String(error?.message))
    assert.equal(await chargedCalls(database), chargedCount)
    assert.equal('issues' in (error ?? {}), identifier === 'invalid_params')
  })
}

test('a compressed form is refused with a sentence about Content-Encoding, and "Identity" is accepted', async () => {
  const packedAnswer = await send(gzipSync(multipart('a', image)), { ...MULTIPART_A, 'content-encoding': 'gzip' })()
  assert.equal(packedAnswer.error?.message, 'Send the request body without Content-Encoding.')
  assert.equal((await send(multipart('a', image), { ...MULTIPART_A, 'content-encoding': 'Identity' })()).status, 200)
})

for (const [format, bytes] of Object.entries(inputs)) {
  test(`${format} cut short is invalid_image`, async () => {
    for (const share of [0.1, 0.9]) {
      const { status, error } = await post(
        'convert',
        { format: 'png' },
        { image: bytes.subarray(0, Math.floor(bytes.length * share)) },
      )
      assert.deepEqual([status, error?.statusMessage], [400, 'invalid_image'], String(share))
    }
  })
  test(`${format} with flipped bits is answered`, async () => {
    for (let at = 30; at < bytes.length; at += Math.ceil(bytes.length / 6)) {
      const damagedBytes = Buffer.from(bytes)
      damagedBytes[at] = (damagedBytes[at] ?? 0) ^ 0x55
      const { status, error } = await post('convert', { format: 'png', width: 16 }, { image: damagedBytes })
      const knownTexts = [undefined, 'invalid_image', 'invalid_image_type', 'image_too_large']
      assert.ok(knownTexts.includes(error?.statusMessage), `${at}: ${status} ${error?.statusMessage}`)
    }
  })
}

test('a GIF of more frames than allowed is image_too_large', async () => {
  const frame = await sharp({
    create: {
      width: 1,
      height: 1_200,
      channels: 3,
      background: '#123',
      pageHeight: 1,
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  } as never)
    .gif({ keepDuplicateFrames: true })
    .toBuffer()
  assert.ok(((await sharp(frame).metadata()).pages ?? 0) > 1_000)
  assert.equal((await post('convert', {}, { image: frame })).error?.statusMessage, 'image_too_large')
})

test('a client that sends one byte a second is refused after the time limit', async () => {
  const head = `POST /api/v1/convert HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\nContent-Type: multipart/form-data; boundary=a\r\nContent-Length: 1000\r\n\r\n`
  const answer = await raw(server.url, [head, ...'--a\r\n'], { pauseMs: 700, ms: 1_000 })
  assert.match(answer, /^HTTP\/1.1 408 upload_timeout/)
})

test('a client that expects 100-continue is refused before it without a key, and gets it with one', async () => {
  const head = (key: string) =>
    `POST /api/v1/convert HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: ${multipart('a', image).length}\r\n\r\n`
  assert.match(await raw(server.url, [head('unknown')]), /^HTTP\/1.1 401 /)
  assert.match(
    await raw(server.url, [head(server.key), multipart('a', image)], { pauseMs: 300 }),
    /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /,
  )
})

test('malformed HTTP gets the error body', async () => {
  assert.match(await raw(server.url, ['NONSENSE\r\n\r\n']), /^HTTP\/1.1 400 [\s\S]*"statusMessage":"bad_request"/)
})

test('clients that hang up, while they upload or wait, are not charged', async () => {
  const chargedCount = await chargedCalls(database)
  const head = `POST /api/v1/convert HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\nContent-Type: multipart/form-data; boundary=a\r\nContent-Length: 100000\r\n\r\n--a\r\n`
  await raw(server.url, [head], { ms: 100 })
  const big = await photo(600, 400).jpeg().toBuffer()
  await Promise.all(
    [50, 100, 150].map((ms) =>
      post('convert', { format: 'avif', width: 2400 }, { image: big }, { signal: AbortSignal.timeout(ms) }).catch(
        (error: Error) => assert.equal(error.name, 'TimeoutError'),
      ),
    ),
  )
  assert.ok(await until(async () => (await chargedCalls(database)) === chargedCount))
  assert.equal((await post('convert', {}, { image })).status, 200)
})

test('file names are never used: nothing is written', async () => {
  const before = await readdir(server.dir)
  for (const name of ['../../evil.jpg', '/etc/passwd', 'x'.repeat(5_000)]) {
    assert.equal((await post('convert', {}, { image: { bytes: image, name } })).status, 200, name.slice(0, 20))
  }
  assert.deepEqual(await readdir(server.dir), before)
})

test('of 32 calls at once all are answered', async () => {
  const answers = await Promise.all(Array.from({ length: 32 }, () => post('convert', { width: 16 }, { image })))
  assert.deepEqual(
    [...new Set(answers.map(({ status }) => status))].filter((status) => status !== 503),
    [200],
  )
})

for (const [method, path, status, identifier] of [
  ['GET', '/api/v1/convert', 405, 'method_not_allowed'],
  ['DELETE', '/healthz', 405, 'method_not_allowed'],
  ['GET', '/api/v1/nothing', 404, 'not_found'],
  ['POST', '/', 405, 'method_not_allowed'],
  ['GET', '/%zz', 404, 'not_found'],
] as const) {
  test(`${method} ${path} is ${identifier}`, async () => {
    const { error, headers, ...answer } = await read(await fetch(server.url + path, { method }))
    assert.deepEqual([answer.status, error?.statusMessage], [status, identifier])
    if (status === 405) assert.match(headers.get('allow') ?? '', path.includes('convert') ? /^POST$/ : /^GET, HEAD$/)
  })
}

test("the caller's request id is kept where it is harmless", async () => {
  const id = async (givenText: string) =>
    (await fetch(`${server.url}/healthz`, { headers: { 'x-request-id': givenText } })).headers.get('x-request-id')
  assert.equal(await id('my-request_1'), 'my-request_1')
  for (const bad of ['short', 'with space in it', 'x'.repeat(65)]) assert.match((await id(bad)) ?? '', /^req_[0-9a-f]{32}$/)
})
