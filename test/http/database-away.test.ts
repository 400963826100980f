import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/database/database.ts'
import { TARGETS } from '../database/targets.ts'
import { accountTotals } from '../support/account-totals.ts'
import { makeAccount, makeLogin } from '../support/accounts.ts'
import { caller, type ErrorBody } from '../support/call.ts'
import { wayTo } from '../support/cuttable-database.ts'
import { send } from '../support/json-call.ts'
import { solid } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const ends: (() => unknown)[] = []
after(async () => {
  for (const end of ends.reverse()) await end()
})
const target = await TARGETS[0].start({ after: (end: unknown) => void ends.push(end as () => unknown) })
assert.ok('socketDir' in target)
const way = await wayTo(target.socketDir)
ends.push(() => way[Symbol.asyncDispose]())
const server = await startServer({ DATABASE_URL: way.url, RENDERERS: '1' })
ends.push(() => server[Symbol.asyncDispose]())
const database = await openDatabase(target, () => {})
ends.push(() => database.close())
const { id, key } = await makeAccount(database, 'team')
const token = await makeLogin(database, id)
const image = await solid(8, 8, '#123456').png().toBuffer()

const convert = async () => {
  const { status, headers, error } = await caller({ url: server.url, key }).post('convert', { format: 'png' }, { image })
  return { status, headers, error }
}
/** One request of each way to the database: pool and Kysely, with and without a body. */
const requests: Readonly<
  Record<string, () => Promise<{ readonly status: number; readonly headers: Headers; readonly error: ErrorBody | undefined }>>
> = {
  convert,
  usage: () => send(server.url, 'GET /api/v2/usage', { token: key }),
  'a login': () => send(server.url, 'GET /api/user', { token }),
  'sign-in': () => send(server.url, 'POST /api/auth/sign-in', { body: { email: 'ada@example.com', password: 'wrong' } }),
  'sign-up': () => send(server.url, 'POST /api/auth/sign-up', { body: { email: 'ada@example.com', password: 'correct horse' } }),
}

async function assertAway(name: string): Promise<void> {
  const { status, headers, error } = (await requests[name]?.()) ?? assert.fail()
  assert.deepEqual([status, error?.statusMessage, headers.get('retry-after')], [503, 'database_unavailable', '5'], name)
}
const isBack = () => until(async () => (await convert()).status === 200, 20_000)

for (const how of ['closed', 'silent'] as const) {
  test(`a database that cannot be reached (${how}) is database_unavailable, and served again when it is back`, async () => {
    assert.equal((await convert()).status, 200)
    way.cut(how)
    await Promise.all(Object.keys(requests).map(assertAway))
    const { status, headers, body } = await send(server.url, 'GET /readyz')
    assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
    const { requestId, ...rest } = body
    assert.equal(requestId, headers.get('x-request-id'))
    assert.deepEqual(rest, {
      status: 'not ready',
      database: false,
      renderers: true,
      queue: true,
      storage: true,
      jobs: false,
      statusCode: 503,
      statusMessage: 'database_unavailable',
      message: 'Not ready: database, jobs.',
      docs: '/docs/errors#database_unavailable',
    })
    await way.mend()
    assert.ok(await isBack())
  })
}

/** What a request waits for, in the database. */
async function whileWaiting(act: () => Promise<unknown>): Promise<void> {
  const holder = await database.connect()
  await holder.query('begin')
  await holder.query('lock table account in access exclusive mode')
  const waiting = requests.usage?.() ?? assert.fail()
  const waits = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  assert.ok(await until(async () => ((await holder.query(waits)).rowCount ?? 0) > 0))
  await act()
  const { status, error } = await waiting
  await holder.query('rollback')
  await holder.end()
  assert.deepEqual([status, error?.statusMessage], [503, 'database_unavailable'])
  assert.ok(await isBack())
}

test('a connection that breaks under a statement is database_unavailable', () =>
  whileWaiting(async () => {
    way.cut('closed')
    await way.mend()
  }))

test('a server that ends the connection, as one that is shut down does, is database_unavailable', () =>
  whileWaiting(() =>
    database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    ),
  ))

test('a pool whose connections are all in use for too long is database_unavailable', async () => {
  const holder = await database.connect()
  await holder.query('begin')
  await holder.query('lock table api_key in access exclusive mode')
  const all = await Promise.all(Array.from({ length: 12 }, () => requests.usage?.() ?? assert.fail()))
  await holder.query('rollback')
  await holder.end()
  // Eight hold a connection, and end by the time-out of statements, which is our fault; the others got none.
  assert.equal(all.filter(({ error }) => error?.statusMessage === 'database_unavailable').length, 4)
  assert.ok(await isBack())
})

test('nothing was charged but what was delivered', async () => {
  assert.ok(await until(async () => (await accountTotals(database, id)).open === 0))
})
