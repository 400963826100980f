import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { openDatabase } from '../database.ts'
import { startFakeServer } from './fake-server.ts'

const refusal = (pattern: RegExp) => (error: unknown) =>
  error instanceof StartError && pattern.test(error.message) && !error.message.includes('s3cret')

for (const target of TARGETS) {
  test(`${target.name}: columns arrive as the schema says`, { skip: target.skip }, async (t) => {
    const { pool, close } = await openDatabase(await target.start(t), assert.ifError)
    const { rows } = await pool.query(`select 9007199254740991::bigint as big, date '2026-11-01' as day,
      array['2026-11-01T00:00:00Z'::timestamptz] as hits, current_setting('statement_timeout') as timeout`)
    const hits = [new Date('2026-11-01T00:00:00Z')]
    assert.deepEqual(rows, [{ big: Number.MAX_SAFE_INTEGER, day: '2026-11-01', hits, timeout: '10s' }])
    await assert.rejects(pool.query('select 9007199254740993::bigint'), RangeError)
    await close()
  })

  test(`${target.name}: a connection cut in the middle of a transaction is reported and replaced`, {
    skip: target.skip,
  }, async (t) => {
    const errors: Error[] = []
    const { kysely, pool, close } = await openDatabase(await target.start(t), (error) => errors.push(error))
    const client = await pool.connect()
    const { rows } = await client
      .query<{ pid: number }>('begin; select 1')
      .then(() => client.query('select pg_backend_pid() as pid'))
    const cut = new Promise((resolve) => client.once('end', () => resolve(null)))
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await cut
    client.release(true)
    assert.ok(errors.length > 0)
    assert.equal((await pool.query('select 1')).rowCount, 1)
    assert.ok(kysely)
    await close()
  })
}

const WRONG_URLS = [
  { url: 'not an address s3cret', says: /is not a PostgreSQL address/ },
  { url: 'mysql://user:s3cret@localhost/db', says: /is not a PostgreSQL address/ },
  { url: 'postgres://user:s3cret@127.0.0.1:1/db', says: /database at 127\.0\.0\.1:1: nothing listens there/ },
  { url: 'postgres://user:s3cret@no-such-host.invalid/db', says: /database at no-such-host\.invalid: / },
]
for (const { url, says } of WRONG_URLS) {
  test(`refused with one line: ${url}`, () => assert.rejects(openDatabase({ url }, assert.ifError), refusal(says)))
}

const base = process.env.TEST_DATABASE_URL
const skip = base ? false : 'TEST_DATABASE_URL is not set'

test('a wrong password is refused without being told', { skip }, async () => {
  const url = new URL(base ?? '')
  url.password = 's3cret'
  await assert.rejects(openDatabase({ url: url.href }, assert.ifError), refusal(/user or password is wrong/))
})

test('a missing database is named as such', { skip }, async () => {
  const url = new URL(base ?? '')
  url.pathname = 'no_such_database'
  await assert.rejects(openDatabase({ url: url.href }, assert.ifError), refusal(/there is no such database/))
})

test('an older server is refused by its version', async (t) => {
  const port = await startFakeServer(t, { number: '140002', name: '14.2 (Debian 14.2-1)' })
  const opening = openDatabase({ url: `postgres://user:s3cret@127.0.0.1:${port}/db` }, () => {})
  await assert.rejects(opening, refusal(/^PostgreSQL 15 or newer is needed, and the one at 127\.0\.0\.1:\d+ is 14\.2:/))
})

const RECOVERS = { code: '57P03', message: 'the database system is starting up' }
const NEW = { number: '150000', name: '15.0', process: '7' }

test('a server that recovers is waited for, until it answers or the time is over', async (t) => {
  let waits = 0
  const patience = { pauseMs: 1, onWait: () => void waits++ }
  const open = (port: number, more = {}) =>
    openDatabase({ url: `postgres://user:s3cret@127.0.0.1:${port}/db` }, () => {}, 2, { ...patience, ...more })
  const older = { number: '140002', name: '14.2 (Debian 14.2-1)' }
  const later = await startFakeServer(t, older, Array(5).fill(RECOVERS))
  await assert.rejects(open(later), refusal(/^PostgreSQL 15 or newer is needed/))
  assert.equal(waits, 1)
  const never = await startFakeServer(t, older, Array(1_000).fill(RECOVERS))
  await assert.rejects(open(never, { longestMs: 20 }), refusal(/it is still starting up or shutting down/))
  // Another refusal is told at once.
  waits = 0
  const wrong = await startFakeServer(t, older, Array(9).fill({ code: '3D000', message: 'no such database' }))
  await assert.rejects(open(wrong), refusal(/there is no such database/))
  assert.equal(waits, 0)
})

test('two connections with one process are those of a pooler, which is refused', async (t) => {
  const port = await startFakeServer(t, NEW)
  const opening = openDatabase({ url: `postgres://user:s3cret@127.0.0.1:${port}/db` }, () => {})
  await assert.rejects(opening, refusal(/pooler .* pool_mode to session, as docs\/scaling\.md says/))
})

test('a pooler that takes no startup parameters is named, with where to read', async (t) => {
  const refusedValue = { code: '08P01', message: 'unsupported startup parameter: statement_timeout' }
  const port = await startFakeServer(t, NEW, [refusedValue])
  const opening = openDatabase({ url: `postgres://user:s3cret@127.0.0.1:${port}/db` }, () => {})
  await assert.rejects(
    opening,
    refusal(/refuses statement_timeout; set its ignore_startup_parameters, as docs\/scaling\.md says/),
  )
})
