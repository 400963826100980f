import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Server, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const READY = { status: 'ready', database: true, renderers: true, queue: true, storage: true, jobs: true }

async function ask({ url }: Server): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, body: await response.json() }
}

test('a server whose files are away is not ready, and is again when they are back', async () => {
  await using server = await startServer({ RENDERERS: '1' })
  assert.deepEqual(await ask(server), { status: 200, body: READY })
  const [blobs, away] = [join(server.dir, 'blobs'), join(server.dir, 'away')]
  await rename(blobs, away)
  // The last answer is kept for five seconds.
  assert.ok(await until(async () => (await ask(server)).status === 503, 10_000))
  assert.partialDeepStrictEqual((await ask(server)).body, {
    ...READY,
    status: 'not ready',
    storage: false,
    statusMessage: 'storage_unavailable',
  })
  await rename(away, blobs)
  assert.ok(await until(async () => (await ask(server)).status === 200, 10_000))
})

test('a server whose disk is full starts and is ready: images are worked on, results can be fetched', async () => {
  await using first = await startServer({ RENDERERS: '1' })
  await first.stop()
  const full = await startServer({ RENDERERS: '1', DATA_DIR: first.dir, STORAGE_RESERVE_MB: '1000000' })
  assert.deepEqual(await ask(full), { status: 200, body: READY })
  await full.stop()
})
