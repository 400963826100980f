import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { openServerDatabase } from '../../../../test/support/accounts.ts'
import { type Started, startBatch, zipOf } from '../../../../test/support/batch-call.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import type { BatchStatusBody } from '../../../contract/batch-status.ts'

let server: SharedServer
before(async () => {
  server = await shareServer()
})
after(() => server?.[Symbol.asyncDispose]())

const image = await solid(20, 20, '#123456').png().toBuffer()
const large = await photo(1_000, 700).jpeg().toBuffer()
/** Takes longer than a test; each deletes its batch. */
const slow = zipOf(Object.fromEntries(Array.from({ length: 60 }, (_, nth) => [`${nth}.jpg`, large])))

const listen = (id: string, { signal, last }: { readonly signal?: AbortSignal; readonly last?: string } = {}) =>
  fetch(`${server.url}/api/v2/batch/${id}/events`, {
    headers: { authorization: `Bearer ${server.key}`, ...(last !== undefined && { 'last-event-id': last }) },
    ...(signal && { signal }),
  })

const eventsIn = (text: string) =>
  [...text.matchAll(/event: (\w+)\nid: (\S+)\ndata: (.+)\n\n/g)].map(([, event, id = '', data = '']) => ({
    event,
    id,
    data: JSON.parse(data) as BatchStatusBody,
  }))

const remove = ({ batch }: Started) =>
  fetch(`${server.url}/api/v2/batch/${batch.id}`, { method: 'DELETE', headers: { authorization: `Bearer ${server.key}` } })

test('a stream has each step, and ends with the batch; a client that reconnects gets the end, or 204 after it', async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, nth) => [`${nth}.png`, image]))
  const { batch } = await startBatch(server, zipOf(files))
  const answer = await listen(batch.id)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/event-stream; charset=utf-8'])
  assert.equal(answer.headers.get('x-accel-buffering'), 'no')
  const text = await answer.text()
  assert.match(text, /^retry: 2000\n\n/)
  const events = eventsIn(text)
  const dones = events.map(({ data }) => data.progress.done)
  assert.deepEqual(
    dones,
    dones.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length)
  const end = events.at(-1)
  assert.deepEqual([end?.event, end?.data.status, end?.data.progress.succeeded], ['completed', 'completed', 30])
  assert.ok(events.slice(0, -1).every(({ event }) => event === 'progress'))
  assert.deepEqual(
    eventsIn(await (await listen(batch.id, { last: 'processing-3' })).text()).map(({ event }) => event),
    ['completed'],
  )
  assert.equal((await listen(batch.id, { last: end?.id ?? '' })).status, 204)
})

test('a client that reconnects with the latest id of a batch at work follows it further', async () => {
  const startedValue = await startBatch(server, slow)
  // Several times, as the batch may go on between the two requests.
  for (let tries = 0; tries < 5; tries++) {
    const leave = new AbortController()
    const first = await listen(startedValue.batch.id, { signal: leave.signal })
    assert.ok(first.body)
    let text = ''
    for await (const piece of first.body.pipeThrough(new TextDecoderStream())) {
      text += piece
      if (eventsIn(text).length > 0) break
    }
    const last = eventsIn(text)[0]?.id
    assert.ok(last)
    assert.equal((await listen(startedValue.batch.id, { last, signal: leave.signal })).status, 200)
    leave.abort()
  }
  assert.equal((await remove(startedValue)).status, 200)
})

test('clients that hang up while the server waits for the database leave nothing behind', async () => {
  const startedValue = await startBatch(server, slow)
  const database = await openServerDatabase(server.dir)
  const lock = await database.pool.connect()
  await lock.query('begin')
  await lock.query('lock table batch in access exclusive mode')
  // As many as an account may follow: were one of them kept, the last below would be refused.
  const waiting = Array.from({ length: 20 }, () => listen(startedValue.batch.id, { signal: AbortSignal.timeout(500) }))
  assert.ok((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected'))
  await lock.query('rollback')
  lock.release()
  await database.close()
  const left = new AbortController()
  const after = await Promise.all(Array.from({ length: 20 }, () => listen(startedValue.batch.id, { signal: left.signal })))
  assert.ok(after.every(({ status }) => status === 200))
  left.abort()
  assert.equal((await remove(startedValue)).status, 200)
})

test('HEAD has the headers of the stream, and follows nothing', async () => {
  const startedValue = await startBatch(server, slow)
  const ask = (method: string, signal: AbortSignal) =>
    fetch(`${server.url}/api/v2/batch/${startedValue.batch.id}/events`, {
      method,
      signal,
      headers: { authorization: `Bearer ${server.key}` },
    })
  const leave = new AbortController()
  for (let nth = 0; nth < 20; nth++) {
    const { status, headers } = await ask('HEAD', leave.signal)
    const sentTexts = ['content-type', 'x-accel-buffering', 'content-length'].map((name) => headers.get(name))
    assert.deepEqual([status, ...sentTexts], [200, 'text/event-stream; charset=utf-8', 'no', null])
  }
  const streams = await Promise.all(Array.from({ length: 20 }, () => ask('GET', leave.signal)))
  assert.ok(streams.every(({ status }) => status === 200))
  leave.abort()
  assert.equal((await remove(startedValue)).status, 200)
})

test('failure is an event of its own', async () => {
  const { batch } = await startBatch(server, zipOf({ 'a.png': Buffer.from('none') }))
  const end = eventsIn(await (await listen(batch.id)).text()).at(-1)
  assert.deepEqual([end?.event, end?.data.error?.code], ['failed', 'invalid_image_type'])
})

test('an account may have twenty streams at once; one that is closed frees its place, and a deleted batch ends its streams', async () => {
  const startedValue = await startBatch(server, slow)
  const { id } = startedValue.batch
  const leave = new AbortController()
  const leaving = await Promise.all(Array.from({ length: 10 }, () => listen(id, { signal: leave.signal })))
  const staying = await Promise.all(Array.from({ length: 10 }, () => listen(id)))
  assert.ok([...leaving, ...staying].every(({ status }) => status === 200))
  const refusedResponse = await listen(id)
  assert.deepEqual([refusedResponse.status, refusedResponse.statusText], [429, 'rate_limited'])
  leave.abort()
  let again = await listen(id)
  for (let tries = 0; again.status !== 200 && tries < 100; tries++) again = await listen(id)
  assert.equal(again.status, 200)
  assert.equal((await remove(startedValue)).status, 200)
  for (const stream of [...staying, again]) await stream.text()
  assert.equal((await listen(id)).status, 404)
})
