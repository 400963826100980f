import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { filesOf } from '../../../../test/support/batch-call.ts'
import { read } from '../../../../test/support/call.ts'
import { BOUNDARY, multipart } from '../../../../test/support/multipart.ts'
import { residentBytes } from '../../../../test/support/resident-bytes.ts'
import { startServer } from '../../../../test/support/server.ts'

const MiB = 1024 * 1024

test('archives of four uploads at once are not held in memory', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async () => {
  await using server = await startServer({ RENDERERS: '1', BATCH_ARCHIVE_MB: '64' })
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const post = async (body: Buffer) =>
    read(await fetch(`${server.url}/api/v2/batch`, { method: 'POST', headers, body: new Uint8Array(body) }))
  const rss = () => residentBytes(server.pid)
  const body = multipart([{ name: 'file', file: 'a.zip', content: Buffer.alloc(64 * MiB) }])
  assert.equal((await post(body)).error?.statusMessage, 'invalid_archive')
  const before = rss()
  let most = before
  const looking = setInterval(() => {
    most = Math.max(most, rss())
  }, 50)
  await Promise.all(Array.from({ length: 4 }, () => post(body)))
  clearInterval(looking)
  assert.ok(most - before < 200 * MiB, `${(most - before) / MiB} MiB more for 256 MiB at once`)
  assert.ok(await until(async () => (await filesOf(server.dir)).length === 0))
})
