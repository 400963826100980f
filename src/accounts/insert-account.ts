import type { Transaction } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { PlanName } from '../contract/plans.ts'
import type { Schema } from '../database/schema.ts'
import { MANAGED_COLUMNS, type ManagedRow } from './managed-account.ts'

export interface NewAccount {
  readonly email: string
  readonly name: string
  readonly password_hash: string
  readonly plan: PlanName
}

/** @throws ApiError email_taken; two at once for one address: the second waits for the first, and is told */
export async function insertAccount(tx: Transaction<Schema>, account: NewAccount): Promise<ManagedRow> {
  const row = await tx
    .insertInto('account')
    .values(account)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(MANAGED_COLUMNS)
    .executeTakeFirst()
  if (!row) throw new ApiError('email_taken')
  return row
}
