import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { forgetOldRequests } from '../../idempotency/idempotency.ts'
import { CREDITS, readCredits } from '../../metering/ledger.ts'
import { oldUsage } from '../../metering/usage-log.ts'
import { deleteInSlices, sliceOf } from '../delete-in-slices.ts'

onEachDatabase(({ kind, skip, database }) => {
  /** The plan that is left where the table may not be read from end to end: none but a full read, if no index can be asked. */
  async function planOf(statement: string, off: readonly string[] = ['seqscan', 'bitmapscan']): Promise<string> {
    const connection = await database().connect()
    try {
      for (const way of off) await connection.query(`set enable_${way} = off`)
      const { rows } = await connection.query<Record<'QUERY PLAN', string>>(`explain ${statement}`)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    } finally {
      await connection.end()
    }
  }

  const slices = [
    ...oldUsage.filter(({ table }) => table !== 'usage_month'),
    { table: 'idempotent_request', old: 'expires_at <= now()' },
    { table: 'stripe_event', old: `at < now() - interval '90 days'` },
    { table: 'login_token', old: 'expires_at < now()' },
    { table: 'known_place', old: 'expires_at < now()' },
  ]
  const indexes = [
    'usage_event_at',
    'usage_day_day',
    'ai_usage_day_day',
    'ai_day_pkey',
    'source_day_day',
    'background_month_pkey',
    'idempotent_request_expires',
    'stripe_event_at',
    'login_token_expires',
  ]
  for (const [n, { table, old }] of slices.entries()) {
    test(`${kind}: what is old in ${table} is found by an index`, { skip }, async () => {
      assert.match(
        await planOf(sliceOf(table, old)),
        new RegExp(`Index (Only )?Scan using ${indexes[n] ?? 'known_place_expires'} .*\n *Index Cond`),
      )
    })
  }

  test(`${kind}: twelve thousand old answers go in three slices, and the young stay`, { skip }, async () => {
    const { pool } = database()
    const { id } = await makeAccount(database(), 'team')
    const fill = `insert into idempotent_request (account_id, route, key, fingerprint, claim, expires_at)
      select $1, 'test', $2 || n, '', gen_random_uuid(), now() + $3::interval from generate_series(1, $4::int) n`
    await pool.query(fill, [id, 'old', '-1 second', 12_000])
    await pool.query(fill, [id, 'young', '1 hour', 7])
    assert.equal((await pool.query(sliceOf('idempotent_request', 'expires_at <= now()'))).rowCount, 5_000)
    assert.equal(await forgetOldRequests(pool), 7_000)
    assert.equal(await deleteInSlices(pool, 'idempotent_request', `expires_at > now()`), 7)
  })

  test(`${kind}: the credits of an account that is seldom in a large ledger are not looked for in all of it`, {
    skip,
  }, async () => {
    const { pool } = database()
    const [quiet, ...busy] = await Promise.all([1, 2, 3].map(async () => (await makeAccount(database(), 'free')).id))
    await pool.query(`select add_credits($1, 'grant', 5, 'quiet')`, [quiet])
    await pool.query(
      `insert into credit_entry (account_id, kind, credits, balance, reference)
       select ($1::uuid[])[1 + n % 2], 'call', -1, 0, 'call ' || n from generate_series(1, 20000) n`,
      [busy],
    )
    await pool.query('analyze credit_entry')
    const plan = await planOf(CREDITS.replaceAll('$1', `'${quiet}'`), [])
    assert.match(plan, /using credit_entry_account/)
    assert.doesNotMatch(plan, /Filter/)
    const { ledger } = await readCredits(pool, quiet ?? '')
    assert.deepEqual(
      ledger.map(({ kind, credits }) => [kind, credits]),
      [['grant', 5]],
    )
    const { ledger: long } = await readCredits(pool, busy[0] ?? '')
    const ids = long.map(({ id }) => id)
    assert.equal(ids.length, 100)
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => other - one),
    )
  })
})
