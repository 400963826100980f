import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import type { BatchStatusBody } from '../../src/contract/batch-status.ts'
import { jobs } from '../../src/housekeeping.ts'
import { listDeliveries } from '../../src/webhooks/list-deliveries.ts'
import { accountTotals } from '../support/account-totals.ts'
import { makeAccount } from '../support/accounts.ts'
import { getResult, startBatch, statusOf, untilEnded, zipOf } from '../support/batch-call.ts'
import { caller } from '../support/call.ts'
import { send } from '../support/json-call.ts'
import { type SignedIn, signUp } from '../support/person.ts'
import { startReceiver } from '../support/webhooks.ts'
import { clusterOf, noCluster } from './cluster.ts'

const cluster = clusterOf(3, { BURST_PER_MINUTE: '0', EGRESS_ALLOW: '127.0.0.1', BATCH_NICE: '0' })
const skip = noCluster

const image = await solid(8, 8, '#123456').png().toBuffer()
const large = await photo(1_200, 900).jpeg().toBuffer()

/** Of an API key at each of the three. */
async function convertEverywhere(key: string): Promise<readonly (number | string)[]> {
  const answers = cluster().apis.map(({ url }) => caller({ url, key }).post('convert', { format: 'png' }, { image }))
  return (await Promise.all(answers)).map(({ status, error }) => error?.statusMessage ?? status)
}
const everywhere = async (call: string, token: string) =>
  (await Promise.all(cluster().apis.map(({ url }) => send(url, call, { token })))).map(({ status }) => status)

/** Somebody with a plan, who asks each API as the same account. */
async function customer() {
  const { database, apis } = cluster()
  const { id, key } = await makeAccount(database, 'team')
  const [a, b, c] = apis
  return {
    id,
    key,
    at: [
      { ...a, key },
      { ...b, key },
      { ...c, key },
    ] as const,
  }
}

test('six processes that start at once on an empty database make one administrator', { skip }, async () => {
  const { apis, workers, database } = cluster()
  const toldTexts = [...apis, ...workers].map((process) => /password {2}(\S+)/.exec(process.output())?.[1]).filter(Boolean)
  const keys = apis.map((api) => /API key {3}(sk_[A-Za-z0-9]{48})/.exec(api.output())?.[1]).filter(Boolean)
  assert.deepEqual([toldTexts.length, keys.length], [1, 1])
  const { rows } = await database.pool.query<{ email: string; role: string }>('select email, role from account')
  const [{ email } = assert.fail()] = rows
  assert.deepEqual(rows, [{ email, role: 'admin' }])
  assert.deepEqual(await convertEverywhere(keys[0] ?? ''), [200, 200, 200])
  const password = toldTexts[0] ?? ''
  for (const { url } of apis) assert.equal((await send(url, 'POST /api/auth/sign-in', { body: { email, password } })).status, 200)
  const servers = await database.pool.query(`select count(distinct objid)::int as held from pg_locks where classid = 7312002`)
  assert.equal(servers.rows[0].held, 6, 'each is seen by the others')
})

test('what is done at one API holds at once at the others: keys, sign-ins, plans', { skip }, async () => {
  const { apis, database } = cluster()
  const [a, b, c] = apis
  const { token, user, email, password } = await signUp(a.url)
  assert.deepEqual(await everywhere('GET /api/user', token), [200, 200, 200])

  const { rows } = await database.pool.query(`select email from account where role = 'admin'`)
  const admin = /password {2}(\S+)/.exec(apis.map((api) => api.output()).join())?.[1]
  const boss = await send<SignedIn>(b.url, 'POST /api/auth/sign-in', { body: { email: rows[0].email, password: admin } })
  const { key, id } = (
    await send<{ key: string; id: string }>(c.url, 'POST /api/user/api-keys', { token, body: { name: 'shop' } })
  ).body
  assert.deepEqual(await convertEverywhere(key), Array(3).fill('api_access_not_available'))
  const changedAnswer = await send(a.url, `PATCH /api/admin/users/${user.id}`, { token: boss.body.token, body: { plan: 'team' } })
  assert.equal(changedAnswer.status, 200)
  assert.deepEqual(await convertEverywhere(key), [200, 200, 200])
  await send(b.url, `DELETE /api/user/api-keys/${id}`, { token })
  assert.deepEqual(await convertEverywhere(key), Array(3).fill('invalid_or_revoked_api_key'))

  const other = (await send<SignedIn>(c.url, 'POST /api/auth/sign-in', { body: { email, password } })).body.token
  await send(b.url, 'POST /api/auth/sign-out', { token })
  assert.deepEqual(await everywhere('GET /api/user', token), [401, 401, 401])
  assert.deepEqual(await everywhere('GET /api/user', other), [200, 200, 200])
})

test('a request that is sent to all three at once under one Idempotency-Key makes one batch', { skip }, async () => {
  const { id, at } = await customer()
  const key = randomUUID()
  const archive = zipOf({ 'a.png': image, 'b.png': image })
  const sentValues = await Promise.all(
    Array.from({ length: 12 }, (_, nth) => startBatch(at[nth % 3] ?? at[0], archive, {}, { 'idempotency-key': key })),
  )
  const kinds = Map.groupBy(sentValues, ({ status, error }) => `${status} ${error?.statusMessage ?? ''}`)
  assert.deepEqual(
    [...kinds.keys()].filter((kind) => !['202 ', '409 idempotency_key_reused'].includes(kind)),
    [],
  )
  const [madeAnswer] = kinds.get('202 ') ?? []
  assert.ok(madeAnswer)
  await untilEnded(at[0], madeAnswer.batch.id)
  for (const server of at)
    assert.equal((await startBatch(server, archive, {}, { 'idempotency-key': key })).batch.id, madeAnswer.batch.id)
  const { rows } = await cluster().database.pool.query('select id from batch where account_id = $1', [id])
  assert.deepEqual(rows, [{ id: madeAnswer.batch.id }])
  assert.deepEqual(await accountTotals(cluster().database, id), { credits: 0, reserved: 0, booked: 0, open: 0, used: 2 })
})

