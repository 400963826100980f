import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { startBatch, zipOf } from '../../../../test/support/batch-call.ts'
import { startServer } from '../../../../test/support/server.ts'

const large = await photo(1_000, 700).jpeg().toBuffer()
const slow = zipOf(Object.fromEntries(Array.from({ length: 60 }, (_, nth) => [`${nth}.jpg`, large])))

test('a server that stops ends its streams', async () => {
  const own = await startServer({ RENDERERS: '1' })
  const { batch } = await startBatch(own, slow)
  const { body } = await fetch(`${own.url}/api/v2/batch/${batch.id}/events`, { headers: { authorization: `Bearer ${own.key}` } })
  const endedText = new Response(body).text()
  const { code } = await own.stop()
  assert.match(await endedText, /event: progress/)
  assert.equal(code, 0)
  await own[Symbol.asyncDispose]()
})
