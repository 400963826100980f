import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { idleConnections } from '../../src/http/connections.ts'
import { type Server, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const MOST = 5

interface Open {
  readonly socket: Socket
}

function open(t: TestContext, server: Server): Open {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
  t.after(() => socket.destroy())
  return { socket }
}
const closed = (connections: readonly Open[]) => connections.filter(({ socket }) => socket.destroyed).length

for (const [says, settings] of [
  ['a trusted proxy', { IDLE_CONNECTIONS_PER_ADDRESS: String(MOST), TRUSTED_PROXIES: '10.0.0.0/8, loopback' }],
  ['no address, where the limit is off,', { IDLE_CONNECTIONS_PER_ADDRESS: '0' }],
] as const) {
  test(`${says} keeps all its connections`, async (t) => {
    await using server = await startServer({ RENDERERS: '1', ...settings })
    const idle = Array.from({ length: 4 * MOST }, () => open(t, server))
    await sleep(5_000)
    assert.equal(closed(idle), 0)
    for (const { socket } of idle) socket.destroy()
  })
}

test('a connection that cannot be closed is reported, and keeps no other one open', async (t) => {
  const faults: unknown[] = []
  const book = idleConnections(1, [], (error) => faults.push(error))
  let opened = 0
  const listener = createServer((socket) => {
    if (++opened === 1) failOnce(socket)
    book.opened(socket)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.after(() => listener.close())
  const { port } = listener.address() as AddressInfo
  const clients = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = connect(port, '127.0.0.1').on('error', () => {})
      t.after(() => client.destroy())
      await once(client, 'connect')
      return { socket: client }
    }),
  )
  assert.ok(await until(async () => closed(clients) === 2))
  assert.equal(faults.length, 1)
  // A socket that was never opened, as that of a request of our own, is not counted.
  const own = Object.assign(new EventEmitter(), { remoteAddress: '127.0.0.1', destroyed: false }) as unknown as Socket
  book.begin(own)
  book.end(own)
})

/** As the sockets of requests of our own did, which have no such method. */
function failOnce(socket: Socket): void {
  const destroy = socket.destroy.bind(socket)
  socket.destroy = () => {
    socket.destroy = destroy
    throw new TypeError('socket.destroy is not a function')
  }
}
