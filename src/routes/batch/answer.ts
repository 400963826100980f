import { z } from 'zod'
import type { Batch } from '../../batch/batch.ts'
import { findBatch } from '../../batch/find-batches.ts'
import { ApiError } from '../../contract/api-error.ts'
import { batchStatuses, itemStatuses } from '../../contract/batch-status.ts'
import type { Call } from '../../http/route.ts'
import { targetFormats } from '../../web/image-formats.ts'

const images = z.int().min(0)

/** The status body (contract §5); `statusBody` makes it. */
export const batchAnswer = z.object({
  id: z.uuid(),
  name: z.string().optional().describe('What its owner calls it; absent where it was sent without a name.'),
  status: z.enum(batchStatuses).describe('queued and processing are under way; completed and failed are its end.'),
  format: z.enum(targetFormats),
  quality: z.int().min(1).max(100),
  progress: z
    .object({ total: images, done: images, succeeded: images, failed: images, percent: z.int().min(0).max(100) })
    .describe('Images; entries that are none do not count. done is succeeded and failed together.'),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().optional(),
  finishedAt: z.iso.datetime().optional(),
  expiresAt: z.iso.datetime().optional().describe('Until when there is a result: 24 hours after finishedAt.'),
  resultUrl: z.string().optional().describe('The path of the result, while there is one.'),
  error: z
    .object({
      code: z
        .string()
        .describe('An identifier of the errors page, or stale: no progress for 30 minutes, and nothing was charged.'),
      message: z.string(),
    })
    .optional()
    .describe('Why it failed as a whole.'),
})

const count = z.int().min(0).nullable()

/** manifest.json of a result: contract §5. */
export const manifest = z
  .array(
    z.object({
      source: z.string().describe("The entry's path, with / between the segments."),
      output: z.string().nullable().describe('The path of the image in the result; null when there is none.'),
      status: z.enum(itemStatuses),
      inputBytes: count.describe('Unpacked.'),
      outputBytes: count,
      width: count.describe('Of the output, in pixels.'),
      height: count.describe('Of the output, in pixels.'),
      error: z
        .object({ code: z.string(), message: z.string() })
        .optional()
        .describe('Of what failed: as the endpoint for one image would have answered.'),
    }),
  )
  .describe("manifest.json in the result of a batch: each entry of the archive, in the archive's order.")

/**
 * The batch in the path.
 * @throws ApiError batch_not_found, also for another account's batch and a malformed id
 */
export async function ownBatch({ path, visitor, services }: Pick<Call, 'path' | 'visitor' | 'services'>): Promise<Batch> {
  if (visitor.account === undefined) throw new Error('batches are of an account')
  const batch = await findBatch(services.database.pool, visitor.account, path.id ?? '')
  if (!batch) throw new ApiError('batch_not_found')
  return batch
}

export const hasEnded = ({ status }: Pick<Batch, 'status'>): boolean => status === 'completed' || status === 'failed'

/** Images that a server converts in a second: an estimate for Retry-After. */
const IMAGES_A_SECOND = 20
const LONGEST_WAIT_S = 15

/** Seconds after which to poll again. */
export const secondsLeft = ({ total, succeeded, failed }: Batch): number =>
  Math.min(LONGEST_WAIT_S, Math.max(1, Math.ceil((total - succeeded - failed) / IMAGES_A_SECOND)))

export const retryAfterText = 'While the batch is running: seconds after which to poll again.'
