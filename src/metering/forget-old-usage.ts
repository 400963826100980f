import type pg from 'pg'
import { deleteInSlices } from '../database/delete-in-slices.ts'

/** The oldest month that is kept, by its first day; this month is the thirteenth. */
const OLDEST = `(date_trunc('month', now() at time zone 'utc') - interval '12 months')`

export const oldUsage = [
  { table: 'usage_event', old: `at < ${OLDEST} at time zone 'utc'` },
  { table: 'usage_day', old: `day < ${OLDEST}` },
  { table: 'usage_month', old: `month < ${OLDEST}` },
] as const

/** Deletes events, days and months beyond the thirteenth, counting this month. Returns how many rows. */
export async function forgetOldUsage(pool: pg.Pool): Promise<number> {
  let total = 0
  for (const { table, old } of oldUsage) total += await deleteInSlices(pool, table, old)
  return total
}
