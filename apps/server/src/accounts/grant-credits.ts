import { createHash, randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { type Actor, record } from './audit.ts'

export interface Grant {
  /** Of the ledger's entry. */
  readonly id: number
  readonly credits: number
  /** What the account had after it. */
  readonly balance: number
  readonly note: string
  readonly at: string
}

export interface NewGrant {
  readonly credits: number
  readonly note: string
  /** The caller's Idempotency-Key: one key grants once, also when the first answer was lost. */
  readonly key?: string | undefined
}

/**
 * Grants credits to an account, and records that in the ledger and the audit log.
 * @throws ApiError not_found; idempotency_key_reused when the key was used for another grant
 */
export function grantCredits(
  db: Kysely<Schema>,
  actor: Actor,
  accountId: string,
  { credits, note, key }: NewGrant,
): Promise<Grant> {
  const reference = key === undefined ? randomUUID() : referenceOf(actor, key)
  return db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom('account')
      .select('id')
      .where('id', '=', accountId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!account) throw new ApiError('not_found', { message: 'There is no such account.' })
    const { rows } = await sql<{ booked: boolean }>`
      select add_credits(${accountId}, 'grant', ${credits}, ${reference}) is not null as booked`.execute(tx)
    const entry = await tx
      .selectFrom('credit_entry')
      .select(['id', 'account_id', 'credits', 'balance', 'at'])
      .where('kind', '=', 'grant')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
    if (entry.account_id !== accountId || entry.credits !== credits) throw new ApiError('idempotency_key_reused')
    const { id, balance, at } = entry
    if (rows[0]?.booked) await record(tx, actor, 'credits_granted', accountId, { credits, balance, note })
    return { id, credits, balance, note, at: at.toISOString() }
  })
}

/** The ledger entry detects a repeated request even when a crash prevented the first answer from being saved. */
const referenceOf = ({ accountId }: Actor, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([accountId, key]))
    .digest('hex')
