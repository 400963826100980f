import type pg from 'pg'
import { ApiError } from '../contract/api-error.ts'
import { plans } from '../contract/plans.ts'
import type { MeteredCall } from '../metering/metered-call.ts'
import { type AccountShare, tooManyBatches } from './account-share.ts'
import type { OutputFormat } from './batch.ts'
import type { NewItem } from './choose-images.ts'

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
