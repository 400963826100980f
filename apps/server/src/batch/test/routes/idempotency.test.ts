import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { accountTotals } from '../../../../test/support/account-totals.ts'
import { makeAccount, openServerDatabase } from '../../../../test/support/accounts.ts'
import { newFilesOf, type Started, startBatch, untilEnded, zipOf } from '../../../../test/support/batch-call.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import type { Database } from '../../../database/database.ts'

let server: SharedServer
let newFiles: () => Promise<readonly string[]>
let database: Database
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  newFiles = await newFilesOf(server.dir)
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

const image = await solid(20, 20, '#123456').png().toBuffer()
const archive = zipOf({ 'a.png': image, 'b.png': image })

async function customer() {
  const { id, key } = await makeAccount(database, 'team')
  const own = { ...server, key }
  const start = (idempotencyKey: string, file = archive, fields = {}) =>
    startBatch(own, file, fields, { 'idempotency-key': idempotencyKey })
  return { id, own, start }
}

const batchesOf = async (account: string): Promise<number> =>
  (await database.pool.query('select count(*)::int as batches from batch where account_id = $1', [account])).rows[0].batches
const uploadsOf = async (ids: readonly string[]) => (await newFiles()).filter((file) => !ids.some((id) => file.includes(id)))

test('twenty calls at once with one key make one batch, and are charged for one', async () => {
  const { id, own, start } = await customer()
  const key = randomUUID()
  // Few archives of one account are accepted at once; the other calls are asked to retry.
  const ask = async (): Promise<Started> => {
    let answer = await start(key)
    const isTaken = async () => {
      if (answer.status === 429) answer = await start(key)
      return answer.status !== 429
    }
    assert.ok(await until(isTaken))
    return answer
  }
  const answers = await Promise.all(Array.from({ length: 20 }, ask))
  const kinds = Map.groupBy(answers, ({ status, error }) => `${status} ${error?.statusMessage ?? ''}`)
  assert.deepEqual(
    [...kinds.keys()].filter((kind) => !['202 ', '409 idempotency_key_reused'].includes(kind)),
    [],
  )
  const madeValues = kinds.get('202 ') ?? []
  const [{ batch }] = madeValues as [Started]
  assert.deepEqual(new Set(madeValues.map((answer) => answer.batch.id)), new Set([batch.id]))
  assert.equal(madeValues.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
  assert.equal(await batchesOf(id), 1)
  await untilEnded(own, batch.id)
  const { used, open } = await accountTotals(database, id)
  assert.deepEqual([used, open], [2, 0])
  assert.deepEqual(await uploadsOf([batch.id]), [])
  const again = await start(key)
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed'), again.batch.id], [202, 'true', batch.id])
  assert.equal(again.headers.get('location'), `/api/v2/batch/${batch.id}/status`)
  assert.deepEqual(await accountTotals(database, id), { credits: 0, reserved: 0, booked: 0, open: 0, used: 2 })
  assert.deepEqual(await uploadsOf([batch.id]), [])
})

test('another archive or parameter with the same key is refused, and nothing of it is stored', async () => {
  const { id, own, start } = await customer()
  const key = randomUUID()
  const { batch } = await start(key, archive, { format: 'png' })
  await untilEnded(own, batch.id)
  for (const [file, fields] of [
    [zipOf({ 'a.png': image }), { format: 'png' }],
    [archive, { format: 'webp' }],
    [archive, {}],
  ] as const) {
    const { status, error } = await start(key, file, fields)
    assert.deepEqual([status, error?.statusMessage], [409, 'idempotency_key_reused'])
  }
  const { used, open } = await accountTotals(database, id)
  assert.deepEqual([used, open], [2, 0])
  const mine = async () => (await uploadsOf([])).filter((file) => file.includes(batch.id)).length
  assert.ok((await mine()) > 0)
  assert.equal(await batchesOf(id), 1)
})

test('after a refusal the key can be used again', async () => {
  const { id, start } = await customer()
  const key = randomUUID()
  assert.equal((await start(key, Buffer.from('no archive'))).error?.statusMessage, 'invalid_archive')
  assert.equal((await start(key)).status, 202)
  assert.ok(await until(async () => (await batchesOf(id)) === 1))
})

test('more images than calls are left are refused as a whole', async () => {
  const { id, own } = await customer()
  await database.pool.query(
    `insert into usage_month (account_id, month, used) values ($1, date_trunc('month', clock_timestamp() at time zone 'utc'), 49999)`,
    [id],
  )
  const folders = async () => new Set((await newFiles()).map((file) => /batch\+\/[^/]+/.exec(file)?.[0]))
  const before = await folders()
  const { status, error, headers } = await startBatch(own, archive)
  assert.deepEqual([status, error?.statusMessage], [429, 'monthly_limit_exceeded'])
  assert.ok(Number(headers.get('retry-after')) > 0)
  const { used, open } = await accountTotals(database, id)
  assert.deepEqual([used, open], [49_999, 0])
  // Batches of other tests are still converted, and write files that are moved to their folders.
  assert.ok(await until(async () => (await folders()).difference(before).size === 0))
})

test('the rest of an unlimited plan is unlimited', async () => {
  const { headers } = await startBatch(server, archive)
  assert.equal(headers.get('x-ratelimit-remaining'), 'unlimited')
})
