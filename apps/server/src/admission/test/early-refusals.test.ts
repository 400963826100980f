import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { askBlocking } from '../../../test/support/blocking-client.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import { DRAIN_BYTES, halfClosing } from '../../http/connections.ts'

/** Refusals that are known before the body has come, for clients that write the whole body before they read. */

const MiB = 1024 * 1024
const UPLOAD_TIMEOUT_S = 3
/** What is written beyond what is read fits into the buffers of both systems. */
const BUFFERS = 32 * MiB

let server: Server
before(async () => {
  server = await startServer({
    RENDERERS: '1',
    UPLOAD_TIMEOUT_S: String(UPLOAD_TIMEOUT_S),
  })
})
after(() => server?.[Symbol.asyncDispose]())

const MULTIPART = 'Content-Type: multipart/form-data; boundary=a'
const key = () => `Authorization: Bearer ${server.key}`

function head(path: string, headers: readonly string[]): string {
  return `${[`POST ${path} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`
}
const chunkedBody = (bytes: Buffer) => [`${bytes.length.toString(16)}\r\n`, bytes, '\r\n0\r\n\r\n']

const refusals: readonly (readonly [says: string, path: string, headers: () => readonly string[], status: string])[] = [
  ['no key', '/api/v1/convert', () => [MULTIPART], '401 missing_or_invalid_api_key'],
  ['an unknown path', '/nothing', () => [], '404 not_found'],
  ['a path that cannot be decoded', '/%zz', () => [], '404 not_found'],
  ['no form', '/api/v1/convert', () => [key(), 'Content-Type: application/json'], '400 '],
  ['an archive without a key', '/api/v2/batch', () => [MULTIPART], '401 missing_or_invalid_api_key'],
  ['two hosts', '/api/v1/convert', () => [key(), 'Host: y', MULTIPART], '400 bad_request'],
]
for (const [says, path, headers, status] of refusals) {
  for (const megabytes of [1, 16]) {
    const body = Buffer.alloc(megabytes * MiB)
    const length = `Content-Length: ${body.length}`
    test(`${says}, ${megabytes} MB, Connection: close`, async () => {
      const { text, error } = await askBlocking(server.url, [head(path, [...headers(), length, 'Connection: close']), body])
      assert.equal(error, undefined)
      assert.ok(text.startsWith(`HTTP/1.1 ${status}`), text.slice(0, 200))
      assert.match(text, /\r\nconnection: close\r\n[\s\S]*\}$/i)
    })
    test(`${says}, ${megabytes} MB, the connection can be used again`, async () => {
      const { text, error } = await askBlocking(
        server.url,
        [head(path, [...headers(), length]), body, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
        (answers) => answers.includes('HTTP/1.1 200'),
      )
      assert.equal(error, undefined)
      assert.ok(text.startsWith(`HTTP/1.1 ${status}`), text.slice(0, 200))
      assert.match(text, /\}HTTP\/1\.1 200 /)
    })
  }
  test(`${says}, 16 MB in chunks`, async () => {
    const fields = [...headers(), 'Transfer-Encoding: chunked']
    const { text, error } = await askBlocking(server.url, [head(path, fields), ...chunkedBody(Buffer.alloc(16 * MiB))])
    assert.equal(error, undefined)
    assert.ok(text.startsWith(`HTTP/1.1 ${status}`), text.slice(0, 200))
  })
}

const unreadable: readonly (readonly [says: string, head: string])[] = [
  ['a head that is no HTTP', 'POST / HTTP/9.9\r\nHost: x\r\nContent-Length: 16777216\r\n\r\n'],
  ['a head that is too long', head('/', [`X: ${'x'.repeat(20_000)}`, 'Content-Length: 16777216'])],
  ['a chunk without a length', `${head('/api/v1/convert', [MULTIPART, 'Transfer-Encoding: chunked'])}zz\r\n`],
]
for (const [says, begin] of unreadable) {
  test(`${says}, and 16 MB behind it`, async () => {
    const { text, error } = await askBlocking(server.url, [begin, Buffer.alloc(16 * MiB)])
    assert.equal(error, undefined)
    assert.match(text, /^HTTP\/1\.1 40\d /)
  })
}

test('CONNECT, and 16 MB behind it', async () => {
  const { text, error } = await askBlocking(server.url, ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', Buffer.alloc(16 * MiB)])
  assert.equal(error, undefined)
  assert.match(text, /^HTTP\/1\.1 404 /)
})

test('bytes after the body of a refused request are not read as a request', async () => {
  const body = Buffer.alloc(2 * MiB)
  const fields = [MULTIPART, `Content-Length: ${body.length}`, 'Connection: close']
  const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: it-was-read\r\n\r\n'
  const { text, error } = await askBlocking(server.url, [head('/api/v1/convert', fields), body, next])
  assert.equal(error, undefined)
  assert.match(text, /^HTTP\/1\.1 401 /)
  assert.doesNotMatch(text, /HTTP\/1\.1 200/)
  assert.doesNotMatch(server.output(), /it-was-read/)
})

/** A connection that stays open on our side, and when the server has closed it. */
function openConnection(begin: string) {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  const closedValue = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.resume().write(begin)
  return { socket, closed: closedValue }
}

test('a connection whose body does not come is closed after the upload timeout', async () => {
  const { socket, closed } = openConnection(head('/nothing', ['Content-Length: 1000', 'Connection: close']))
  await once(socket, 'end')
  // The system notices by a write that the other side has gone.
  const writing = setInterval(() => socket.write('x'), 500)
  const began = performance.now()
  await closed
  clearInterval(writing)
  const seconds = (performance.now() - began) / 1000
  assert.ok(seconds > UPLOAD_TIMEOUT_S - 1 && seconds < 30, `${seconds} s`)
})

/** Writes until the connection is closed. */
async function flood(begin: string, isChunkedValue: boolean) {
  const { socket, closed } = openConnection(begin)
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString('latin1')))
  const data = Buffer.alloc(MiB)
  const piece = isChunkedValue ? Buffer.concat([Buffer.from('100000\r\n'), data, Buffer.from('\r\n')]) : data
  let writtenCount = 0
  const send = (fault?: Error | null) => {
    if (fault || socket.destroyed) return
    writtenCount += MiB
    socket.write(piece, send)
  }
  send()
  await closed
  return { written: writtenCount, text }
}

const doors = [
  '/nothing',
  '/%zz',
  '/shrink',
  '/mcp',
  '/api/v1/convert',
  '/api/v1/watermark',
  '/api/v2/batch',
  '/api/v3/images',
  '/api/v3/uploads',
  '/api/v3/tus',
  '/api/background-remove',
  '/v1/ai/alt-text',
]
for (const path of doors) {
  test(`of 400 MB to ${path} one image at most is read, and the answer is sent`, async () => {
    for (const [length, isChunked] of [
      [`Content-Length: ${400 * MiB}`, false],
      ['Transfer-Encoding: chunked', true],
    ] as const) {
      const { written, text } = await flood(head(path, [MULTIPART, length]), isChunked)
      assert.ok(written < DRAIN_BYTES + BUFFERS, `${written} bytes`)
      assert.match(text, /^HTTP\/1\.1 4\d\d /)
    }
  })
}

test('a server that stops does not wait for the bodies of refused requests', async (t) => {
  const closing = new AbortController()
  const halfClose = halfClosing({ UPLOAD_TIMEOUT_S: 3_600 }, closing.signal)
  const stopping = createServer((request, response) => {
    halfClose.afterAnswer(request)
    response.setHeader('connection', 'close').end()
  })
  await once(stopping.listen(0, '127.0.0.1'), 'listening')
  t.after(() => stopping.close())
  const closedValue = new Promise<void>((resolve) =>
    stopping.once('connection', (socket) => socket.once('close', () => resolve())),
  )
  const { port } = stopping.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  t.after(() => socket.destroy())
  socket.resume().write(head('/', ['Content-Length: 1000']))
  await once(socket, 'end')
  closing.abort()
  await closedValue
})
