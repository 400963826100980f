import type pg from 'pg'
import { type ArchiveLimits, inspectArchive } from '../archives/inspect.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { ApiError } from '../contract/api-error.ts'
import { megabytes } from '../contract/limits.ts'
import { plans } from '../contract/plans.ts'
import type { Database } from '../database/database.ts'
import type { MeteredCall } from '../metering/metered-call.ts'
import { type Batch, type OutputFormat, uploadKey } from './batch.ts'
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

export interface NewBatch {
  /** A UUID, under whose `uploadKey` the archive is stored already. */
  readonly id: string
  /** Of the archive. */
  readonly bytes: number
  /** The request's one call, which becomes one for each image. */
  readonly call: MeteredCall
  readonly format: OutputFormat
  readonly name: string | null
  /** 1 to 100; null where none was sent. */
  readonly quality: number | null
  /** Must have been checked. */
  readonly webhookUrl: string | null
  /** Within 24 hours the same key and fingerprint give the same batch. */
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
  /** Calls or credits left, with a refusal those that the archive could have had; null is unlimited. */
  readonly remaining: number | null
  /** Seconds until the month that pays ends. */
  readonly monthLeft: number | null
  /** The account's batches that have not ended, and the bytes of their archives. */
  readonly heldBatches: number
  readonly heldBytes: number
}

const CREATE = `
  select verdict, batch_id as "batchId", remaining, month_left as "monthLeft", held_batches as "heldBatches", held_bytes as "heldBytes",
         name_batch(batch_id, $7)
    from create_batch_within($1, $2, $3, $4, $5, $6)`

export interface Inserted {
  /** Another one than was asked for when it was made before, under the same idempotency key. */
  readonly batchId: string
  readonly remaining: number | null
}

/**
 * Writes a batch with its items, and turns its request's one call into one for each image: all or nothing.
 * @throws ApiError too_many_batches, monthly_limit_exceeded, insufficient_credits, idempotency_key_reused, and internal_error where
 * the reservation was given back meanwhile
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
    ...{ id, account_id: accountId, key_id: keyId, format, quality, webhook_url: webhookUrl, cost },
    upload_bytes: bytes,
    ...{ idempotency_key: idempotency?.key ?? null },
    request_fingerprint: idempotency ? `\\x${idempotency.fingerprint.toString('hex')}` : null,
  }
  const caller = [JSON.stringify(row), JSON.stringify(items), reservationId, JSON.stringify(plans)]
  const values = [...caller, share.batches, share.bytes, batch.name]
  const create = () => pool.query<Verdict>(CREATE, values)
  // Once more, as it may have been committed before the connection broke: the same id gives the same batch.
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
