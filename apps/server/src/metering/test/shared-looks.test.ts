import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { admitCall } from '../../../test/support/batches.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import type { PlanLimits } from '../../contract/plans.ts'
import { aiQuota } from '../ai-images.ts'
import { INSTANCE_LOCK } from '../instance.ts'
import { removals } from '../removals.ts'
import { voidStaleReservations } from '../reservations.ts'

const limits: PlanLimits = { free: 5, pro: 5, team: 5, enterprise: null }

/** No server has it. */
const GONE = 1_000_001

onEachDatabase(({ kind, skip, database }) => {
  /** How each meter reserves one; a removal by a key reserves a call too. */
  const meters = {
    calls: (_id: string, key: string) => admitCall(database(), key, GONE),
    'AI images': (id: string) =>
      aiQuota(database().pool, { limits, server: GONE, onDelay: assert.ifError }).reserve(id, 'free', 1),
    removals: (id: string) =>
      removals(database().pool, { monthly: limits, burstPerMinute: 0, server: GONE }).admit({ accountId: id }),
  }
  /** What is open, held of credits, or counted in a day or month. */
  async function heldOf(id: string) {
    const { rows } = await database().pool.query<{ open: number; counted: number }>(
      `select (select count(*)::int from reservation where account_id = $1) as open,
              (select coalesce(sum(used), 0)::int from ai_day where account_id = $1)
                + (select coalesce(sum(used), 0)::int from background_month where account_id = $1) as counted`,
      [id],
    )
    const { open, counted } = rows[0] ?? assert.fail()
    return { open, taken: counted + (await accountTotals(database(), id)).reserved }
  }

  test(`${kind}: credits and a month are given back in the order in which batches are booked`, { skip }, async () => {
    const { id } = await makeAccount(database(), 'free')
    await grant(database(), id, 5)
    const { pool } = database()
    await pool.query(`update account set reserved = 1 where id = $1`, [id])
    await pool.query(`insert into usage_month (account_id, month, used) values ($1, '2020-01-01', 1)`, [id])
    await pool.query(
      `insert into reservation (id, account_id, meter, period, cost, server)
       select gen_random_uuid(), $1, 'call', period, 1, $2 from unnest(array['2020-01-01', null]::date[]) as of (period)`,
      [id, GONE],
    )
    const batches = await database().connect()
    await batches.query('begin')
    // As settle_batches() does, of a batch that credits pay and one that the month pays.
    await batches.query('select from account where id = $1 for no key update', [id])
    const voidedCount = voidStaleReservations(pool)
    const waiting = `select from pg_stat_activity where query like 'select void_stale%' and wait_event_type = 'Lock' and datname = current_database()`
    while ((await pool.query(waiting)).rowCount === 0);
    await batches.query('select from usage_month where account_id = $1 for no key update', [id])
    await batches.query('commit')
    assert.equal(await voidedCount, 2)
    assert.deepEqual(await heldOf(id), { open: 0, taken: 0 })
    await batches.end()
  })

  for (const [name, reserve] of Object.entries(meters)) {
    test(`${kind}: ${name} of a server that is gone are given back while a worker looks whether it is`, { skip }, async () => {
      const { id, key } = await makeAccount(database(), 'free')
      await grant(database(), id, 5)
      await reserve(id, key)
      assert.deepEqual(await heldOf(id), { open: 1, taken: 1 })
      const worker = await database().connect()
      await worker.query('begin')
      // As claim_images() does.
      await worker.query('select pg_try_advisory_xact_lock_shared($1, $2)', [INSTANCE_LOCK, GONE])
      assert.equal(await voidStaleReservations(database().pool), 1)
      assert.deepEqual(await heldOf(id), { open: 0, taken: 0 })
      await worker.end()
    })

    test(`${kind}: ${name} of a server that is there stay reserved`, { skip }, async () => {
      const { id, key } = await makeAccount(database(), 'free')
      await grant(database(), id, 5)
      await reserve(id, key)
      const server = await database().connect()
      await server.query('select pg_advisory_lock($1, $2)', [INSTANCE_LOCK, GONE])
      assert.equal(await voidStaleReservations(database().pool), 0)
      assert.deepEqual(await heldOf(id), { open: 1, taken: 1 })
      await server.end()
      await database().pool.query('select void_reservation(id) from reservation where account_id = $1', [id])
    })
  }
})
