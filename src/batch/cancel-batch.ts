import type pg from 'pg'
import { isBatchId } from './batch-id.ts'

/**
 * Removes a batch in any state, and gives back the calls of what is not converted. Its files go soon after (`removeFiles`).
 * False when the account has no such batch.
 */
export async function cancelBatch(pool: pg.Pool, accountId: string, batchId: string): Promise<boolean> {
  if (!isBatchId(batchId)) return false
  const { rows } = await pool.query<{ cancelled: boolean }>('select cancel_batch($1, $2) as cancelled', [accountId, batchId])
  return rows[0]?.cancelled ?? false
}
