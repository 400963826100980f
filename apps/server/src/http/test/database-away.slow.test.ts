import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { startCuttable } from '../../../test/support/cuttable-server.ts'

const { database, id, requests, isBack, assertCut } = await startCuttable({ after })

test('a database that does not answer is database_unavailable, and is used again when it is back', () => assertCut('silent'))

test('a pool whose connections are all in use for too long is database_unavailable', async () => {
  const holder = await database.connect()
  await holder.query('begin')
  await holder.query('lock table api_key in access exclusive mode')
  const all = await Promise.all(Array.from({ length: 12 }, () => requests.usage?.() ?? assert.fail()))
  await holder.query('rollback')
  await holder.end()
  // Eight hold a connection, and end by the time limit of statements, which is an internal error; the others got none.
  assert.equal(all.filter(({ error }) => error?.statusMessage === 'database_unavailable').length, 4)
  assert.ok(await isBack())
})

test('no call that failed was charged', async () => {
  assert.ok(await until(async () => (await accountTotals(database, id)).open === 0))
})
