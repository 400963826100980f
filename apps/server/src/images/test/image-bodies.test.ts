import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { type Answer, read } from '../../../test/support/call.ts'
import { raw } from '../../../test/support/raw.ts'
import { readMetric } from '../../../test/support/read-metric.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import type { Database } from '../../database/database.ts'
import { jsonSchema } from '../../http/openapi-request.ts'
import { routes } from '../../routes.ts'

/** The server has no model: a body that is taken is answered with this. */
const TAKEN: readonly [number, string] = [503, 'ai_service_unavailable']

let server: SharedServer
let database: Database
let account: { readonly id: string; readonly key: string }
before(async () => {
  server = await shareServer({ UPLOAD_TIMEOUT_S: '2' })
  database = await openServerDatabase(server.dir)
  account = await makeAccount(database, 'team')
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

const png = (await solid(8, 8, '#123456').png().toBuffer()).toString('base64')
const uri = `data:image/png;base64,${png}`
const bodyOf = (...images: readonly unknown[]) => JSON.stringify({ images })

async function send(body: string | Buffer | ReadableStream, headers: Record<string, string> = {}): Promise<Answer> {
  const init = {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${account.key}`, ...headers },
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  }
  return read(await fetch(`${server.url}/v1/ai/alt-text`, init as RequestInit))
}

/** Faults of the server itself so far. */
const internalErrors = async () => (await readMetric(server, 'errors_total', { error: 'internal_error' })) ?? 0

const outcome = ({ status, error }: Answer) => [status, error?.statusMessage]
const faults = ({ error }: Answer) => error?.issues?.map(({ path, message }) => [path.join('.'), message])

const DAMAGED = 'Must be valid Base64 to its end.'
const OTHER_TYPE =
  'Must be declared as a JPEG, PNG, WebP, GIF, BMP, TIFF, HEIC, AVIF, JPEG XL, QOI or ICO image, or as none in particular.'
const NO_DATA_URI = 'Must be an image as a Base64 data URI, such as data:image/png;base64,iVBORw0KGgo….'

describe('a value that is not an image is refused by its path', () => {
  const table: Readonly<Record<string, readonly [unknown, string]>> = {
    'a URL': ['https://example.com/a.png', NO_DATA_URI],
    'Base64 alone': [png, NO_DATA_URI],
    'megabytes of Base64 alone': ['A'.repeat(3 * MiB), NO_DATA_URI],
    'a data URI that is not Base64': ['data:image/svg+xml,<svg/>', NO_DATA_URI],
    'an empty text': ['', NO_DATA_URI],
    'a number': [1, NO_DATA_URI],
    'an object': [{ image: uri }, NO_DATA_URI],
    null: [null, NO_DATA_URI],
    'an image without bytes': ['data:image/png;base64,', 'Must not be empty.'],
    'a single character': ['data:image/png;base64,AAAAA', DAMAGED],
    'half of the padding': ['data:image/png;base64,AA=', DAMAGED],
    'only line breaks': ['data:image/png;base64,\r\n', 'Must not be empty.'],
    'padding that is too much': ['data:image/png;base64,AAA==', DAMAGED],
    'padding in the middle': [`data:image/png;base64,AA==${png}`, DAMAGED],
    'a character that Base64 has not': [`data:image/png;base64,!${png.slice(1)}`, DAMAGED],
    'the alphabet of URLs': ['data:image/png;base64,-_-_', DAMAGED],
    'text in Base64': [`data:text/plain;base64,${png}`, OTHER_TYPE],
    'SVG in Base64': ['data:image/svg+xml;base64,PHN2Zy8+', OTHER_TYPE],
    'a page in Base64': ['data:text/html;base64,PGh0bWw+', OTHER_TYPE],
  }
  for (const [what, [image, message]] of Object.entries(table)) {
    test(what, async () => {
      const answer = await send(bodyOf(uri, image))
      assert.deepEqual([...outcome(answer), faults(answer)], [400, 'invalid_params', [['images.1', message]]])
    })
  }

  test('each of several', async () => {
    const answer = await send(
      JSON.stringify({ images: ['data:;base64,A', uri, 'x', 'data:text/css;base64,AAAA'], language: 'xx' }),
    )
    assert.deepEqual(
      answer.error?.issues?.map(({ path }) => path.join('.')),
      ['images.0', 'images.2', 'images.3', 'language'],
    )
  })
})

describe('an image is taken', () => {
  const table: Readonly<Record<string, string>> = {
    'as it comes from most libraries': bodyOf(uri),
    'with the escapes of PHP': bodyOf(uri).replaceAll('/', '\\/'),
    'with the escapes of .NET': bodyOf(uri).replaceAll('+', '\\u002B'),
    'with parameters': bodyOf(`data:image/png;name=a.png;charset=utf-8;base64,${png}`),
    'with line breaks': bodyOf(`data:image/png;base64,${png.replaceAll(/.{20}/g, '$&\r\n')}\n`),
    'without padding': bodyOf(`data:image/png;base64,${png.replaceAll('=', '')}`),
    'in capital letters': bodyOf(`DATA:IMAGE/PNG;BASE64,${png}`),
    'under other names of the type': bodyOf(`data:image/jpg;base64,${png}`, `data:image/x-ms-bmp;base64,${png}`),
    'of no particular type': bodyOf(`data:application/octet-stream;base64,${png}`, `data:;base64,${png}`),
    'after a byte order mark': `\uFEFF${bodyOf(uri)}`,
    'beside what is ignored, damaged or not': JSON.stringify({ images: [uri], more: [uri, 'data:;base64,A', 'x'.repeat(MiB)] }),
  }
  for (const [what, body] of Object.entries(table)) test(what, async () => assert.deepEqual(outcome(await send(body)), TAKEN))

  test('in pieces, without a length', async () => {
    const body = bodyOf(uri, uri)
    const pieces = Array.from({ length: body.length / 7 + 1 }, (_, at) => Buffer.from(body.slice(at * 7, at * 7 + 7)))
    assert.deepEqual(outcome(await send(Readable.toWeb(Readable.from(pieces)) as ReadableStream)), TAKEN)
  })

  test('and its bytes are counted in the statistics', async () => {
    const other = await makeAccount(database, 'team')
    const sentAnswer = await send(bodyOf(uri, uri), { authorization: `Bearer ${other.key}` })
    assert.deepEqual(outcome(sentAnswer), TAKEN)
    const isRecorded = await until(async () => {
      const { rows } = await database.pool.query('select input_bytes::int from usage_event where account_id = $1', [other.id])
      return rows[0]?.input_bytes === 2 * Buffer.from(png, 'base64').length
    })
    assert.ok(isRecorded)
  })
})

describe('what is too large', () => {
  const zeros = (bytes: number) => Buffer.alloc(bytes).toString('base64')

  test('an image of 15 MB is not', async () => {
    assert.deepEqual(outcome(await send(bodyOf(`data:;base64,${zeros(limits.uploadBytes)}`))), TAKEN)
  })

  test('an image of a byte more', async () => {
    const answer = await send(bodyOf(uri, `data:;base64,${zeros(limits.uploadBytes + 1)}`))
    assert.deepEqual(outcome(answer), [400, 'file_too_large'])
  })

  test('a body, before anything of it has been read', async () => {
    const head = [
      'POST /v1/ai/alt-text HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n',
      `Authorization: Bearer ${account.key}\r\nExpect: 100-continue\r\nContent-Length: ${64 * MiB + 1}\r\n\r\n`,
    ]
    assert.match(await raw(server.url, [head.join('')], { ms: 10_000 }), /^HTTP\/1.1 400 file_too_large/)
  })

  test('a body of 65 MiB that is sent all the same', async () => {
    const answer = await send(Buffer.alloc(65 * MiB, ' '))
    assert.deepEqual(outcome(answer), [400, 'file_too_large'])
  })

  test('a body that does not say how long it is', async () => {
    const image = `"data:;base64,${zeros(14 * MiB)}",`
    const body = ['{"images":[', image, image, image, image, '0]}']
    const answer = await send(new Blob(body).stream())
    assert.deepEqual(outcome(answer), [400, 'file_too_large'])
  })
})

describe('the transport', () => {
  test('a client that expects 100-continue gets it once there is a place for the body', async () => {
    const body = bodyOf(uri)
    const head = [
      'POST /v1/ai/alt-text HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n',
      `Authorization: Bearer ${account.key}\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
    ]
    const answer = await raw(server.url, [head.join(''), body], { pauseMs: 300, ms: 10_000 })
    assert.match(answer, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 503 ai_service_unavailable/)
  })

  test('a body that is packed is not unpacked', async () => {
    const answer = await send(gzipSync(bodyOf(uri)), { 'content-encoding': 'gzip' })
    assert.deepEqual(outcome(answer), [400, 'invalid_params'])
  })

  test('an image that stops in the middle', async () => {
    const [startedText] = bodyOf(uri).split(png)
    const head = [
      'POST /v1/ai/alt-text HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n',
      `Authorization: Bearer ${account.key}\r\nContent-Length: 1000\r\n\r\n${startedText}iVBO`,
    ]
    assert.match(await raw(server.url, [head.join('')], { ms: 10_000 }), /^HTTP\/1.1 408 upload_timeout/)
  })

  /** Bodies that have begun, and do not go on. */
  function openRequests(key: string, bodies: number): readonly Socket[] {
    const head = [
      'POST /v1/ai/alt-text HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n',
      `Authorization: Bearer ${key}\r\nContent-Length: 1000\r\n\r\n{"images":["`,
    ]
    const port = Number(new URL(server.url).port)
    return Array.from({ length: bodies }, () => {
      const socket = connect({ host: '127.0.0.1', port }).on('error', () => {})
      socket.write(head.join(''))
      return socket
    })
  }
  const answers = (name: string | undefined, headers?: Record<string, string>) =>
    until(async () => (await send(bodyOf(uri), headers)).error?.statusMessage === name)

  test('of one account no more than four bodies are taken at once, before they are read; those of other accounts are', async () => {
    const slow = await makeAccount(database, 'team')
    const heldSockets = openRequests(slow.key, 4)
    const bearer = { authorization: `Bearer ${slow.key}` }
    assert.ok(await answers('rate_limited', bearer))
    assert.deepEqual(outcome(await send(bodyOf(uri))), TAKEN)
    for (const socket of heldSockets) socket.destroy()
    assert.ok(await answers(TAKEN[1], bearer))
  })

  test('no more bodies are taken at once than the limit', async () => {
    const accounts = await Promise.all(
      Array.from({ length: limits.ai.requestsAtOnce.most / 4 }, () => makeAccount(database, 'team')),
    )
    const heldSockets = accounts.flatMap(({ key }) => openRequests(key, 4))
    const isRefused = await until(async () => {
      const answer = await send(bodyOf(uri))
      return answer.error?.statusMessage === 'server_busy' && answer.headers.get('retry-after') === '1'
    })
    assert.ok(isRefused)
    // Clients that hang up free their places.
    for (const socket of heldSockets) socket.destroy()
    assert.ok(await answers(TAKEN[1]))
  })

  test('a client that hangs up while it sends keeps no place', async () => {
    const left = httpRequest(`${server.url}/v1/ai/alt-text`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${account.key}`, 'content-length': 20 * MiB },
    }).on('error', () => {})
    left.write(`{"images":["data:;base64,${'A'.repeat(10 * MiB)}`)
    left.flushHeaders()
    setTimeout(() => left.destroy(), 200)
    assert.deepEqual(outcome(await send(bodyOf(uri))), TAKEN)
    assert.equal(await internalErrors(), 0)
  })
})

interface Schema {
  readonly type?: unknown
  readonly maxLength?: unknown
  readonly enum?: unknown
  readonly const?: unknown
  readonly examples?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** What a schema says of each text that is not an image, by its path. */
function textsOf(schema: Schema, path: string): readonly (readonly [string, Schema])[] {
  const { type, properties = {}, items, anyOf = [] } = schema
  if (schema.enum || schema.const || schema.examples) return []
  return [
    ...(type === 'string' ? [[path, schema] as const] : []),
    ...Object.entries(properties).flatMap(([name, part]) => textsOf(part, `${path}.${name}`)),
    ...[...anyOf, ...(items ? [items] : [])].flatMap((part) => textsOf(part, path)),
  ]
}

test('no field accepts a text that is longer than what is read of it', () => {
  const texts = routes
    .filter(({ images }) => images)
    .flatMap(({ json, name }) => textsOf(jsonSchema(json ?? assert.fail(), 'input') as Schema, name))
  assert.ok(texts.length > 3)
  // A character is six bytes where it is written as \u0041.
  const long = texts.filter(([, { maxLength }]) => !(Number(maxLength) * 6 < limits.ai.textBytes))
  assert.deepEqual(long, [])
})
