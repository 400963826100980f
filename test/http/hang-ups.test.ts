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

/** One renderer, so that what waits can be seen. */
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
const large = await photo(5000, 3600).jpeg().toBuffer()

const gauge = async (name: string, lane = 'sync') => Number(await readMetric(server, name, { lane }))
const leaving = (signal: AbortSignal, image = small) =>
  post('convert', { format: 'webp' }, { image }, { signal }).then(
    ({ status }) => String(status),
    (error: Error) => error.name,
  )

test('a client that leaves the queue is taken out of it, and given its call back, while others go on', async () => {
  const charged = await chargedCalls(database)
  const running = post('convert', { format: 'avif' }, { image: large })
  assert.ok(await until(async () => (await gauge('renderers_busy', 'long')) === 1))
  const impatient = new AbortController()
  const left = Array.from({ length: 5 }, () => leaving(impatient.signal, large))
  const stays = post('convert', { format: 'webp' }, { image: large })
  assert.ok(await until(async () => (await gauge('render_queue_length', 'long')) === 6))
  impatient.abort()
  assert.deepEqual(new Set(await Promise.all(left)), new Set(['AbortError']))
  // The one that stays may have begun by now.
  assert.ok(await until(async () => (await gauge('render_queue_length', 'long')) <= 1), 'the five have left the queue')
  assert.ok(await until(async () => (await chargedCalls(database)) === charged + 2), 'five calls were given back')
  assert.deepEqual([(await running).status, (await stays).status], [200, 200])
})

/** Writes a part of a form, then goes: politely or not. */
async function leaveHalfWay(end: 'end' | 'destroy' | 'resetAndDestroy', length: string): Promise<void> {
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
    test(`a client that leaves half-way through its upload (${end}, ${length}) costs nothing`, async () => {
      const charged = await chargedCalls(database)
      await Promise.all(Array.from({ length: 8 }, () => leaveHalfWay(end, length)))
      assert.ok(await until(async () => (await chargedCalls(database)) === charged))
      assert.equal(await gauge('render_queue_length'), 0)
      assert.equal((await post('convert', {}, { image: small })).status, 200)
    })
  }
}

test("clients that leave are no fault of the server's in the log", () => {
  const faults = server
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
  assert.equal(faults.length, 0, (faults[0] ?? '').slice(0, 300))
})
