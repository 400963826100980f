import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { standInFront } from '../../src/http/doorstep.ts'
import { askBlocking } from '../support/blocking-client.ts'
import { quickest } from '../support/quickest.ts'

const REFUSED = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
const upload = Buffer.concat([Buffer.from('POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n'), Buffer.alloc(90_000)])

/** A full server that refuses everything but GET, and is paced as one with this many renderers. */
async function fullServer(t: TestContext, renderers: number): Promise<number> {
  const server = createServer((_request, response) => response.end('let in'))
  const closing = new AbortController()
  const reply = ({ method }: { readonly method: string }) => (method === 'GET' ? undefined : REFUSED)
  standInFront(server, { isFull: () => true, reply, renderers }, closing.signal)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    closing.abort()
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Asks on a connection of its own, and leaves with the answer. */
async function ask(port: number, request: Buffer | string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.write(request)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer)
}

test('who asks again at once is answered in turn, who asks for something else at once', async (t) => {
  const port = await fullServer(t, 0.02)
  const began = performance.now()
  let isOver = false
  const stop = () => {
    isOver = true
  }
  t.after(stop)
  const hurried = async () => {
    const answers: string[] = []
    while (!isOver) answers.push(await ask(port, upload))
    return answers
  }
  const clients = Promise.all(Array.from({ length: 20 }, hurried))
  await new Promise((end) => setTimeout(end, 300))
  const tookMs = await quickest(async () => {
    assert.match(await ask(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'), /let in$/)
  })
  await new Promise((end) => setTimeout(end, 1_500))
  stop()
  const answers = (await clients).flat()
  assert.deepEqual(new Set(answers), new Set([REFUSED]))
  // Each of the twenty waits for up to a second; unhindered they are answered thousands of times.
  const most = 20 * (4 + (performance.now() - began) / 1_000)
  assert.ok(answers.length >= 20 && answers.length <= most, `${answers.length} answers`)
  assert.ok(tookMs < 900, `${tookMs} ms`)
})

test('who leaves while waiting for a turn does no harm', async (t) => {
  const port = await fullServer(t, 0.02)
  const waiting = Array.from({ length: 10 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => undefined))
  for (const socket of waiting) socket.write(upload)
  await new Promise((end) => setTimeout(end, 200))
  for (const socket of waiting) socket.resetAndDestroy()
  assert.equal(await ask(port, upload), REFUSED)
})

test('clients that write 15 MB before they read get their answers, one after the other', async (t) => {
  const port = await fullServer(t, 2)
  const body = Buffer.alloc(15 * 1024 * 1024)
  const head = `POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`
  const ask = () => askBlocking(`http://127.0.0.1:${port}`, [head, body], (text) => text === REFUSED)
  const answers = await Promise.all(Array.from({ length: 2 }, ask))
  assert.deepEqual(answers, Array(2).fill({ text: REFUSED, error: undefined }))
})
