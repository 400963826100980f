import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { chargedCalls, openServerDatabase } from '../../../test/support/accounts.ts'
import { type Answer, read } from '../../../test/support/call.ts'
import { BOUNDARY, multipart, type Part } from '../../../test/support/multipart.ts'
import { readMetric } from '../../../test/support/read-metric.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import type { Database } from '../../database/database.ts'

const MiB = 1024 * 1024

let server: SharedServer
let database: Database
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

const small = await solid(20, 20, '#123456').jpeg().toBuffer()
/** A picture of exactly so many bytes: what stands behind the end of a JPEG is ignored. */
const paddedPicture = (bytes: number) => Buffer.concat([small, Buffer.alloc(bytes - small.length)])
const image = (content: Buffer | string = small): Part => ({ name: 'image', file: 'a.jpg', content })
const field = (name: string, content: string): Part => ({ name, content })
const MANY = Array.from({ length: 70 }, (_, index) => field(`extra${index}`, 'x'))

interface How {
  readonly operation?: string
  readonly type?: string
  readonly chunked?: boolean
}

async function send(body: Buffer, { operation = 'convert', type, chunked }: How): Promise<Answer> {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': type ?? `multipart/form-data; boundary=${BOUNDARY}` }
  const bytes = new Uint8Array(body)
  const init = chunked ? { body: new Blob([bytes]).stream(), duplex: 'half' } : { body: bytes }
  return read(await fetch(`${server.url}/api/v1/${operation}`, { method: 'POST', headers, ...init } as RequestInit))
}

