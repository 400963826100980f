import type pg from 'pg'
import { deleteInSlices } from '../database/delete-in-slices.ts'

/** Days of the AI quota that nothing is given back to any more: a request takes an hour at most. */
const PAST_DAYS = `(now() at time zone 'utc')::date - 7`

/** The oldest month that is kept, by its first day; this month is the thirteenth. */
const OLDEST = `(date_trunc('month', now() at time zone 'utc') - interval '12 months')`

export const oldUsage = [
  { table: 'usage_event', old: `at < ${OLDEST} at time zone 'utc'` },
  { table: 'usage_day', old: `day < ${OLDEST}` },
  { table: 'ai_usage_day', old: `day < ${OLDEST}` },
  { table: 'ai_day', old: `day < ${PAST_DAYS}` },
  { table: 'usage_month', old: `month < ${OLDEST}` },
  { table: 'background_month', old: `month < ${OLDEST}` },
] as const

/** Deletes events, days and months beyond the thirteenth, counting this month, and days of the AI quota after a week. Returns how many rows. */
export async function forgetOldUsage(pool: pg.Pool): Promise<number> {
  let total = 0
  for (const { table, old } of oldUsage) total += await deleteInSlices(pool, table, old)
  return total
}
