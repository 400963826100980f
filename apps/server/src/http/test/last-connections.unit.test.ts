import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { lastConnections } from '../connections.ts'

/** What becomes of connections when a server stops listening. */

async function listening(t: TestContext) {
  const server = createServer((_request, response) => response.end('done'))
  const beforeEnd = lastConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async () => {
    const [socket] = await Promise.all([connect(port, '127.0.0.1'), once(server, 'connection')])
    t.after(() => socket.destroy())
    return socket
  }
  const close = async () => {
    await beforeEnd()
    server.close()
    return once(server, 'close')
  }
  return { open, close }
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

test('a new connection still brings its first request', async (t) => {
  const { open, close } = await listening(t)
  const socket = await open()
  const closedValues = close()
  await new Promise(setImmediate)
  socket.write(REQUEST)
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1.1 200/)
  await closedValues
})

test('a connection that brings no request keeps no server from ending, and neither does one that was answered', async (t) => {
  const { open, close } = await listening(t)
  const unusedSocket = await open()
  const usedSocket = await open()
  usedSocket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(usedSocket, 'data')
  const ends = [unusedSocket, usedSocket].map((socket) => once(socket.resume(), 'close'))
  await close()
  await Promise.all(ends)
})
