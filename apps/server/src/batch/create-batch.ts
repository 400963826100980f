import { limits as allLimits, megabytes } from '@pixelmill/codecs/contract/limits'
import { canonical } from '@pixelmill/engine/recipe/canonical'
import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import type pg from 'pg'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { type ArchiveLimits, inspectArchive } from '../archives/inspect.ts'
import type { NameEncoding } from '../archives/names.ts'
import { ApiError, isRefusal } from '../contract/api-error.ts'
import { plans } from '../contract/plans.ts'
import type { Database } from '../database/database.ts'
import type { MeteredCall } from '../metering/charge-call.ts'
import { type Batch, type OutputFormat, outputsOf, uploadKey } from './batch.ts'
import { chooseImages, type NewItem } from './choose-images.ts'
import { findBatch } from './find-batches.ts'

export interface BatchLimits {
  readonly archive: ArchiveLimits
  readonly share: AccountShare
}

export interface BatchStores {
  readonly database: Pick<Database, 'pool'>
  readonly blobs: BlobStore
}

/**
 * Creates a batch from an uploaded archive. The request's call passes to the batch (`handOver`). If the idempotency key already has
 * a batch, that one is returned, with another id, and the call is given back.
 * The upload passes to the batch too. If no batch is created, it is deleted here, or after an internal error by the sweep.
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
    const createdBatch = await findBatch(database.pool, call.reservation.accountId, batchId)
    if (!createdBatch) throw new ApiError('batch_not_found')
    return createdBatch
  } catch (error) {
    // After an internal error during the insert it is unknown whether the batch exists: the sweep of orphans decides later. It also
    // deletes an upload that cannot be deleted now, so that the original error is thrown.
    const isRefused = isRefusal(error) && error.code !== 'internal_error'
    if (!inserting || isRefused) await blobs.delete(uploadKey(id)).catch(() => {})
    throw error
  }
}

/** @throws ApiError also archive_too_large, for more images than an archive may have entries */
async function readItems(
  blobs: BlobStore,
  limits: ArchiveLimits,
  { id, nameEncoding, ...batch }: NewBatch,
): Promise<readonly NewItem[]> {
  const outputs = outputsOf({ recipe: null, ...batch })
  const source = await blobs.openRandom(uploadKey(id))
  try {
    const items = await chooseImages(source, await inspectArchive(source, limits, nameEncoding), outputs)
    if (items.length > limits.entries && outputs.length > 1) {
      const message = `With ${outputs.length} outputs the result would have ${items.length} images, and ${limits.entries} are possible; split the archive.`
      throw new ApiError('archive_too_large', { message })
    }
    return items
  } finally {
    await source.close()
  }
}

export interface NewBatch {
  /** A UUID; the archive is already stored under its `uploadKey`. */
  readonly id: string
  /** Size of the archive. */
  readonly bytes: number
  /** The request's one call, which becomes one call for each image. */
  readonly call: MeteredCall
  /** Null with a recipe. */
  readonly format: OutputFormat | null
  readonly recipe?: Recipe | null
  readonly name: string | null
  /** Of file names that do not say it; `auto` if it was not sent. */
  readonly nameEncoding?: NameEncoding
  /** 1 to 100; null if none was sent. */
  readonly quality: number | null
  /** What each image is to reach; null if it was not sent. */
  readonly visualQuality?: number | null
  readonly maxBytes?: number | null
  /** Checked by `checkReceiver`. */
  readonly webhookUrl: string | null
  /** For 24 hours the same key and fingerprint return the same batch. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: Buffer }
}

interface Verdict {
  readonly verdict:
    | 'ok'
    | 'reservation_is_void'
    | 'idempotency_key_reused'
    | 'monthly_limit_exceeded'
    | 'insufficient_credits'
    | 'too_many_batches'
  readonly batchId: string
  /** Calls or credits left: after the batch, or if it was refused, before it; null means unlimited. */
  readonly remaining: number | null
  /** Seconds until the billing month ends. */
  readonly monthLeft: number | null
  /** The account's unfinished batches, and the bytes of their archives. */
  readonly heldBatches: number
  readonly heldBytes: number
}

const CREATE = `
  select verdict, batch_id as "batchId", remaining, month_left as "monthLeft", held_batches as "heldBatches", held_bytes as "heldBytes"
    from create_batch_within($1, $2, $3, $4, $5, $6, $7)`

