import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const MOST = 5

interface Open {
  readonly socket: Socket
  answers(): string
}

function open(t: TestContext, server: Server, first = ''): Open {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
  t.after(() => socket.destroy())
  let answers = ''
  socket.on('data', (chunk: Buffer) => (answers += chunk.toString()))
  if (first !== '') socket.write(first)
  return { socket, answers: () => answers }
}
const closed = (connections: readonly Open[]) => connections.filter(({ socket }) => socket.destroyed).length

const HEAD = 'GET /healthz HTTP/1.1\r\nHost: x\r\n'
const UPLOAD =
  'POST /api/v1/convert HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=a\r\nContent-Length: 99\r\n'

test('an address keeps so many idle connections; the oldest go, and none with a request under way', async (t) => {
  await using server = await startServer({ RENDERERS: '1', IDLE_CONNECTIONS_PER_ADDRESS: String(MOST) })
  const working = open(t, server, `${UPLOAD}Authorization: Bearer ${server.key}\r\n\r\n--a`)
  const silent = Array.from({ length: 4 }, () => open(t, server))
  const half = Array.from({ length: 4 }, () => open(t, server, HEAD))
  await sleep(300)
  const answered = Array.from({ length: 4 }, () => open(t, server, `${HEAD}\r\n`))
  assert.ok(await until(async () => answered.every(({ answers }) => answers().includes('200 OK'))))
  assert.ok(await until(async () => closed([...silent, ...half, ...answered]) === 12 - MOST, 30_000))
  await sleep(2_500)
  assert.equal(closed([...silent, ...half, ...answered]), 12 - MOST)
  assert.equal(closed(answered), 0, 'those that were used last stay')
  assert.equal(working.socket.destroyed, false)
  const [kept] = answered
  kept?.socket.write(`${HEAD}\r\n`)
  assert.ok(await until(async () => (kept?.answers().match(/200 OK/g) ?? []).length === 2))
})

for (const [says, settings] of [
  ['a trusted proxy', { IDLE_CONNECTIONS_PER_ADDRESS: String(MOST), TRUSTED_PROXIES: '10.0.0.0/8, loopback' }],
  ['no address, where the limit is off,', { IDLE_CONNECTIONS_PER_ADDRESS: '0' }],
] as const) {
  test(`${says} loses none`, async (t) => {
    await using server = await startServer({ RENDERERS: '1', ...settings })
    const idle = Array.from({ length: 4 * MOST }, () => open(t, server))
    await sleep(5_000)
    assert.equal(closed(idle), 0)
  })
}
