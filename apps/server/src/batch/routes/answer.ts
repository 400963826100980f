import { component } from '@pixelmill/codecs/contract/component'
import { targetFormats } from '@pixelmill/codecs/image-formats'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { sourceFeatures } from '@pixelmill/engine/tasks/task'
import { z } from 'zod'
import { ApiError } from '../../contract/api-error.ts'
import { batchStatuses, itemStatuses } from '../../contract/batch-status.ts'
import { itemError } from '../../contract/item-error.ts'
import type { Call } from '../../http/route.ts'
import type { Batch } from '../batch.ts'
import { findBatch } from '../find-batches.ts'

const images = z.int().min(0)

/** The status body (docs/batch.md); `statusBody` makes it. */
export const batchAnswer = z
  .object({
    id: z.uuid(),
    name: z.string().optional().describe('The name given by its owner; absent if there is none.'),
    status: z
      .enum(batchStatuses)
      .meta(component('BatchStatus'))
      .describe('queued and processing are in progress; completed and failed are final.'),
    format: z.enum(targetFormats).optional().describe('Absent with a recipe, and with optimize.'),
    optimize: z.boolean().optional().describe('Each image keeps its format and becomes smaller, or stays as it is.'),
    quality: z.int().min(1).max(100).optional().describe('Does not apply with visualQuality; absent with a recipe.'),
    recipe: recipeSchema.optional().describe('As requested, with its defaults.'),
    recipeId: z.string().optional(),
    visualQuality: z.number().optional().describe('As requested.'),
    maxBytes: z.int().optional().describe('As requested.'),
    progress: z
      .object({ total: images, done: images, succeeded: images, failed: images, percent: z.int().min(0).max(100) })
      .meta(component('BatchProgress'))
      .describe('Numbers of images, without other entries. done is succeeded plus failed.'),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().optional(),
    finishedAt: z.iso.datetime().optional(),
    expiresAt: z.iso.datetime().optional().describe('When the result expires: 24 hours after finishedAt.'),
    resultUrl: z.string().optional().describe('The path of the result, while it is available.'),
    error: z
      .object({
        code: z.string().describe('An error identifier, or stale: no progress for 30 minutes, and nothing was charged.'),
        message: z.string(),
      })
      .meta(component('BatchError'))
      .optional()
      .describe('Why the whole batch failed.'),
  })
  .meta(component('Batch'))

const count = z.int().min(0).nullable()

/** manifest.json of a result: docs/batch.md. */
export const manifest = z
  .array(
    z.object({
      source: z.string().describe("The entry's path, with / between the segments."),
      output: z.string().nullable().describe('The path of the image in the result; null when there is none.'),
      outputName: z.string().optional().describe('With several outputs: which one this is.'),
      status: z.enum(itemStatuses).meta(component('EntryStatus')),
      inputBytes: count.describe('Unpacked.'),
      outputBytes: count,
      width: count.describe('Of the output, in pixels.'),
      height: count.describe('Of the output, in pixels.'),
      ...sourceFeatures,
      error: itemError.optional().describe('Only if it failed: the error that the endpoint for single images would return.'),
    }),
  )
  .describe('manifest.json in the result of a batch: all entries of the archive, in its order.')

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
