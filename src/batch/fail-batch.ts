import type pg from 'pg'
import type { BatchError } from './batch.ts'

/**
 * Fails a batch as a whole, as when its upload is lost: it has no result, and nothing of it is charged. False when it has
 * ended, or there is none.
 */
export async function failBatch(pool: pg.Pool, batchId: string, { code, message }: BatchError): Promise<boolean> {
  const { rows } = await pool.query<{ failed: boolean }>('select fail_batch($1, $2, $3) as failed', [batchId, code, message])
  return rows[0]?.failed ?? false
}
