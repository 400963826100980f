import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { type Actor, record } from './audit.ts'

export interface Grant {
  /** Of the ledger's entry. */
  readonly id: number
  readonly credits: number
  /** What the account has now. */
  readonly balance: number
  readonly note: string
  readonly at: string
}

/**
 * Gives an account credits, which the ledger and the audit log both tell of.
 * @throws ApiError not_found
 */
export function grantCredits(
  db: Kysely<Schema>,
  actor: Actor,
  accountId: string,
  { credits, note }: { readonly credits: number; readonly note: string },
): Promise<Grant> {
  return db.transaction().execute(async (tx) => {
    const account = await tx.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst()
    if (!account) throw new ApiError('not_found', { message: 'There is no such account.' })
    const reference = randomUUID()
    await sql`select add_credits(${accountId}, 'grant', ${credits}, ${reference})`.execute(tx)
    const { id, balance, at } = await tx
      .selectFrom('credit_entry')
      .select(['id', 'balance', 'at'])
      .where('kind', '=', 'grant')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
    await record(tx, actor, 'credits_granted', accountId, { credits, balance, note })
    return { id, credits, balance, note, at: at.toISOString() }
  })
}
