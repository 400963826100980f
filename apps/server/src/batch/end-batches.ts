import { limits } from '@pixelmill/codecs/contract/limits'
import type pg from 'pg'
import { type BatchError, isBatchId } from './batch.ts'

/** Batches in one transaction, which keeps it short: each may have thousands of rows of images. */
const SLICE = 20

async function untilDone(pool: pg.Pool, statement: string, ...values: readonly (string | number)[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (;;) {
    const { rows } = await pool.query<{ id: string }>(statement, [SLICE, ...values])
    ids.push(...rows.map(({ id }) => id))
    if (rows.length < SLICE) return ids
  }
}

const { staleSeconds, unwatchedSeconds, resultSeconds } = limits.batches

const STALE = {
  code: 'stale',
  message: `The batch made no progress for ${staleSeconds / 60} minutes. Nothing was charged; please send it again.`,
} as const

/** Fails batches that made no progress for 30 minutes although a worker was running. Returns their ids. */
export const failStaleBatches = (pool: pg.Pool): Promise<readonly string[]> =>
  untilDone(
    pool,
    'select id from fail_stale_batches($1, $2, $3, make_interval(secs => $4), make_interval(secs => $5), $6) as id',
    STALE.code,
    STALE.message,
    staleSeconds,
    unwatchedSeconds,
    resultSeconds,
  )

/** Expires results older than 24 hours: deletes the rows of their images; their files are removed soon after (`removeFiles`). */
export const expireBatches = (pool: pg.Pool): Promise<readonly string[]> =>
  untilDone(pool, 'select id from expire_batches($1) as id')

/** Deletes the rows of batches 30 days after their end. */
export const forgetOldBatches = (pool: pg.Pool): Promise<readonly string[]> =>
  untilDone(
    pool,
    `delete from batch where id = any(array(
       select id from batch where cleared and finished_at < clock_timestamp() - interval '30 days' limit $1))
     returning id`,
  )

/**
 * Deletes a batch in any state, and gives back the calls of images that are not converted. Its files are removed soon after
 * (`removeFiles`). False if the account has no such batch.
 */
export async function cancelBatch(pool: pg.Pool, accountId: string, batchId: string): Promise<boolean> {
  if (!isBatchId(batchId)) return false
  const { rows } = await pool.query<{ cancelled: boolean }>('select cancel_batch($1, $2) as cancelled', [accountId, batchId])
  return rows[0]?.cancelled ?? false
}

/** Fails a whole batch, such as when its upload is lost: nothing of it is charged. False if it has ended or does not exist. */
export async function failBatch(pool: pg.Pool, batchId: string, { code, message }: BatchError): Promise<boolean> {
  const { rows } = await pool.query('select fail_batches(array[$1::uuid], $2, $3, $4)', [batchId, code, message, resultSeconds])
  return rows.length > 0
}
