import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/database/database.ts'
import { chargedCalls, openServerDatabase } from '../support/accounts.ts'
import { caller } from '../support/call.ts'
import { BOUNDARY, multipart } from '../support/multipart.ts'
import { photo, solid } from '../support/pictures.ts'
import { readMetric } from '../support/read-metric.ts'
import { type Server, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

/** One renderer, so that calls wait in the queue. */
let server: Server
let database: Database
let post: ReturnType<typeof caller>['post']
before(async () => {
  server = await startServer({ RENDERERS: '1', UPLOAD_TIMEOUT_S: '30' })
  database = await openServerDatabase(server.dir)
  post = caller(server).post
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

const small = await solid(20, 20, '#123456').png().toBuffer()
const medium = await photo(800, 600).jpeg().toBuffer()

const gauge = async (name: string, lane = 'sync') => Number(await readMetric(server, name, { lane }))
const hangUp = (signal: AbortSignal, image: Buffer) =>
  post('convert', { format: 'webp', width: 1600 }, { image }, { signal }).then(
    ({ status }) => String(status),
    (error: Error) => error.name,
  )

test('a client that hangs up while it waits leaves the queue and gets its call refunded, while others go on', async () => {
  const charged = await chargedCalls(database)
  const running = post('convert', { format: 'avif', width: 2400 }, { image: medium })
  assert.ok(await until(async () => (await gauge('renderers_busy', 'long')) === 1))
  const impatient = new AbortController()
  const left = Array.from({ length: 5 }, () => hangUp(impatient.signal, medium))
  const stays = post('convert', { format: 'webp', width: 1600 }, { image: medium })
  assert.ok(await until(async () => (await gauge('render_queue_length', 'long')) === 6))
  impatient.abort()
  assert.deepEqual(new Set(await Promise.all(left)), new Set(['AbortError']))
  // The one that stays may have begun by now.
  assert.ok(await until(async () => (await gauge('render_queue_length', 'long')) <= 1), 'the five have left the queue')
  assert.ok(await until(async () => (await chargedCalls(database)) === charged + 2), 'five calls were given back')
  assert.deepEqual([(await running).status, (await stays).status], [200, 200])
})

/** Writes a part of a form, then closes the connection, in one of three ways. */
async function hangUpHalfWay(end: 'end' | 'destroy' | 'resetAndDestroy', length: string): Promise<void> {
  const body = multipart([{ name: 'image', file: 'a.png', content: small }])
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
  socket.on('error', () => {
    // The server may be quicker to close.
  })
  socket.write(
    `POST /api/v1/convert HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\n${length}\r\n\r\n`,
  )
  await sleep(50)
  socket.write(length.startsWith('Transfer') ? `40\r\n${body.toString('latin1', 0, 64)}` : body.subarray(0, 64))
  await sleep(50)
  socket[end]()
}

for (const end of ['end', 'destroy', 'resetAndDestroy'] as const) {
  for (const length of ['Content-Length: 5000', 'Transfer-Encoding: chunked']) {
    test(`a client that hangs up in the middle of its upload (${end}, ${length}) is charged nothing`, async () => {
      const charged = await chargedCalls(database)
      await Promise.all(Array.from({ length: 8 }, () => hangUpHalfWay(end, length)))
      assert.ok(await until(async () => (await chargedCalls(database)) === charged))
      assert.equal(await gauge('render_queue_length'), 0)
      assert.equal((await post('convert', {}, { image: small })).status, 200)
    })
  }
}

test('no error is logged for clients that hang up', () => {
  const faults = server
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
  assert.equal(faults.length, 0, (faults[0] ?? '').slice(0, 300))
})
