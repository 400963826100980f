import type pg from 'pg'
import { type BatchError, isBatchId } from './batch.ts'

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

/**
 * Removes a batch in any state, and gives back the calls of what is not converted. Its files go soon after (`removeFiles`).
 * False when the account has no such batch.
 */
export async function cancelBatch(pool: pg.Pool, accountId: string, batchId: string): Promise<boolean> {
  if (!isBatchId(batchId)) return false
  const { rows } = await pool.query<{ cancelled: boolean }>('select cancel_batch($1, $2) as cancelled', [accountId, batchId])
  return rows[0]?.cancelled ?? false
}

/**
 * Fails a batch as a whole, as when its upload is lost: it has no result, and nothing of it is charged. False when it has
 * ended, or there is none.
 */
export async function failBatch(pool: pg.Pool, batchId: string, { code, message }: BatchError): Promise<boolean> {
  const { rows } = await pool.query('select fail_batches(array[$1::uuid], $2, $3)', [batchId, code, message])
  return rows.length > 0
}
