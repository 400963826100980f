import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { limits } from '@pixelmill/codecs/contract/limits'
import { until } from '@pixelmill/engine/test/support/until'
import sharp from 'sharp'
import { filesOf, getResult, startBatch, untilEnded } from '../../../../test/support/batch-call.ts'
import { type Server, startServer } from '../../../../test/support/server.ts'
import { zipFile } from '../../../../test/support/zip.ts'

/** A result that is larger than what is read ahead and what sockets hold: three pictures of noise, 4 MB each. */

const SIDE = 1_500

let server: Server
let id: string
before(async () => {
  server = await startServer({ RENDERERS: '1' })
  const noise = () => sharp(randomBytes(SIDE * SIDE * 3), { raw: { width: SIDE, height: SIDE, channels: 3 } })
  const files = { 'a.jpg': noise(), 'b.jpg': noise(), 'c.jpg': noise() }
  const entries = Object.entries(files).map(async ([name, picture]) => ({
    name,
    data: await picture.jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer(),
  }))
  const { batch } = await startBatch(server, zipFile(await Promise.all(entries)), { format: 'jpeg', quality: 100 })
  assert.equal((await untilEnded(server, batch.id)).progress.succeeded, 3)
  id = batch.id
})
after(() => server?.[Symbol.asyncDispose]())

/** Files of batches that the server has open. */
function openFiles(): number {
  const folder = `/proc/${server.pid}/fd`
  return readdirSync(folder).filter((fd) => {
    try {
      return readlinkSync(join(folder, fd)).includes('/blobs/')
    } catch {
      // It was closed since it was listed.
      return false
    }
  }).length
}

test('readers that hang up leave no file open, and others go on', async () => {
  const leave = new AbortController()
  const staying = getResult(server, id).then((answer) => answer.arrayBuffer())
  for (let nth = 0; nth < 6; nth++) {
    const { url, key } = server
    const { body } = await fetch(`${url}/api/v2/batch/${id}/result`, {
      headers: { authorization: `Bearer ${key}` },
      signal: leave.signal,
    })
    assert.ok((await body?.getReader().read())?.value)
  }
  leave.abort()
  assert.ok((await staying).byteLength > 10 * 2 ** 20)
  assert.ok(await until(async () => openFiles() === 0))
  assert.doesNotMatch(server.output(), /"level":"error"/)
})

test('an account may have twenty results open at once; one that is closed or read frees its place', async () => {
  const leave = new AbortController()
  const { url, key } = server
  const open = (method = 'GET') =>
    fetch(`${url}/api/v2/batch/${id}/result`, { method, headers: { authorization: `Bearer ${key}` }, signal: leave.signal })
  const all = await Promise.all(Array.from({ length: limits.openDownloads }, () => open()))
  assert.ok(all.every(({ status }) => status === 200))
  const refusedResponse = await open()
  assert.deepEqual(
    [refusedResponse.status, refusedResponse.statusText, refusedResponse.headers.get('retry-after')],
    [429, 'rate_limited', '5'],
  )
  assert.equal((await open('HEAD')).status, 200)
  assert.equal((await all.pop()?.arrayBuffer())?.byteLength, Number(all[0]?.headers.get('content-length')))
  assert.ok(await until(async () => (await getResult(server, id, { range: 'bytes=0-9' })).status === 206))
  leave.abort()
  const again = async () => (await Promise.all(all.map(() => getResult(server, id, { range: 'bytes=0-9' })))).every((a) => a.ok)
  assert.ok(await until(again))
})

test('a result that loses a file meanwhile is cut off with an error: it is never shorter without one', async () => {
  const answer = await getResult(server, id)
  assert.equal(answer.status, 200)
  const reader = answer.body?.getReader()
  let bytes = (await reader?.read())?.value?.length ?? 0
  const last = (await filesOf(server.dir)).find((file) => /\/2-\d+$/.test(file))
  assert.ok(last)
  rmSync(last)
  await assert.rejects(async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) return
      bytes += value?.length ?? 0
    }
  })
  assert.ok(bytes < Number(answer.headers.get('content-length')))
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
})
