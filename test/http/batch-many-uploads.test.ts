import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { limits } from '../../src/contract/limits.ts'
import { startBatch, zipOf } from '../support/batch-call.ts'
import { BOUNDARY } from '../support/multipart.ts'
import { solid } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

test('an upload too many is told to come again before its body is read, and one that ends makes room', async () => {
  await using server = await startServer({ RENDERERS: '1' })
  const archive = zipOf({ 'a.png': await solid(20, 20, '#123456').png().toBuffer() })
  /** An upload that asks first, and is silent once it may begin. */
  const asks = async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    socket.write(
      `POST /api/v2/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\nExpect: 100-continue\r\n` +
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: 100000\r\n\r\n`,
    )
    assert.ok(await until(async () => answer.includes('\r\n\r\n')))
    return { socket, answer }
  }
  const open: Socket[] = []
  for (let nth = 0; nth < limits.storedUploads; nth++) {
    const { socket, answer } = await asks()
    assert.match(answer, /^HTTP\/1.1 100 /)
    open.push(socket)
  }
  const { socket, answer } = await asks()
  assert.match(answer, /^HTTP\/1.1 503 server_busy\r\n.*retry-after: 1\r\n/is)
  socket.destroy()
  const refused = await startBatch(server, archive)
  assert.equal(refused.status, 503)
  for (const upload of open) upload.destroy()
  assert.ok(await until(async () => (await startBatch(server, archive)).status === 202))
})
