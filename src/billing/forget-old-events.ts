import type pg from 'pg'

/** Forgets which events were worked off more than 90 days ago; returns how many. What they changed stays. */
export async function forgetOldEvents(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query("delete from stripe_event where at < clock_timestamp() - interval '90 days'")
  return rowCount ?? 0
}
