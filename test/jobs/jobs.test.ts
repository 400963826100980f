import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { jobs } from '../../src/jobs/index.ts'
import { defineJob } from '../../src/jobs/job.ts'
import { startJobs } from '../../src/jobs/scheduler.ts'
import { openLog } from '../../src/log.ts'
import { findMismatches } from '../../src/metering/check-ledger.ts'
import { forgetOldUsage } from '../../src/metering/forget-old-usage.ts'
import { metrics } from '../../src/metrics/metrics.ts'
import type { Services } from '../../src/services.ts'
import { grant, makeAccount } from '../support/accounts.ts'
import { onEachDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'

const log = openLog('silent')
const meters = metrics()
const metric = async (line: string) => (await meters.registry.metrics()).includes(`\n${line}\n`)
/** What jobs need of the services. */
const services = (database?: Services['database']) => ({ database, metrics: meters }) as Services

test('jobs run at once and again, those before listening first; one run at a time, and a failure is counted', async () => {
  const ran: string[] = []
  let atOnce = 0
  const table = {
    first: defineJob({
      everySeconds: 60,
      beforeListening: true,
      run: async () => {
        await sleep(50)
        ran.push('first')
      },
    }),
    often: defineJob({
      everySeconds: 0.01,
      run: async () => {
        assert.equal(++atOnce, 1)
        await sleep(20)
        atOnce--
        ran.push('often')
      },
    }),
    failing: defineJob({ everySeconds: 0.01, run: () => Promise.reject(new Error('on purpose')) }),
  }
  const scheduler = await startJobs(table, services(), log)
  assert.ok(ran.includes('first'))
  assert.ok(await until(async () => ran.filter((name) => name === 'often').length >= 3))
  await scheduler.close()
  const [after, idle] = [ran.length, atOnce]
  await sleep(100)
  assert.deepEqual([ran.length, idle], [after, 0])
  assert.match(await meters.registry.metrics(), /pixelmill_job_failures_total\{job="failing"\} \d+/)
  assert.doesNotMatch(await meters.registry.metrics(), /job="often"/)
})

onEachDatabase(({ kind, skip, database }) => {
  test(`${kind}: the ledger's check finds credits and reservations that were changed past it`, { skip }, async () => {
    const [credits, reserved, right] = await Promise.all([1, 2, 3].map(() => makeAccount(database(), 'free')))
    assert.ok(credits && reserved && right)
    for (const { id } of [credits, reserved, right]) await grant(database(), id, 10)
    await jobs['check-ledger'].run(services(database()), log)
    assert.ok(await metric('pixelmill_ledger_mismatches 0'))
    await database().pool.query('update account set credits = 11 where id = $1', [credits.id])
    await database().pool.query('update account set reserved = 1 where id = $1', [reserved.id])
    const found = await findMismatches(database())
    assert.deepEqual(new Set(found.map(({ account }) => account)), new Set([credits.id, reserved.id]))
    assert.deepEqual(
      found.find(({ account }) => account === credits.id),
      { account: credits.id, credits: 11, booked: 10, reserved: 0, held: 0 },
    )
    await jobs['check-ledger'].run(services(database()), log)
    assert.ok(await metric('pixelmill_ledger_mismatches 2'))
    await database().pool.query('update account set credits = 10, reserved = 0 where id in ($1, $2)', [credits.id, reserved.id])
  })

  test(`${kind}: thirteen months of usage are kept, this one among them, and the rest forgotten in slices`, {
    skip,
  }, async () => {
    const { id } = await makeAccount(database(), 'team')
    const months = `generate_series(0, 14) as m, lateral (
      select date_trunc('month', clock_timestamp() at time zone 'utc') - m * interval '1 month' as begin) as of`
    await database().pool.query(`insert into usage_month select $1, begin::date, 5 from ${months}`, [id])
    await database().pool.query(`insert into usage_day select $1, begin::date, '/x', 5 from ${months}`, [id])
    await database().pool.query(
      `insert into usage_event select gen_random_uuid(), $1, $1, '/x', 200, null, 1, 1, 1,
         begin at time zone 'utc' + n * interval '1 second' from ${months}, generate_series(0, 5000) n`,
      [id],
    )
    // Of each table the two oldest months.
    assert.equal(await forgetOldUsage(database().pool), 2 + 2 + 2 * 5_001)
    assert.equal(await forgetOldUsage(database().pool), 0)
    for (const [table, left] of [
      ['usage_month', 13],
      ['usage_day', 13],
      ['usage_event', 13 * 5_001],
    ] as const) {
      const { rows } = await database().pool.query(`select count(*)::int as left from ${table} where account_id = $1`, [id])
      assert.equal(rows[0].left, left, table)
    }
  })
})
