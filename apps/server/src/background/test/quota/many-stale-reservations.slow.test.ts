import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeAccount } from '../../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../../test/support/databases.ts'
import { voidStaleReservations } from '../../../metering/reservations.ts'
import { removalTotals } from './removal-totals.ts'

onEachDatabase(({ kind, skip, database }) => {
  const all = (id: string) => removalTotals(database(), id)
  /** What the tables say: images used on all days, and open reservations. */
  async function imagesOf(account: string) {
    const { rows } = await database().pool.query<{ used: number; open: number }>(
      `select (select coalesce(sum(used), 0)::int from ai_day where account_id = $1) as used,
              (select count(*)::int from reservation where account_id = $1 and meter = 'ai_image') as open`,
      [account],
    )
    return rows[0]
  }

  test(`${kind}: 2,100 removals that dead servers had reserved are refunded in batches`, { skip }, async () => {
    await voidStaleReservations(database().pool)
    const { id } = await makeAccount(database(), 'enterprise')
    await database().pool.query(
      `select count(admit_removal(null, $1, gen_random_uuid(), -1 - n % 3, 0, '{}', '{}')) from generate_series(1, 2100) n`,
      [id],
    )
    assert.deepEqual((await all(id)).held, [2_100, 0])
    assert.equal(await voidStaleReservations(database().pool), 2_100)
    assert.deepEqual(await all(id), { removals: 0, calls: 0, held: [0, 0] })
  })

  test(`${kind}: 2,100 AI images that dead servers had reserved are refunded in batches`, { skip }, async () => {
    const { id } = await makeAccount(database(), 'pro')
    await database().pool.query(
      `select reserve_ai_images(gen_random_uuid(), $1, 2, null, -1 - n % 3) from generate_series(1, 2100) n`,
      [id],
    )
    assert.equal(await voidStaleReservations(database().pool), 2_100)
    assert.deepEqual(await imagesOf(id), { used: 0, open: 0 })
  })
})
