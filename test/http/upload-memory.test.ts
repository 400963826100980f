import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { caller } from '../support/call.ts'
import { BOUNDARY, multipart } from '../support/multipart.ts'
import { solid } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

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

test('uploads that hardly move are given up when they fill the memory, and who is quick is served', async () => {
  await using server = await startServer({ UPLOAD_MEMORY_MB: '64', RENDERERS: '1' })
  const post = () => caller(server).post('convert', { format: 'png' }, { image: picture })
  const slow = Array.from({ length: 8 }, () => sendSlowly(server.url, server.key))
  const refused = () => slow.filter(({ answer }) => /^HTTP\/1\.1 503 server_busy\r\n/.test(answer())).length
  assert.ok(await until(async () => refused() >= 4, 20_000), `${refused()} of eight were given up`)
  assert.ok(refused() < 8, 'four of them fit')
  assert.ok(await until(async () => (await post()).status === 200), 'who is quick is served')
  for (const { socket } of slow) socket.destroy()
})
