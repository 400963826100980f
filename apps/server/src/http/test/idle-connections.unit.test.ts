import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { type IdleConnections, idleConnections } from '../connections.ts'

interface Client {
  readonly socket: Socket
}

const closedCount = (clients: readonly Client[]) => clients.filter(({ socket }) => socket.destroyed).length

/** Connects so many clients to a listener that notes each connection in the book. */
async function connectedClients(
  t: TestContext,
  count: number,
  book: IdleConnections,
  each?: (socket: Socket, nth: number) => void,
) {
  let openedCount = 0
  const listener = createServer((socket) => {
    each?.(socket, ++openedCount)
    book.addConnection(socket)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.after(() => listener.close())
  const { port } = listener.address() as AddressInfo
  return await Promise.all(
    Array.from({ length: count }, async (): Promise<Client> => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      t.after(() => socket.destroy())
      await once(socket, 'connect')
      return { socket }
    }),
  )
}

test('a trusted proxy keeps all its connections, and so does everyone where the limit is off', async (t) => {
  const proxy = await connectedClients(t, 20, idleConnections(5, ['10.0.0.0/8', 'loopback'], assert.ifError))
  const unlimitedClients = await connectedClients(t, 20, idleConnections(0, [], assert.ifError))
  const limitedClients = await connectedClients(t, 20, idleConnections(5, ['10.0.0.0/8'], assert.ifError))
  assert.ok(await until(async () => closedCount(limitedClients) === 15))
  assert.deepEqual([closedCount(proxy), closedCount(unlimitedClients)], [0, 0])
})

test('a connection that cannot be closed is reported, and keeps no other one open', async (t) => {
  const faults: unknown[] = []
  const book = idleConnections(1, [], (error) => faults.push(error))
  const clients = await connectedClients(t, 4, book, (socket, nth) => {
    if (nth === 1) failOnce(socket)
  })
  assert.ok(await until(async () => closedCount(clients) === 2))
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
