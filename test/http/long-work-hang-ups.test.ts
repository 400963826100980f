import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '../../src/database/database.ts'
import { makeAccount, openServerDatabase } from '../support/accounts.ts'
import { dataUri } from '../support/ai-server.ts'
import { form } from '../support/call.ts'
import { photo, solid } from '../support/pictures.ts'
import { readMetric } from '../support/read-metric.ts'
import { renderersOf, type Server, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

/** One renderer in each lane: while it works for one call, no other call of the lane is begun. */
let server: Server
let database: Database
let key: string
before(async () => {
  server = await startServer({ RENDERERS: '1', BG_LOW_CONFIDENCE: 'return' })
  database = await openServerDatabase(server.dir)
  key = (await makeAccount(database, 'team')).key
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

/** Grain, so that there is much to do. */
const large = await photo(2_800, 2_200).jpeg({ quality: 60 }).toBuffer()
const small = await solid(20, 20, '#123456').png().toBuffer()

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
    ...{ path: '/v1/ai/enhance', operation: 'enhance' },
    body: (image) => JSON.stringify({ image: dataUri(image), mode: 'denoise', intensity: 3 }),
    counted: 'select coalesce(sum(used), 0)::int as count from ai_day',
  },
  {
    ...{ path: '/api/background-remove', operation: 'background' },
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
      const sent = body(image)
      const type = typeof sent === 'string' ? { 'content-type': 'application/json' } : {}
      return fetch(server.url + path, {
        ...{ method: 'POST', headers: { authorization: `Bearer ${key}`, ...type }, body: sent },
        ...(signal && { signal }),
      })
    }
    const atWork = () => metric('renders_at_work', { operation })
    const renderers = async () => (await renderersOf(server.pid)).map(({ pid }) => pid)
    // What was there before it stays, but for the one that is killed.
    assert.equal((await ask(small)).status, 200)
    const abandoned = () => metric('renderer_restarts_total', { reason: 'abandoned' })
    const [before, abandonedBefore] = [await count(), await abandoned()]
    const client = new AbortController()
    const gone = assert.rejects(ask(large, client.signal))
    // Long enough at work that it is decoding or beyond.
    assert.ok(await until(async () => (await metric('render_oldest_seconds')) > 0.2, 20_000), 'it is at work')
    const [working, reserved] = [await renderers(), await count()]
    assert.deepEqual([await atWork(), reserved], [1, before + 1])
    client.abort()
    await gone
    // A quarter of a second's grace and the end of a process, on a busy machine; the work itself takes several times as long.
    assert.ok(await until(async () => (await atWork()) === 0, 2_000), 'the renderer is free')
    assert.equal(await metric('render_oldest_seconds'), 0)
    assert.equal(await abandoned(), abandonedBefore + 1)
    assert.ok(await until(async () => (await count()) === before), 'it is given back')
    const next = await ask(small)
    assert.equal(next.status, 200)
    assert.notDeepEqual(await renderers(), working)
  })
}
