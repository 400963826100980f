import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { limits } from '@pixelmill/codecs/contract/limits'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, openServerDatabase } from '../../../../test/support/accounts.ts'
import { startBatch, statusOf, zipOf } from '../../../../test/support/batch-call.ts'
import { send } from '../../../../test/support/json-call.ts'
import { BOUNDARY } from '../../../../test/support/multipart.ts'
import { type Server, startServer } from '../../../../test/support/server.ts'
import { zipFile } from '../../../../test/support/zip.ts'
import type { Database } from '../../../database/database.ts'

const { most, ofOneAccount } = limits.storedUploads
const archive = zipOf({ 'a.png': await solid(20, 20, '#123456').png().toBuffer() })

let server: Server
let database: Database
before(async () => {
  server = await startServer({ RENDERERS: '1', BATCHES_PER_ACCOUNT: '2', BATCH_MB_PER_ACCOUNT: '3' })
  database = await openServerDatabase(server.dir)
})
after(async () => {
  await database?.close()
  await server?.[Symbol.asyncDispose]()
})

/** An upload that asks first, and is silent once it may begin. */
async function slowUpload(key: string): Promise<{ readonly socket: Socket; readonly answer: string }> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.write(
    `POST /api/v2/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\n` +
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: 100000\r\n\r\n`,
  )
  assert.ok(await until(async () => answer.includes('\r\n\r\n')))
  return { socket, answer }
}

test('slow uploads of one account take that account’s places only; all accounts share a limit, and an upload that ends frees its place', async () => {
  const accounts = await Promise.all(Array.from({ length: most / ofOneAccount + 1 }, () => makeAccount(database, 'team')))
  const [first, ...others] = accounts
  const last = others.pop()
  assert.ok(first && last)
  const open: Socket[] = []
  const fill = async (key: string) => {
    for (let nth = 0; nth < ofOneAccount; nth++) {
      const { socket, answer } = await slowUpload(key)
      assert.match(answer, /^HTTP\/1.1 100 /)
      open.push(socket)
    }
  }

  await fill(first.key)
  const tooMany = await slowUpload(first.key)
  assert.match(tooMany.answer, /^HTTP\/1.1 429 rate_limited\r\n.*retry-after: 1\r\n.*8 archive uploads of this account/is)
  tooMany.socket.destroy()
  assert.equal((await startBatch({ ...server, key: first.key }, archive)).status, 429)
  assert.equal((await startBatch({ ...server, key: last.key }, archive)).status, 202)

  for (const { key } of others) await fill(key)
  assert.equal(open.length, most)
  const { socket, answer } = await slowUpload(last.key)
  assert.match(answer, /^HTTP\/1.1 503 server_busy\r\n.*retry-after: 1\r\n/is)
  socket.destroy()
  for (const upload of open) upload.destroy()
  assert.ok(await until(async () => (await startBatch({ ...server, key: first.key }, archive)).status === 202))
})

test('an account over its limit of waiting batches is refused before its archive is read', async () => {
  const [one, other] = await Promise.all([makeAccount(database, 'team'), makeAccount(database, 'team')])
  const mine = { ...server, key: one.key }
  const large = await photo(1000, 700).png().toBuffer()
  // Long enough under way for all that follows.
  const slow = zipFile(Array.from({ length: 6 }, (_, nth) => ({ name: `${nth}.png`, data: large })))
  assert.ok(slow.length > 3 * 2 ** 20)
  const first = await startBatch(mine, slow, { format: 'avif' })
  assert.equal(first.status, 202, 'an account without batches may send one of any size')

  const refusedValue = await startBatch(mine, slow)
  assert.deepEqual([refusedValue.status, refusedValue.error?.statusMessage], [429, 'too_many_batches'])
  assert.match(refusedValue.error?.message ?? '', /and 3 MB are allowed/)
  assert.equal(refusedValue.headers.get('retry-after'), '15')
  const early = await slowUpload(one.key)
  assert.match(early.answer, /^HTTP\/1.1 429 too_many_batches\r\n/)
  early.socket.destroy()
  assert.equal((await startBatch({ ...server, key: other.key }, archive)).status, 202)

  const { progress } = (await statusOf(mine, first.batch.id)).body
  assert.ok(progress.done < progress.total, 'it has ended too soon for this test')
  const usedText = 'select used from usage_month where account_id = $1'
  const { rows } = await database.pool.query<{ used: number }>(usedText, [one.id])
  assert.equal(rows[0]?.used, 6)

  await send(server.url, `DELETE /api/v2/batch/${first.batch.id}`, { token: one.key })
  assert.equal((await startBatch(mine, archive)).status, 202)
})
