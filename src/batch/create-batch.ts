import { type ArchiveLimits, inspectArchive } from '../archives/inspect.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Database } from '../database/database.ts'
import type { AccountShare } from './account-share.ts'
import type { Batch } from './batch.ts'
import { uploadKey } from './blob-keys.ts'
import { chooseImages, type NewItem } from './choose-images.ts'
import { findBatch } from './find-batch.ts'
import { insertBatch, type NewBatch } from './insert-batch.ts'

export interface BatchLimits {
  readonly archive: ArchiveLimits
  readonly share: AccountShare
}

export interface BatchStores {
  readonly database: Pick<Database, 'pool'>
  readonly blobs: BlobStore
}

/**
 * Makes a batch of an archive that was uploaded. Its call is then the batch's (`handOver`); it is given back where the batch
 * exists already under its idempotency key: then that batch is returned, under another id.
 * The upload is the batch's as well: where none is made of it, it is deleted here, or after an error of ours by the sweep.
 * @throws ApiError invalid_archive, archive_too_large, archive_has_no_images, too_many_batches, monthly_limit_exceeded,
 * insufficient_credits, idempotency_key_reused
 */
export async function createBatch(stores: BatchStores, { archive, share }: BatchLimits, batch: NewBatch): Promise<Batch> {
  const { database, blobs } = stores
  const { id, call } = batch
  let inserting = false
  try {
    const items = await readItems(blobs, archive, batch)
    inserting = true
    const { batchId, remaining } = await insertBatch(database.pool, share, batch, items)
    if (batchId === id) {
      call.handOver(remaining)
    } else {
      await call.giveBack()
      await blobs.delete(uploadKey(id))
    }
    const created = await findBatch(database.pool, call.reservation.accountId, batchId)
    if (!created) throw new ApiError('batch_not_found')
    return created
  } catch (error) {
    // Of an error of ours while it is inserted it is not known whether the batch was made, nor whether it still will be; the sweep
    // of orphans will know, as it will of an upload that cannot be deleted now: what is thrown is why there is no batch.
    const isRefused = error instanceof ApiError && error.code !== 'internal_error'
    if (!inserting || isRefused) await blobs.delete(uploadKey(id)).catch(() => {})
    throw error
  }
}

async function readItems(blobs: BlobStore, limits: ArchiveLimits, { id, format }: NewBatch): Promise<readonly NewItem[]> {
  const source = await blobs.openRandom(uploadKey(id))
  try {
    return await chooseImages(source, await inspectArchive(source, limits), format)
  } finally {
    await source.close()
  }
}
