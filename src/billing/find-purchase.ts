import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'

export interface FoundPurchase {
  readonly id: string
  readonly packageId: string
  readonly credits: number
  readonly price: { readonly amount: number; readonly currency: string }
  readonly status: 'pending' | 'paid' | 'failed' | 'expired' | 'refunded'
  readonly createdAt: Date
}

/** @throws ApiError not_found when this account has begun no such purchase */
export async function findPurchase(db: Kysely<Schema>, accountId: string, id: string): Promise<FoundPurchase> {
  // PostgreSQL would refuse to compare anything else.
  const row = z.uuid().safeParse(id).success ? await rowOf(db, accountId, id) : undefined
  if (!row) throw new ApiError('not_found')
  const { package_id: packageId, credits, amount, currency, status, created_at: createdAt } = row
  return { id, packageId, credits, price: { amount, currency }, status, createdAt }
}

const rowOf = (db: Kysely<Schema>, accountId: string, id: string) =>
  db
    .selectFrom('purchase')
    .select(['package_id', 'credits', 'amount', 'currency', 'status', 'created_at'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
