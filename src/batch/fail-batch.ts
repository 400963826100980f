import type pg from 'pg'
import type { BatchError } from './batch.ts'

/**
 * Fails a batch as a whole, as when its upload is lost: it has no result, and nothing of it is charged. False when it has
 * ended, or there is none.
 */
export async function failBatch(pool: pg.Pool, batchId: string, { code, message }: BatchError): Promise<boolean> {
  const { rows } = await pool.query('select fail_batches(array[$1::uuid], $2, $3)', [batchId, code, message])
  return rows.length > 0
}
