import type pg from 'pg'

/** Batches in one transaction, so that none is long: each may have thousands of rows of images. */
const SLICE = 20

async function untilDone(pool: pg.Pool, statement: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (;;) {
    const { rows } = await pool.query<{ id: string }>(statement, [SLICE])
    ids.push(...rows.map(({ id }) => id))
    if (rows.length < SLICE) return ids
  }
}

/** Fails batches that made no progress for 30 minutes though somebody was there to work on them. Returns their ids. */
export const failStaleBatches = (pool: pg.Pool): Promise<readonly string[]> =>
  untilDone(pool, 'select id from fail_stale_batches($1) as id')

/** Ends the life of results older than 24 hours: what is known of their images goes, and their files soon after (`removeFiles`). */
export const expireBatches = (pool: pg.Pool): Promise<readonly string[]> =>
  untilDone(pool, 'select id from expire_batches($1) as id')

/** Forgets batches 30 days after their end. */
export const forgetOldBatches = (pool: pg.Pool): Promise<readonly string[]> =>
  untilDone(
    pool,
    `delete from batch where id = any(array(
       select id from batch where cleared and finished_at < clock_timestamp() - interval '30 days' limit $1))
     returning id`,
  )