/** What is not 'ok' is 400 and this identifier. */
const rows: readonly (readonly [name: string, expected: string, body: Buffer, how?: How])[] = [
  ['exactly 15 MB', 'ok', multipart([image(paddedPicture(15 * MiB))])],
  ['exactly 15 MB in chunks', 'ok', multipart([image(paddedPicture(15 * MiB))]), { chunked: true }],
  ['15 MB and a byte', 'file_too_large', multipart([image(paddedPicture(15 * MiB + 1))])],
  ['15 MB and a byte in chunks', 'file_too_large', multipart([image(paddedPicture(15 * MiB + 1))]), { chunked: true }],
  [
    'an image and a watermark of 15 MB each',
    'ok',
    multipart([image(paddedPicture(15 * MiB)), { name: 'watermark', file: 'w', content: paddedPicture(15 * MiB) }]),
    { operation: 'watermark' },
  ],
  [
    'a watermark of 15 MB and a byte',
    'file_too_large',
    multipart([image(), { name: 'watermark', file: 'w', content: paddedPicture(15 * MiB + 1) }]),
    { operation: 'watermark' },
  ],
  [
    '16 MB in an unknown field',
    'file_too_large',
    multipart([{ name: 'other', file: 'o', content: Buffer.alloc(16 * MiB) }, image()]),
  ],
  [
    'the watermark before the image',
    'ok',
    multipart([{ name: 'watermark', file: 'w', content: small }, image()]),
    { operation: 'watermark' },
  ],
  ['the parameters behind the file', 'ok', multipart([image(), field('format', 'png')])],
  [
    'a parameter on both sides of the file',
    'invalid_params',
    multipart([field('quality', '10'), image(), field('quality', '10')]),
  ],
  ['a second file in the field', 'invalid_params', multipart([image(), image()])],
  ['an empty file and then a good one', 'ok', multipart([image(''), image()])],
  ['an empty form', 'missing_image_file', multipart([])],
  ['nothing', 'missing_form_data', Buffer.alloc(0)],
  ['a form that is cut inside the file', 'missing_form_data', multipart([image()]).subarray(0, 200)],
  [
    'a form that is cut inside the file, in chunks',
    'missing_form_data',
    multipart([image()]).subarray(0, 200),
    { chunked: true },
  ],
  ['a form that is cut inside a header', 'missing_form_data', multipart([image()]).subarray(0, 60)],
  ['a form without its last line', 'missing_form_data', multipart([image()], '')],
  [
    'words before the first and behind the last line',
    'ok',
    Buffer.concat([Buffer.from('hello\r\n'), multipart([image()]), Buffer.from('bye')]),
  ],
  ['a part without a name', 'missing_image_file', multipart([{ file: 'a.jpg', content: small }])],
  ['a part without a disposition', 'missing_image_file', Buffer.from(`--${BOUNDARY}\r\n\r\nhello\r\n--${BOUNDARY}--\r\n`)],
  ['a file without a file name', 'missing_image_file', multipart([{ name: 'image', content: small }])],
  [
    'a part with 100 KB of headers',
    'ok|missing_form_data|missing_image_file',
    multipart([{ ...image(), headers: [`X-Long: ${'x'.repeat(100_000)}`] }]),
  ],
  ['70 further fields', 'missing_form_data', multipart([...MANY, image()])],
  ['70 further files', 'missing_form_data', multipart([...MANY.map((part) => ({ ...part, file: 'f' })), image()])],
  ['a value of a megabyte', 'invalid_params', multipart([image(), field('quality', `75${' '.repeat(MiB)}x`)])],
  ['a name of a megabyte', 'ok|missing_form_data', multipart([image(), field('x'.repeat(MiB), '1')])],
  [
    'fields named as what every object has',
    'ok',
    multipart([...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name) => field(name, '1')), image()]),
  ],
  ['a file named __proto__', 'missing_image_file', multipart([{ name: '__proto__', file: 'a.jpg', content: small }])],
  [
    'polluting paths',
    'ok',
    multipart([field('__proto__[format]', 'png'), field('constructor.prototype.format', 'png'), image()]),
  ],
  [
    'control characters in names',
    'ok',
    multipart([field('a\u0001b\u007f', '1'), { ...image(), file: '\u0001../../\u001b[2J.jpg' }]),
  ],
  ['urlencoded fields', 'missing_form_data', Buffer.from('image=x'), { type: 'application/x-www-form-urlencoded' }],
  ['multipart of another kind', 'missing_form_data', multipart([image()]), { type: `multipart/mixed; boundary=${BOUNDARY}` }],
  ['an empty boundary', 'missing_form_data', multipart([image()]), { type: 'multipart/form-data; boundary=' }],
  [
    'a boundary of 5 KB',
    'missing_form_data',
    multipart([image()]),
    { type: `multipart/form-data; boundary=${'b'.repeat(5_000)}` },
  ],
  ['the type in capitals', 'ok', multipart([image()]), { type: `Multipart/Form-Data; Boundary="${BOUNDARY}"` }],
]
for (const [name, expected, body, how = {}] of rows) {
  test(`${name}: ${expected}`, async () => {
    const chargedCount = await chargedCalls(database)
    const { status, headers, error } = await send(body, how)
    const saidText = status === 200 ? 'ok' : (error?.statusMessage ?? 'nothing')
    assert.ok(expected.split('|').includes(saidText), `${status} ${saidText}: ${error?.message}`)
    assert.equal(await chargedCalls(database), chargedCount + (status === 200 ? 1 : 0))
    if (status === 200) return
    assert.equal(status, 400)
    assert.equal(error?.requestId, headers.get('x-request-id'))
    assert.equal(Array.isArray(error?.issues), saidText === 'invalid_params')
    assert.doesNotMatch(error?.message ?? '', /busboy|dicer|Error:|node_modules/i)
  })
}

test('no form has changed the prototype of all objects', async () => {
  const answer = await send(multipart([image()]), {})
  assert.equal(answer.headers.get('content-type'), 'image/webp')
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
})

test('refused uploads do not stay in memory', async () => {
  const rss = async () => Number(await readMetric(server, 'process_resident_memory_bytes'))
  const body = multipart([image(paddedPicture(15 * MiB + 1))])
  const before = await rss()
  for (let round = 0; round < 8; round++) await Promise.all([send(body, {}), send(body, { chunked: true })])
  assert.ok((await rss()) - before < 150 * MiB)
})
