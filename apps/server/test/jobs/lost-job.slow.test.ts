import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { hourlyAt } from '../../src/scheduler.ts'
import { onEachDatabase } from '../support/databases.ts'
import { startProcesses } from './job-processes.ts'

onEachDatabase(({ kind, skip, database }) => {
  const query = (text: string) => database().pool.query(text)

  test(`${kind}: a job whose process died is run again when its lease has ended, and not before`, { skip }, async (t) => {
    const ran: string[] = []
    const processes = await startProcesses(
      2,
      { lost: { schedule: hourlyAt(0), run: async () => void ran.push('lost') } },
      database(),
    )
    t.after(() => processes.close())
    await query(
      `update housekeeping_job set runs = 1, due_at = clock_timestamp(), claimed_until = clock_timestamp() + interval '30 seconds'
        where name = 'lost'`,
    )
    assert.equal(await processes.look(), false)
    assert.deepEqual(ran, [])
    // As if the half minute were over.
    await query(`update housekeeping_job set claimed_until = clock_timestamp() where name = 'lost'`)
    await processes.look()
    assert.ok(await until(async () => ran.length === 1))
  })
})
