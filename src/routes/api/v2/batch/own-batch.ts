import type { Batch } from '../../../../batch/batch.ts'
import { findBatch } from '../../../../batch/find-batches.ts'
import { ApiError } from '../../../../contract/api-error.ts'
import type { Call } from '../../../../http/route.ts'

/**
 * The batch that the path names.
 * @throws ApiError batch_not_found, also for another account's and for what is no id
 */
export async function ownBatch({ path, visitor, services }: Pick<Call, 'path' | 'visitor' | 'services'>): Promise<Batch> {
  if (visitor.account === undefined) throw new Error('batches are of an account')
  const batch = await findBatch(services.database.pool, visitor.account, path.id ?? '')
  if (!batch) throw new ApiError('batch_not_found')
  return batch
}

export const hasEnded = ({ status }: Pick<Batch, 'status'>): boolean => status === 'completed' || status === 'failed'

/** Images that a server converts in a second, so that a large batch is not asked for in vain. */
const IMAGES_A_SECOND = 20
const LONGEST_WAIT_S = 15

/** Seconds after which it is worth to ask again. */
export const secondsLeft = ({ total, succeeded, failed }: Batch): number =>
  Math.min(LONGEST_WAIT_S, Math.max(1, Math.ceil((total - succeeded - failed) / IMAGES_A_SECOND)))

export const retryAfterText = 'While it is under way: seconds after which it is worth to ask again.'
