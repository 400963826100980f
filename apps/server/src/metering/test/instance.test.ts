import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { hashApiKey } from '../../accounts/api-keys.ts'
import type { Reservation } from '../admission-result.ts'
import { calls } from '../calls.ts'
import { INSTANCE_LOCK, registerInstance } from '../instance.ts'
import { voidStaleReservations } from '../reservations.ts'

onEachDatabase(({ kind, skip, database }) => {
  async function reserve(key: string, server: number, times: number): Promise<readonly Reservation[]> {
    const { admit } = calls(database().pool, { burstPerMinute: 0, server })
    const admittedValues = await Promise.all(Array.from({ length: times }, () => admit({ keyHash: hashApiKey(key) })))
    return admittedValues.map((one) => (one.verdict === 'ok' ? one.reservation : assert.fail(one.verdict)))
  }

  test(`${kind}: of two servers one goes: its reservations are given back, the other's stay`, { skip }, async () => {
    const errors: unknown[] = []
    const [goneInstance, stays] = await Promise.all([1, 2].map(() => registerInstance(database(), (error) => errors.push(error))))
    assert.ok(goneInstance && stays && goneInstance.server !== stays.server)
    const paying = await makeAccount(database(), 'free')
    const team = await makeAccount(database(), 'team')
    await grant(database(), paying.id, 10)
    for (const { key } of [paying, team]) {
      await reserve(key, goneInstance.server, 3)
      await reserve(key, stays.server, 2)
    }
    assert.equal(await voidStaleReservations(database().pool), 0)
    await goneInstance.close()
    // Two that look at once give back each of them once.
    const voidedNumbers = await Promise.all([1, 2].map(() => voidStaleReservations(database().pool)))
    assert.equal((voidedNumbers[0] ?? 0) + (voidedNumbers[1] ?? 0) + (await voidStaleReservations(database().pool)), 6)
    assert.deepEqual(await accountTotals(database(), paying.id), { credits: 10, reserved: 2, booked: 10, open: 2, used: 0 })
    assert.deepEqual(await accountTotals(database(), team.id), { credits: 0, reserved: 0, booked: 0, open: 2, used: 2 })
    await stays.close()
    assert.equal(await voidStaleReservations(database().pool), 4)
    assert.deepEqual(errors, [])
  })

  test(`${kind}: a server whose connection is cut comes back under its number`, { skip }, async () => {
    const errors: unknown[] = []
    const presence = await registerInstance(database(), (error) => errors.push(error))
    const holders = async (): Promise<readonly number[]> => {
      const { rows } = await database().pool.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2 and granted
            and database = (select oid from pg_database where datname = current_database())`,
        [INSTANCE_LOCK, presence.server],
      )
      return rows.map(({ pid }) => pid)
    }
    const [first] = await holders()
    await database().pool.query('select pg_terminate_backend($1)', [first])
    assert.ok(await until(async () => (await holders()).some((pid) => pid !== first)))
    assert.ok(errors.length > 0, 'and says so')
    const { key } = await makeAccount(database(), 'team')
    const [heldReservation] = await reserve(key, presence.server, 1)
    assert.equal(await voidStaleReservations(database().pool), 0)
    const { settle } = calls(database().pool, { burstPerMinute: 0, server: presence.server })
    assert.equal((await settle(heldReservation ?? assert.fail())).settled, true)
    await presence.close()
    assert.deepEqual(await holders(), [])
  })

  test(`${kind}: what is older than an hour is given back though its server lives, batches are not`, { skip }, async () => {
    const presence = await registerInstance(database(), assert.ifError)
    const { id, key } = await makeAccount(database(), 'team')
    const [old, batch, young] = await reserve(key, presence.server, 3)
    await database().pool.query(`update reservation set at = at - interval '61 minutes' where id <> $1`, [young?.id])
    await database().pool.query(`update reservation set server = null where id = $1`, [batch?.id])
    assert.equal(await voidStaleReservations(database().pool), 1)
    const { rows } = await database().pool.query('select id from reservation where account_id = $1', [id])
    assert.deepEqual(new Set(rows.map((row) => row.id)), new Set([batch?.id, young?.id]))
    // Its answer, were it still to come, would be an error: nothing is delivered unpaid.
    const { settle, voidReservation } = calls(database().pool, { burstPerMinute: 0, server: presence.server })
    assert.equal((await settle(old ?? assert.fail())).settled, false)
    for (const one of [batch, young]) assert.equal(await voidReservation(one ?? assert.fail()), true)
    await presence.close()
  })
})
