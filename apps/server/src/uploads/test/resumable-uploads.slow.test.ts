import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { before, test } from 'node:test'
import { skipByDay, times } from '@pixelmill/codecs/test/support/at-night'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { untilEnded } from '../../../test/support/batch-call.ts'
import { startBreakingProxy } from '../../../test/support/breaking-proxy.ts'
import { form, read } from '../../../test/support/call.ts'
import { residentBytes } from '../../../test/support/resident-bytes.ts'
import { breaksOf, call, sendByDraft, sendByTus, sourceOf } from '../../../test/support/resuming.ts'
import { bucketOnServer, noServer } from '../../../test/support/s3-server.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import { zipFile } from '../../../test/support/zip.ts'

/** Hundreds of megabytes whose connection breaks ten times, servers that die, and files in a bucket. */

const MiB = 2 ** 20
const BREAKS = 10
const MEGABYTES = times({ seldom: 250, often: 500 })

let archive: Buffer
before(async () => {
  const picture = await solid(16, 16, '#123456').png().toBuffer()
  const noise = Buffer.alloc(MEGABYTES * MiB - 4096)
  for (let at = 0; at < noise.length; at += 16 * MiB) randomBytes(4096).copy(noise, at)
  archive = zipFile([...['a.png', 'b.png'].map((name) => ({ name, data: picture })), { name: 'noise.bin', data: noise }])
})

/** The most memory that the server has, above what it had before. */
async function memoryDuring(server: Server, work: () => Promise<unknown>): Promise<number> {
  const before = residentBytes(server.pid)
  let most = before
  const looking = setInterval(() => {
    most = Math.max(most, residentBytes(server.pid))
  }, 200)
  await work()
  clearInterval(looking)
  return most - before
}

async function batchOf(server: Server, key: string, handle: string) {
  const init = { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form({ upload: handle, format: 'webp' }) }
  const startedAnswer = await read(await fetch(`${server.url}/api/v2/batch`, init))
  assert.equal(startedAnswer.status, 202, startedAnswer.bytes.toString())
  return await untilEnded({ ...server, key }, JSON.parse(startedAnswer.bytes.toString()).id)
}

const ways = {
  'the draft': async (url: string, key: string) => (await sendByDraft({ url, key }, sourceOf(archive), archive.length)).handle,
  tus: (url: string, key: string) => sendByTus({ url, key }, archive, archive.length),
}

for (const [name, way] of Object.entries(ways)) {
  test(`${name}: ${MEGABYTES} MB whose connection breaks ten times arrive once, in little memory`, async (t) => {
    await using server = await startServer({ RENDERERS: '1' })
    const database = await openServerDatabase(server.dir)
    const { id, key } = await makeAccount(database, 'team')
    await using proxy = await startBreakingProxy(server.url, breaksOf(archive.length, BREAKS))
    let handle = ''
    const began = performance.now()
    const sending = await memoryDuring(server, async () => {
      handle = await way(proxy.url, key)
    })
    const sentAt = performance.now()
    assert.equal(proxy.broken(), BREAKS)
    const { progress } = await batchOf(server, key, handle)
    const doneAt = performance.now()
    assert.deepEqual([progress.succeeded, progress.failed], [2, 0])
    const { rows } = await database.pool.query('select sum(used)::int as used from usage_month where account_id = $1', [id])
    assert.equal(rows[0].used, 2)
    await database.close()
    t.diagnostic(
      `sent in ${Math.round(sentAt - began)} ms, batch in ${Math.round(doneAt - sentAt)} ms, ${Math.round(sending / MiB)} MiB more memory`,
    )
    assert.ok(sending < 150 * MiB, `${sending / MiB} MiB`)
  })
}

test('a server that is killed while a part arrives loses at most that part', { skip: skipByDay }, async () => {
  const first = await startServer({ RENDERERS: '1' })
  const headers = { 'content-type': 'application/zip', 'upload-complete': '?0', 'content-length': '0' }
  const { headers: saidAnswer } = await call(first, 'PUT', '/api/v3/uploads', headers)
  const path = String(saidAnswer.location)
  const length = 100 * MiB
  const part = { 'content-type': 'application/partial-upload', 'upload-complete': '?1' }
  const patch = (server: Server, offset: number, body: Readable) =>
    call(server, 'PATCH', path, { ...part, 'upload-offset': String(offset), 'content-length': String(length - offset) }, body)
  // The first 80 MB come, and then nothing more: two parts are recorded, the third is not complete.
  const sentReadable = sourceOf(archive.subarray(0, 80 * MiB))(0)
  const sending = patch(first, 0, Readable.from(endless(sentReadable))).then(
    () => 'answered',
    () => 'broken',
  )
  const database = await openServerDatabase(first.dir)
  const storedBytes = async () => (await database.pool.query('select stored from upload')).rows[0].stored as number
  assert.ok(await until(async () => (await storedBytes()) >= 64 * MiB))
  await database.close()
  await first.stop('SIGKILL')
  assert.equal(await sending, 'broken')

  await using second = await startServer({ RENDERERS: '1', DATA_DIR: first.dir, ADMIN_API_KEY: first.key })
  const { headers: state } = await call(second, 'HEAD', path)
  const offset = Number(state['upload-offset'])
  assert.ok(offset >= 64 * MiB && offset < 80 * MiB, String(offset))
  assert.equal((await patch(second, offset, sourceOf(archive.subarray(0, length))(offset))).status, 201)
  const got = await fetch(second.url + path, { headers: { authorization: `Bearer ${second.key}` } })
  assert.ok(Buffer.from(await got.arrayBuffer()).equals(archive.subarray(0, length)))
})

async function* endless(body: Readable): AsyncGenerator<Buffer> {
  yield* body as AsyncIterable<Buffer>
  await new Promise(() => {})
}

test('a bucket keeps the parts too', { skip: noServer }, async (t) => {
  const small = archive.subarray(archive.length - 8 * MiB)
  const { location, unfinished } = await bucketOnServer(t)
  await using server = await startServer({
    RENDERERS: '1',
    S3_ENDPOINT: location.endpoint ?? '',
    S3_BUCKET: location.bucket,
    S3_ACCESS_KEY_ID: location.accessKeyId,
    S3_SECRET_ACCESS_KEY: location.secretAccessKey,
  })
  await using proxy = await startBreakingProxy(server.url, breaksOf(small.length, 3))
  const { handle } = await sendByDraft({ url: proxy.url, key: server.key }, sourceOf(small), small.length)
  const answer = await fetch(`${server.url}/api/v3/uploads/${handle}`, { headers: { authorization: `Bearer ${server.key}` } })
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(small))
  assert.equal(await unfinished(), 0)
})
