import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { giveBackMemory } from '../../src/rendering/protocol.ts'

test('the memory of what a socket has read is free at once, not when it is collected', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1', () => client.end(Buffer.alloc(1_000_000, 'x')))
  const [socket] = (await once(server, 'connection')) as [Socket]
  let read = 0
  let freedBytes = 0
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length
    const before = process.memoryUsage().external
    giveBackMemory(chunk)
    freedBytes += before - process.memoryUsage().external
    assert.equal(chunk.length, 0)
  })
  await once(socket, 'close')
  assert.equal(read, 1_000_000)
  assert.ok(freedBytes >= read, `${freedBytes} of ${read} bytes`)
})
