import type pg from 'pg'
import { PRESENCE_LOCK } from '../../metering/presence.ts'

/** `give_back_stale_images()` takes as many at once, so that no transaction is long. */
const SLICE = 1_000

/** Gives back the images of AI requests whose servers are gone, and of those older than an hour. Returns how many requests. */
export async function giveBackStaleImages(pool: pg.Pool): Promise<number> {
  for (let total = 0; ; ) {
    const { rows } = await pool.query<{ given: number }>('select give_back_stale_images($1, $2) as given', [PRESENCE_LOCK, SLICE])
    const given = rows[0]?.given ?? 0
    total += given
    if (given < SLICE) return total
  }
}
