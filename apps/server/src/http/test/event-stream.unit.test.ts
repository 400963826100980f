import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { eventStream } from '../event-stream.ts'

const BEAT_MS = 5

const currentCount = () => {
  let closes = 0
  const stream = eventStream(() => closes++, BEAT_MS)
  return { stream, closes: () => closes }
}

/** A stream that began now has had five heartbeats, which are as many as one that began before it would have had meanwhile. */
async function heartbeats(): Promise<void> {
  const { stream } = currentCount()
  let sentText = ''
  stream.body.on('data', (chunk: Buffer) => (sentText += chunk.toString()))
  assert.ok(await until(async () => sentText.split(':\n\n').length > 5))
  stream.body.destroy()
}

test('a stream without a reader accepts nothing after its end, and closes once', async () => {
  const { stream, closes } = currentCount()
  stream.send({ event: 'progress', id: '1', data: {} })
  stream.end()
  assert.equal(closes(), 1)
  stream.end()
  stream.send({ event: 'progress', id: '2', data: {} })
  // An error of the stream would fail this test, as it has no other listener.
  await heartbeats()
  assert.equal(await text(stream.body), 'retry: 2000\n\nevent: progress\nid: 1\ndata: {}\n\n')
  assert.equal(closes(), 1)
})

test('a silent stream has heartbeats until it is destroyed', async () => {
  const { stream, closes } = currentCount()
  let sentText = ''
  stream.body.on('data', (chunk: Buffer) => (sentText += chunk.toString()))
  await heartbeats()
  assert.match(sentText, /^retry: 2000\n\n(:\n\n){2,}$/)
  stream.body.destroy()
  const before = sentText
  await heartbeats()
  stream.end()
  assert.deepEqual([sentText, closes()], [before, 1])
})

test('an error ends the stream and not the process', async () => {
  const { stream, closes } = currentCount()
  stream.body.destroy(new Error('the socket broke'))
  await heartbeats()
  assert.equal(closes(), 1)
})

test('a client that does not read is disconnected', async () => {
  const { stream, closes } = currentCount()
  for (let nth = 0; nth < 5; nth++) stream.send({ event: 'progress', id: `${nth}`, data: 'x'.repeat(20_000) })
  await heartbeats()
  assert.deepEqual([stream.body.destroyed, closes()], [true, 1])
})
