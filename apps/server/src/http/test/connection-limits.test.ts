import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { caller } from '../../../test/support/call.ts'
import { BOUNDARY, multipart } from '../../../test/support/multipart.ts'
import { startServer } from '../../../test/support/server.ts'

const MOST = 5

interface Open {
  readonly socket: Socket
  answers(): string
}

function open(t: TestContext, first = ''): Open {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
  t.after(() => socket.destroy())
  let answers = ''
  socket.on('data', (chunk: Buffer) => (answers += chunk.toString()))
  if (first !== '') socket.write(first)
  return { socket, answers: () => answers }
}
const closedCount = (connections: readonly Open[]) => connections.filter(({ socket }) => socket.destroyed).length

const server = await startServer({ RENDERERS: '1', IDLE_CONNECTIONS_PER_ADDRESS: String(MOST), UPLOAD_MEMORY_MB: '64' })
after(() => server[Symbol.asyncDispose]())

const HEAD = 'GET /healthz HTTP/1.1\r\nHost: x\r\n'
const UPLOAD =
  'POST /api/v1/convert HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=a\r\nContent-Length: 99\r\n'

test('of the idle connections of an address the oldest are closed beyond the limit, and none with a request under way', async (t) => {
  const working = open(t, `${UPLOAD}Authorization: Bearer ${server.key}\r\n\r\n--a`)
  const silent = Array.from({ length: 4 }, () => open(t))
  const half = Array.from({ length: 4 }, () => open(t, HEAD))
  // Connections are counted in the order in which they were made.
  await Promise.all([...silent, ...half].map(({ socket }) => once(socket, 'connect')))
  const answeredOpens = Array.from({ length: 4 }, () => open(t, `${HEAD}\r\n`))
  assert.ok(await until(async () => answeredOpens.every(({ answers }) => answers().includes('200 OK'))))
  assert.ok(await until(async () => closedCount([...silent, ...half, ...answeredOpens]) === 12 - MOST, 30_000))
  // One more closes one more, and had others been closed meanwhile, it would be none.
  const later = open(t)
  assert.ok(await until(async () => closedCount([...silent, ...half]) === 8, 30_000))
  assert.equal(later.socket.destroyed, false)
  assert.equal(closedCount(answeredOpens), 0, 'the connections that were used last stay open')
  assert.equal(working.socket.destroyed, false)
  const [keptOpen] = answeredOpens
  keptOpen?.socket.write(`${HEAD}\r\n`)
  assert.ok(await until(async () => (keptOpen?.answers().match(/200 OK/g) ?? []).length === 2))
})

const MiB = 1024 * 1024
const picture = await solid(20, 20, '#123456').jpeg().toBuffer()

/** Sends all but the last byte of an upload of 14 MB; what is answered is collected. */
function sendSlowly(url: string, key: string): { readonly socket: Socket; answer(): string } {
  const body = multipart([{ name: 'image', file: 'a.jpg', content: Buffer.concat([picture, Buffer.alloc(14 * MiB)]) }])
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const lines = [
    'POST /api/v1/convert HTTP/1.1',
    'host: x',
    `authorization: Bearer ${key}`,
    `content-type: multipart/form-data; boundary=${BOUNDARY}`,
    `content-length: ${body.length}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  socket.write(body.subarray(0, -1))
  return { socket, answer: () => answer }
}

test('uploads that hardly progress are ended when they fill the memory, and a fast one is served', async () => {
  const post = () => caller(server).post('convert', { format: 'png' }, { image: picture })
  const slow = Array.from({ length: 8 }, () => sendSlowly(server.url, server.key))
  const refusedClients = () => slow.filter(({ answer }) => /^HTTP\/1\.1 503 server_busy\r\n/.test(answer())).length
  assert.ok(await until(async () => refusedClients() >= 4, 20_000), `${refusedClients()} of eight were ended`)
  assert.ok(refusedClients() < 8, 'four of them fit')
  assert.ok(await until(async () => (await post()).status === 200), 'a fast upload is served')
  for (const { socket } of slow) socket.destroy()
})
