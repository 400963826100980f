import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { lastConnections } from '../../src/http/last-connections.ts'

/** What a server waits for before it stops listening. */

async function listening(t: TestContext) {
  const server = createServer((_request, response) => response.end('done'))
  const beforeEnd = lastConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const open = async () => {
    const [socket] = await Promise.all([connect(port, '127.0.0.1'), once(server, 'connection')])
    t.after(() => socket.destroy())
    return socket
  }
  return { beforeEnd, open }
}

test('a new connection is waited for until it brings its first request', async (t) => {
  const { beforeEnd, open } = await listening(t)
  const socket = await open()
  let isOver = false
  const over = beforeEnd().then(() => {
    isOver = true
  })
  // Some turns, of which each would have been quiet.
  for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate)
  assert.equal(isOver, false)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1.1 200/)
  await over
})

test('a connection that brings no request keeps no server from ending, and neither does one that was answered', async (t) => {
  const { beforeEnd, open } = await listening(t)
  const [, used] = [await open(), await open()]
  used.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(used, 'data')
  await beforeEnd()
})
