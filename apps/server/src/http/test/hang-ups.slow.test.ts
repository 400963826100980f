import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { chargedCalls, makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { dataUri } from '../../../test/support/ai-server.ts'
import { caller, form } from '../../../test/support/call.ts'
import { haltRenderers } from '../../../test/support/halted-renderers.ts'
import { BOUNDARY, multipart } from '../../../test/support/multipart.ts'
import { readMetric } from '../../../test/support/read-metric.ts'
import { renderersOf, type Server, startServer } from '../../../test/support/server.ts'
import type { Database } from '../../database/database.ts'

/** One renderer in each lane: while it works for one call, the others wait. */
let server: Server
let database: Database
let key: string
let post: ReturnType<typeof caller>['post']
before(async () => {
  server = await startServer({ RENDERERS: '1', UPLOAD_TIMEOUT_S: '30', BG_LOW_CONFIDENCE: 'return' })
  database = await openServerDatabase(server.dir)
  post = caller(server).post
  key = (await makeAccount(database, 'team')).key
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
  // So that a renderer is there to be halted: work that lasts would be over before metrics, a second old, tell of it.
  assert.equal((await post('convert', {}, { image: small })).status, 200)
  const chargedCount = await chargedCalls(database)
  await using haltedRenderers = await haltRenderers(server.pid)
  const running = post('convert', { format: 'webp', width: 1600 }, { image: medium })
  assert.ok(await until(async () => (await gauge('renderers_busy')) === 1), 'the first is at work')
  const impatient = new AbortController()
  const left = Array.from({ length: 5 }, () => hangUp(impatient.signal, medium))
  const stays = post('convert', { format: 'webp', width: 1600 }, { image: medium })
  assert.ok(await until(async () => (await gauge('render_queue_length')) === 6), 'all others wait')
  impatient.abort()
  assert.deepEqual(new Set(await Promise.all(left)), new Set(['AbortError']))
  assert.ok(await until(async () => (await gauge('render_queue_length')) === 1), 'the five have left the queue')
  assert.ok(await until(async () => (await chargedCalls(database)) === chargedCount + 2), 'five calls were given back')
  haltedRenderers.resume()
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
      const chargedCount = await chargedCalls(database)
      await Promise.all(Array.from({ length: 8 }, () => hangUpHalfWay(end, length)))
      assert.ok(await until(async () => (await chargedCalls(database)) === chargedCount))
      assert.equal(await gauge('render_queue_length'), 0)
      assert.equal((await post('convert', {}, { image: small })).status, 200)
    })
  }
}

interface Row {
  readonly path: string
  /** As /metrics name it. */
  readonly operation: string
  readonly body: (image: Buffer) => FormData | string
  /** Of all accounts, what a request counts. */
  readonly counted: string
}

const rows: readonly Row[] = [
  {
    path: '/v1/ai/enhance',
    operation: 'enhance',
    body: (image) => JSON.stringify({ image: dataUri(image), mode: 'denoise', intensity: 3 }),
    counted: 'select coalesce(sum(used), 0)::int as count from ai_day',
  },
  {
    path: '/api/background-remove',
    operation: 'background',
    body: (image) => form({ format: 'webp' }, { image }),
    counted: 'select coalesce(sum(used), 0)::int as count from background_month',
  },
]

/** Of the lane of long work. */
const metric = async (name: string, labels: Readonly<Record<string, string>> = {}) =>
  (await readMetric(server, name, { lane: 'background', ...labels })) ?? 0

for (const { path, operation, body, counted } of rows) {
  test(`${path}: a client that hangs up frees the renderer and gets its call refunded`, async () => {
    const count = async () => (await database.pool.query(counted)).rows[0].count as number
    const ask = (image: Buffer, signal?: AbortSignal) => {
      const sentText = body(image)
      const type = typeof sentText === 'string' ? { 'content-type': 'application/json' } : {}
      return fetch(server.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...type },
        body: sentText,
        ...(signal && { signal }),
      })
    }
    const atWork = () => metric('renders_at_work', { operation })
    const renderers = async () => (await renderersOf(server.pid)).map(({ pid }) => pid)
    // What was there before it stays, but for the one that is killed.
    assert.equal((await ask(small)).status, 200)
    const abandonedCount = () => metric('renderer_restarts_total', { reason: 'abandoned' })
    const before = await count()
    const abandonedBefore = await abandonedCount()
    const client = new AbortController()
    // A halted renderer stays at work until it is killed, however quick the work would be.
    await using haltedRenderers = await haltRenderers(server.pid)
    assert.ok(haltedRenderers.count > 0)
    const rejection = assert.rejects(ask(medium, client.signal), { name: 'AbortError' })
    assert.ok(await until(async () => (await atWork()) === 1), 'it is at work')
    const working = await renderers()
    assert.equal(await count(), before + 1)
    client.abort()
    await rejection
    assert.ok(await until(async () => (await atWork()) === 0), 'the renderer is free')
    assert.equal(await metric('render_oldest_seconds'), 0)
    assert.equal(await abandonedCount(), abandonedBefore + 1)
    assert.ok(await until(async () => (await count()) === before), 'it is given back')
    const next = await ask(small)
    assert.equal(next.status, 200)
    assert.notDeepEqual(await renderers(), working)
  })
}

test('no error is logged for clients that hang up', () => {
  const faults = server
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
  assert.equal(faults.length, 0, (faults[0] ?? '').slice(0, 300))
})
