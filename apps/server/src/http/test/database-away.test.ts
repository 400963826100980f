import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { startCuttable } from '../../../test/support/cuttable-server.ts'

const { way, database, id, requests, isBack, assertCut } = await startCuttable({ after })

test('a database that refuses connections is database_unavailable, and is used again when it is back', () => assertCut('closed'))

/** Does something while a request waits for a lock in the database. */
async function whileWaiting(act: (isAnswered: () => boolean) => Promise<unknown>): Promise<void> {
  const holder = await database.connect()
  await holder.query('begin')
  await holder.query('lock table account in access exclusive mode')
  let isAnswered = false
  const waiting = (requests.usage?.() ?? assert.fail()).finally(() => (isAnswered = true))
  const waits = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  assert.ok(await until(async () => ((await holder.query(waits)).rowCount ?? 0) > 0))
  await act(() => isAnswered)
  const { status, error } = await waiting
  await holder.query('rollback')
  await holder.end()
  assert.deepEqual([status, error?.statusMessage], [503, 'database_unavailable'])
  assert.ok(await isBack())
}

test('a connection that breaks under a statement is database_unavailable', () =>
  whileWaiting((isAnswered) =>
    // Repeatedly: a job of the server may wait for the lock before the request does.
    until(async () => {
      way.cut('closed')
      await way.restore()
      return until(async () => isAnswered(), 500)
    }),
  ))

test('a connection that PostgreSQL ends, as when it is shut down, is database_unavailable', () =>
  whileWaiting((isAnswered) =>
    until(async () => {
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return isAnswered()
    }),
  ))

test('no call that failed was charged', async () => {
  assert.ok(await until(async () => (await accountTotals(database, id)).open === 0))
})
