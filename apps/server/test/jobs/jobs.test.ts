import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { jobs } from '../../src/housekeeping.ts'
import { findMismatches } from '../../src/metering/ledger.ts'
import { forgetOldUsage } from '../../src/metering/usage-log.ts'
import { dailyAt, everyMinute, hourlyAt, type Job, type JobTable, runFirst } from '../../src/scheduler.ts'
import { grant, makeAccount } from '../support/accounts.ts'
import { onEachDatabase } from '../support/databases.ts'
import { log, metric, services, startProcesses } from './job-processes.ts'

test('jobs that must run before listening run first, and a failure is counted', async () => {
  const ran: string[] = []
  const table = {
    first: { schedule: everyMinute, beforeListening: true, run: async () => void ran.push('first') },
    later: { schedule: everyMinute, run: async () => void ran.push('later') },
    failing: { schedule: everyMinute, beforeListening: true, run: () => Promise.reject(new Error('on purpose')) },
  }
  await runFirst(table, services(), log)
  assert.deepEqual(ran, ['first'])
  assert.ok(await metric('pixelmill_job_failures_total{job="failing"} 1'))
})

onEachDatabase(({ kind, skip, database }) => {
  const query = (text: string, values?: unknown[]) => database().pool.query(text, values)
  const start = (processes: number, table: JobTable) => startProcesses(processes, table, database())
  const plannedJobs = async () => (await query('select name from housekeeping_job order by name')).rows.map(({ name }) => name)
  const due = (name: string) => query('update housekeeping_job set due_at = clock_timestamp() where name = $1', [name])
  test(`${kind}: processes that start at the same time all succeed, and no job is due at once`, { skip }, async () => {
    const ran: string[] = []
    const processes = await start(3, { kept: { schedule: dailyAt(4, 30), run: async () => void ran.push('kept') } })
    const { rows } = await query(
      `select to_char(due_at at time zone 'utc', 'HH24:MI:SS') as at, due_at > clock_timestamp() as later,
              due_at <= clock_timestamp() + interval '1 day' as soon from housekeeping_job`,
    )
    await processes.close()
    assert.deepEqual([rows, ran], [[{ at: '04:30:00', later: true, soon: true }], []])
    await query('delete from housekeeping_job')
  })

  test(`${kind}: one process runs a job that is due, a retired job is not planned, and one of another version stays`, {
    skip,
  }, async (t) => {
    const ran: string[] = []
    const job = (name: string): Job => ({ schedule: dailyAt(4, 30), run: async () => void ran.push(name) })
    const newer = await start(2, { kept: job('kept'), gone: job('gone'), newer: job('newer') })
    await newer.close()
    await query(`update housekeeping_job set due_at = clock_timestamp() - interval '3 days' where name = 'gone'`)
    const processes = await start(2, { kept: job('kept') })
    t.after(() => processes.close())
    assert.deepEqual(await plannedJobs(), ['kept', 'newer'])
    await Promise.all([due('kept'), due('newer')])
    await processes.look()
    assert.ok(await until(async () => ran.length > 0))
    assert.equal(await processes.look(), false)
    assert.deepEqual(ran, ['kept'])
    const row = async () => {
      const { rows } = await query(
        `select runs, claimed_until, due_at > clock_timestamp() as later from housekeeping_job where name = 'kept'`,
      )
      return rows[0]
    }
    // The claim ends after the run.
    assert.ok(await until(async () => (await row()).claimed_until === null))
    assert.deepEqual(await row(), { runs: 1, claimed_until: null, later: true })
  })

  test(`${kind}: a job that fails is counted, and run again when it is due`, { skip }, async (t) => {
    const name = `failing on ${kind}`
    let runs = 0
    const failing: Job = { schedule: hourlyAt(0), run: () => Promise.reject(new Error(`on purpose, ${++runs}`)) }
    const processes = await start(1, { [name]: failing })
    t.after(() => processes.close())
    for (const nth of [1, 2]) {
      await due(name)
      await processes.look()
      assert.ok(await until(async () => runs === nth, 20_000))
      assert.ok(await until(() => metric(`pixelmill_job_failures_total{job="${name}"} ${nth}`)))
    }
  })

  test(`${kind}: the ledger's check finds credits and reservations that do not match the ledger`, { skip }, async () => {
    const [credits, reservedItem, right] = await Promise.all([1, 2, 3].map(() => makeAccount(database(), 'free')))
    assert.ok(credits && reservedItem && right)
    for (const { id } of [credits, reservedItem, right]) await grant(database(), id, 10)
    await jobs['check-ledger'].run(services(database()), log)
    assert.ok(await metric('pixelmill_ledger_mismatches 0'))
    await database().pool.query('update account set credits = 11 where id = $1', [credits.id])
    await database().pool.query('update account set reserved = 1 where id = $1', [reservedItem.id])
    const foundMismatches = await findMismatches(database())
    assert.deepEqual(new Set(foundMismatches.map(({ account }) => account)), new Set([credits.id, reservedItem.id]))
    assert.deepEqual(
      foundMismatches.find(({ account }) => account === credits.id),
      { account: credits.id, credits: 11, booked: 10, reserved: 0, held: 0 },
    )
    await jobs['check-ledger'].run(services(database()), log)
    assert.ok(await metric('pixelmill_ledger_mismatches 2'))
    await database().pool.query('update account set credits = 10, reserved = 0 where id in ($1, $2)', [
      credits.id,
      reservedItem.id,
    ])
  })

  test(`${kind}: thirteen months of usage are kept, with this one, and older rows are deleted in slices`, {
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
