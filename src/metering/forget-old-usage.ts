import type pg from 'pg'

/** Rows in one transaction, so that none is long. */
const SLICE = 5_000

/** The oldest month that is kept, by its first day; this month is the thirteenth. */
const OLDEST = `(date_trunc('month', clock_timestamp() at time zone 'utc') - interval '12 months')`

const tables = [
  { table: 'usage_event', old: `at < ${OLDEST} at time zone 'utc'` },
  { table: 'usage_day', old: `day < ${OLDEST}` },
  { table: 'usage_month', old: `month < ${OLDEST}` },
] as const

/** Deletes events, days and months beyond the thirteenth, counting this month. Returns how many rows. */
export async function forgetOldUsage(pool: pg.Pool): Promise<number> {
  let total = 0
  for (const { table, old } of tables) {
    for (let deleted = SLICE; deleted === SLICE; total += deleted) {
      const result = await pool.query(
        `delete from ${table} where ctid = any(array(select ctid from ${table} where ${old} limit ${SLICE}))`,
      )
      deleted = result.rowCount ?? 0
    }
  }
  return total
}
