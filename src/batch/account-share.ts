import type pg from 'pg'
import { ApiError } from '../contract/api-error.ts'
import { megabytes } from '../contract/limits.ts'

/** What one account may have waiting at once. */
export interface AccountShare {
  /** Batches that have not ended. */
  readonly batches: number
  /** Of their archives, as they were sent. */
  readonly bytes: number
}

const HELD = 'select batches, upload_bytes as bytes from batch_share($1)'

/** A batch of a few hundred images ends within this. */
const RETRY_AFTER_SECONDS = 15

/**
 * Whether the account may send an archive of so many bytes, asked before a byte of it is read. What is sent at the same time does
 * not count yet: `insertBatch` asks again.
 * @throws ApiError too_many_batches
 */
export async function requireShare(pool: pg.Pool, accountId: string, most: AccountShare, bytes: number): Promise<void> {
  const { rows } = await pool.query<AccountShare>(HELD, [accountId])
  const [held] = rows
  if (!held) throw new Error('batch_share() returned no row')
  if (held.batches > 0 && (held.batches >= most.batches || held.bytes + bytes > most.bytes)) throw tooManyBatches(held, most)
}

export function tooManyBatches(held: AccountShare, most: AccountShare): ApiError {
  const message =
    held.batches >= most.batches
      ? `${held.batches} batches of this account have not ended, and ${most.batches} may wait; wait for one of them.`
      : `The account's batches that have not ended hold archives of ${megabytes(held.bytes)}, and ${megabytes(most.bytes)} are allowed with this one; wait for one of them.`
  return new ApiError('too_many_batches', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
}
