import type pg from 'pg'
import { PRESENCE_LOCK } from '../../metering/presence.ts'

/** `void_stale_background()` takes as many at once, so that no transaction is long. */
const SLICE = 1_000

/** Gives back the removals of servers that are gone, and those older than an hour, with their calls. Returns how many. */
export async function voidStaleRemovals(pool: pg.Pool): Promise<number> {
  for (let total = 0; ; ) {
    const { rows } = await pool.query<{ voided: number }>('select void_stale_background($1, $2) as voided', [
      PRESENCE_LOCK,
      SLICE,
    ])
    const voided = rows[0]?.voided ?? 0
    total += voided
    if (voided < SLICE) return total
  }
}