test('a batch that was sent to one API is followed, fetched and deleted at the others', { skip }, async () => {
  const { at } = await customer()
  const [a, b, c] = at
  const files = Object.fromEntries(Array.from({ length: 8 }, (_, nth) => [`${nth}.jpg`, large]))
  const { batch } = await startBatch(a, zipOf(files))
  const headers = { authorization: `Bearer ${b.key}` }
  // The stream of one API tells of the work of workers, and ends with the batch.
  const text = await (await fetch(`${b.url}/api/v2/batch/${batch.id}/events`, { headers })).text()
  const events = [...text.matchAll(/event: (\w+)\nid: \S+\ndata: (.+)\n\n/g)]
  const toldBodies = events.map(([, , data = '']) => JSON.parse(data) as BatchStatusBody)
  assert.deepEqual([events.at(-1)?.[1], toldBodies.at(-1)?.progress.succeeded], ['completed', 8])
  const doneNumbers = toldBodies.map(({ progress }) => progress.done)
  assert.deepEqual(
    doneNumbers,
    doneNumbers.toSorted((one, other) => one - other),
  )

  const statuses = await Promise.all(at.map(async (server) => (await statusOf(server, batch.id)).body))
  assert.deepEqual(statuses, Array(3).fill(statuses[0]))
  const results = await Promise.all(
    at.map(async (server) => Buffer.from(await (await getResult(server, batch.id)).arrayBuffer())),
  )
  assert.ok(results.every((result) => result.length > 1_000 && result.equals(results[0] ?? Buffer.alloc(0))))
  const etags = await Promise.all(at.map(async (server) => (await getResult(server, batch.id, {}, 'HEAD')).headers.get('etag')))
  assert.equal(new Set(etags).size, 1)

  assert.equal((await fetch(`${c.url}/api/v2/batch/${batch.id}`, { method: 'DELETE', headers })).status, 200)
  for (const server of at) assert.equal((await statusOf(server, batch.id)).status, 404)
})

test('of three workers each image is converted by one, all of them work, and each batch is told of once', { skip }, async () => {
  await using receiver = await startReceiver()
  const { id, at } = await customer()
  const { database } = cluster()
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, nth) => [`${nth}.jpg`, large]))
  const startedValues = await Promise.all(
    Array.from({ length: 6 }, (_, nth) => startBatch(at[nth % 3] ?? at[0], zipOf(files), { webhook_url: receiver.url })),
  )
  const workersAtWork = new Set<number>()
  const look = async () => {
    const { rows } = await database.pool.query<{ server: number }>(
      `select distinct server from batch_item where state = 'claimed'`,
    )
    for (const { server } of rows) workersAtWork.add(server)
    const { rows: open } = await database.pool.query('select from batch where account_id = $1 and finished_at is null', [id])
    return open.length === 0
  }
  assert.ok(await until(look, 120_000))
  const { rows } = await database.pool.query(
    `select count(*)::int as converted, max(attempt)::int as claims from batch_item i join batch b on b.id = i.batch_id
      where b.account_id = $1 and i.state = 'converted'`,
    [id],
  )
  assert.deepEqual(rows, [{ converted: 72, claims: 1 }], 'none was claimed twice')
  assert.equal(workersAtWork.size, 3)
  assert.deepEqual(await accountTotals(database, id), { credits: 0, reserved: 0, booked: 0, open: 0, used: 72 })
  assert.ok(await until(async () => receiver.received.length >= 6, 30_000))
  const deliveries = async () => (await listDeliveries(database.pool, id, { limit: 100 })).data
  assert.ok(await until(async () => (await deliveries()).every(({ status }) => status === 'delivered')))
  assert.deepEqual([...new Set((await deliveries()).map(({ attempts }) => attempts.length))], [1])
  const toldValues = receiver.received.map(({ body }) => JSON.parse(body).data.id).sort()
  assert.deepEqual(toldValues, startedValues.map(({ batch }) => batch.id).sort())
})

test('housekeeping that is due is done by one of three workers', { skip }, async () => {
  const { pool } = cluster().database
  const knownTexts = Object.keys(jobs).sort()
  const plannedRows = await pool.query<{ name: string }>('select name from housekeeping_job order by name')
  assert.deepEqual(plannedRows.rows.map(({ name }) => name).sort(), knownTexts)
  const name = 'void-stale-reservations'
  /** Runs so far, and seconds until the next. */
  const state = async () => {
    const { rows } = await pool.query<{ runs: number; due: number }>(
      'select runs::int, extract(epoch from due_at - clock_timestamp())::float8 as due from housekeeping_job where name = $1',
      [name],
    )
    return rows[0] ?? assert.fail()
  }
  for (let round = 0; round < 3; round++) {
    // In one statement, since a minute may end at any moment.
    const { rows } = await pool.query<{ runs: number }>(
      'update housekeeping_job set due_at = clock_timestamp() where name = $1 returning runs::int',
      [name],
    )
    const before = rows[0] ?? assert.fail()
    assert.ok(await until(async () => (await state()).due > 0, 60_000))
    const { runs, due } = await state()
    assert.equal(runs, before.runs + 1, 'by one of them')
    assert.ok(due <= 60, 'and next in a minute')
  }
})