export interface Inserted {
  /** A different id if the idempotency key already had a batch. */
  readonly batchId: string
  readonly remaining: number | null
}

/**
 * Inserts a batch with its items, and converts the request's one call into one for each image, in one transaction.
 * @throws ApiError too_many_batches, monthly_limit_exceeded, insufficient_credits, idempotency_key_reused, and internal_error if
 * the reservation is void
 */
export async function insertBatch(
  pool: pg.Pool,
  share: AccountShare,
  batch: NewBatch,
  items: readonly NewItem[],
): Promise<Inserted> {
  const { id, bytes, call, format, quality, webhookUrl, idempotency } = batch
  const { accountId, keyId, id: reservationId } = call.reservation
  const cost = items.filter(({ entry }) => entry !== null).length
  const row = {
    id,
    account_id: accountId,
    key_id: keyId,
    format,
    quality,
    visual_quality: batch.visualQuality ?? null,
    max_bytes: batch.maxBytes ?? null,
    recipe: batch.recipe ? (JSON.parse(canonical(batch.recipe)) as unknown) : null,
    name: batch.name,
    webhook_url: webhookUrl,
    cost,
    upload_bytes: bytes,
    idempotency_key: idempotency?.key ?? null,
    request_fingerprint: idempotency ? `\\x${idempotency.fingerprint.toString('hex')}` : null,
  }
  const values = [
    JSON.stringify(row),
    JSON.stringify(items),
    reservationId,
    JSON.stringify(plans),
    allLimits.idempotency.answerSeconds,
    share.batches,
    share.bytes,
  ]
  const create = () => pool.query<Verdict>(CREATE, values)
  // Retried once, since it may have been committed before the connection broke: the same id returns the same batch.
  const { rows } = await create().catch(create)
  const [answer] = rows
  if (!answer) throw new Error('create_batch() returned no row')
  if (answer.verdict !== 'ok') throw refusal(answer, cost, share)
  return answer
}

function refusal(
  { verdict, remaining: left, monthLeft, heldBatches, heldBytes }: Verdict,
  images: number,
  share: AccountShare,
): ApiError {
  if (verdict === 'too_many_batches') return tooManyBatches({ batches: heldBatches, bytes: heldBytes }, share)
  if (verdict === 'monthly_limit_exceeded') {
    const message = `The archive has ${images} images, and ${left} of this month's calls are left; send fewer, or wait for the next UTC month.`
    return new ApiError(verdict, { message, retryAfterSeconds: monthLeft ?? 1 })
  }
  if (verdict === 'insufficient_credits') {
    const message = `The archive has ${images} images, and ${left} credits are left; send fewer, or buy more.`
    return new ApiError(verdict, { message })
  }
  if (verdict === 'idempotency_key_reused') return new ApiError(verdict)
  return new ApiError('internal_error', { cause: new Error(`the call's reservation was void: ${verdict}`) })
}

/** What one account may have in unfinished batches. */
export interface AccountShare {
  readonly batches: number
  /** Total size of their archives. */
  readonly bytes: number
}

const HELD = 'select batches, upload_bytes as bytes from batch_share($1)'

/** A batch of a few hundred images takes about this long. */
const RETRY_AFTER_SECONDS = 15

/**
 * Checks whether the account may send an archive of this size, before its body is read. Concurrent uploads do not count yet;
 * `insertBatch` checks again.
 * @throws ApiError too_many_batches
 */
export async function requireShare(pool: pg.Pool, accountId: string, most: AccountShare, bytes: number): Promise<void> {
  const { rows } = await pool.query<AccountShare>(HELD, [accountId])
  const [heldShare] = rows
  if (!heldShare) throw new Error('batch_share() returned no row')
  if (heldShare.batches > 0 && (heldShare.batches >= most.batches || heldShare.bytes + bytes > most.bytes))
    throw tooManyBatches(heldShare, most)
}

function tooManyBatches(heldShare: AccountShare, most: AccountShare): ApiError {
  const message =
    heldShare.batches >= most.batches
      ? `${heldShare.batches} batches of this account have not ended, and ${most.batches} are allowed; wait for one of them to end.`
      : `The archives of this account's unfinished batches have ${megabytes(heldShare.bytes)}, and ${megabytes(most.bytes)} are allowed with this one; wait for one of them to end.`
  return new ApiError('too_many_batches', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
}
