import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { jobs } from '../../src/housekeeping.ts'
import { openLog } from '../../src/log.ts'
import { findMismatches } from '../../src/metering/check-ledger.ts'
import { forgetOldUsage } from '../../src/metering/forget-old-usage.ts'
import { metrics } from '../../src/metrics/metrics.ts'
import { openQueue } from '../../src/queue/queue.ts'
import { defineJob, runFirst, startJobs } from '../../src/scheduler.ts'
import type { Services } from '../../src/services.ts'
import { grant, makeAccount } from '../support/accounts.ts'
import { onEachDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'

const log = openLog('silent')
const meters = metrics()
const metric = async (line: string) => (await meters.registry.metrics()).includes(`\n${line}\n`)
const noEvents = { onError() {}, onWarning() {} }
/** What jobs need of the services. */
const services = (database?: Services['database']) => ({ database, metrics: meters }) as Services

test('of the jobs those that come before listening run first, and a failure is counted', async () => {
  const ran: string[] = []
  const table = {
    first: defineJob({ cron: '* * * * *', beforeListening: true, run: async () => void ran.push('first') }),
    later: defineJob({ cron: '* * * * *', run: async () => void ran.push('later') }),
    failing: defineJob({ cron: '* * * * *', beforeListening: true, run: () => Promise.reject(new Error('on purpose')) }),
  }
  await runFirst(table, services(), log)
  assert.deepEqual(ran, ['first'])
  assert.ok(await metric('pixelmill_job_failures_total{job="failing"} 1'))
})

onEachDatabase(({ kind, skip, database }) => {
  test(`${kind}: what is due is run by one process, a retired job is planned no more, and one of another version stays`, {
    skip,
  }, async (t) => {
    const ran: string[] = []
    const job = (name: string) => defineJob({ cron: '30 4 * * *', run: async () => void ran.push(name) })
    const processes = await Promise.all(['one', 'other'].map(() => openQueue(database(), true, noEvents)))
    t.after(() => Promise.all(processes.map((queue) => queue.close())))
    for (const queue of processes) {
      await startJobs({ kept: job('kept'), gone: job('gone'), newer: job('newer') }, [], { ...services(database()), queue }, log)
      await startJobs({ kept: job('kept') }, ['gone', 'never planned'], { ...services(database()), queue }, log)
    }
    const { rows } = await database().pool.query('select key, cron from pgboss.schedule order by key')
    assert.deepEqual(rows, [
      { key: 'kept', cron: '30 4 * * *' },
      { key: 'newer', cron: '30 4 * * *' },
    ])
    await Promise.all(processes.map((queue) => queue.send('housekeeping', { job: 'kept' }, { key: 'kept' })))
    // A look comes every five seconds.
    assert.ok(await until(async () => ran.length > 0, 20_000))
    await sleep(6_000)
    assert.deepEqual(ran, ['kept'])
  })

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
    await database().pool.query(`insert into background_month select begin::date, $1, 5 from ${months}`, [id])
    await database().pool.query(`insert into usage_day select $1, begin::date, '/x', 5 from ${months}`, [id])
    await database().pool.query(
      `insert into usage_event select gen_random_uuid(), $1, $1, '/x', 200, null, 1, 1, 1,
         begin at time zone 'utc' + n * interval '1 second' from ${months}, generate_series(0, 5000) n`,
      [id],
    )
    await database().pool.query(`insert into ai_usage_day select $1, begin::date, 1, 1, 1, 1 from ${months}`, [id])
    await database().pool.query(
      `insert into ai_day select (clock_timestamp() at time zone 'utc')::date - n, $1, 1 from generate_series(0, 9) n`,
      [id],
    )
    // Of each table the two oldest months, and of the AI quota the two oldest days.
    assert.equal(await forgetOldUsage(database().pool), 2 + 2 + 2 + 2 * 5_001 + 2 + 2)
    assert.equal(await forgetOldUsage(database().pool), 0)
    for (const [table, left] of [
      ['usage_month', 13],
      ['background_month', 13],
      ['usage_day', 13],
      ['usage_event', 13 * 5_001],
      ['ai_usage_day', 13],
      ['ai_day', 8],
    ] as const) {
      const { rows } = await database().pool.query(`select count(*)::int as left from ${table} where account_id = $1`, [id])
      assert.equal(rows[0].left, left, table)
    }
  })
})
