import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Server, startServer } from '../../../test/support/server.ts'

const READY = { status: 'ready', database: true, renderers: true, queue: true, storage: true, jobs: true }

async function ask({ url }: Server): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, body: await response.json() }
}

test('a server whose disk is full starts and is ready, as it can still convert images and send results', async () => {
  await using first = await startServer({ RENDERERS: '1' })
  await first.stop()
  const full = await startServer({ RENDERERS: '1', DATA_DIR: first.dir, STORAGE_RESERVE_MB: '1000000' })
  assert.deepEqual(await ask(full), { status: 200, body: READY })
  await full.stop()
})
