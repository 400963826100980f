import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@pixelmill/engine/test/support/until'
import { breakIfStalled, type StallLimits } from '../connections.ts'

/** More than the sockets of both sides hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024)

/** A server that has one answer for all. */
async function answering(body: () => Readable, patience: StallLimits) {
  const closing = new AbortController()
  let open = 0
  const server = createServer((_request, answer) => {
    open++
    answer.once('close', () => open--)
    breakIfStalled(answer, patience, closing.signal)
    body().pipe(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    closing,
    open: () => open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A client that asks and takes nothing. */
async function stall(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'connect')
}

const large = () => Readable.from([LARGE], { objectMode: false })

test('a client that reads nothing of its answer is disconnected', async () => {
  await using server = await answering(large, { seconds: 0.3, closingSeconds: 10 })
  await stall(server.port)
  assert.ok(await until(async () => server.open() === 1))
  assert.ok(await until(async () => server.open() === 0))
})

test('a server that stops disconnects it sooner', async () => {
  await using server = await answering(large, { seconds: 600, closingSeconds: 0.3 })
  await stall(server.port)
  assert.ok(await until(async () => server.open() === 1))
  server.closing.abort()
  assert.ok(await until(async () => server.open() === 0))
})

test('a slow client gets the whole answer, and so does one whose answer pauses', async () => {
  async function* slow() {
    for (const part of ['a', 'b', 'c']) {
      await sleep(700)
      yield Buffer.from(part)
    }
  }
  await using silent = await answering(() => Readable.from(slow(), { objectMode: false }), { seconds: 0.3, closingSeconds: 1 })
  assert.equal(await (await fetch(`http://127.0.0.1:${silent.port}`)).text(), 'abc')
  await using server = await answering(large, { seconds: 0.5, closingSeconds: 1 })
  const { body } = await fetch(`http://127.0.0.1:${server.port}`)
  let bytes = 0
  for await (const chunk of body ?? []) {
    // A pause of a tenth of a second at every eighth megabyte: never half a second without a byte.
    if (bytes >> 23 !== (bytes + chunk.length) >> 23) await sleep(100)
    bytes += chunk.length
  }
  assert.equal(bytes, LARGE.length)
})
