import type pg from 'pg'
import { z } from 'zod'
import { pageOf, readCursor } from '../contract/cursor.ts'
import type { LedgerEntry } from './read-credits.ts'

/** An entry, and of a purchase or its refund what was bought. */
export interface ListedEntry extends LedgerEntry {
  readonly purchase?: { readonly packageId: string; readonly price: { readonly amount: number; readonly currency: string } }
}

interface Row extends LedgerEntry {
  readonly purchase: ListedEntry['purchase'] | null
}

/** As a range of both columns, for the reason that read-credits.ts gives. */
const ALL = `
  select * from credit_entry where (account_id, id) >= ($1, 0) and (account_id, id) < ($1, $2)
   order by account_id desc, id desc limit $3`

/** Purchases and grants are few and have an index of their own, without an order. */
const BOUGHT = `
  select * from (
    select * from credit_entry where account_id = $1 and kind in ('purchase', 'grant', 'purchase_refund') offset 0) bought
   where id < $2 order by id desc limit $3`

/** The reference of a refund is the purchase's id and how much was taken back. */
const listOf = (entries: string) => `
  select e.id, e.kind, e.credits, e.balance, e.at, p.bought as purchase
    from (${entries}) e
    left join lateral (
      select json_build_object('packageId', package_id, 'price', json_build_object('amount', amount, 'currency', currency)) as bought
        from purchase where id = case when e.kind in ('purchase', 'purchase_refund') then split_part(e.reference, ':', 1)::uuid end
    ) p on true
   order by e.id desc`

export const ledgerStatements = { all: listOf(ALL), bought: listOf(BOUGHT) } as const

const FIRST = '9223372036854775807'

export interface EntriesWanted {
  /** Purchases, grants and refunds of purchases; else calls too. */
  readonly only: 'bought' | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

/**
 * The ledger of an account, newest first.
 * @throws ApiError invalid_params for a cursor that is none
 */
export async function listLedger(pool: pg.Pool, account: string, { only, cursor, limit }: EntriesWanted) {
  const before = readCursor(z.int().min(0), cursor) ?? FIRST
  const { rows } = await pool.query<Row>(ledgerStatements[only ?? 'all'], [account, before, limit + 1])
  const { data, nextCursor } = pageOf(rows, limit, ({ id }) => id)
  return { data: data.map(({ purchase, ...entry }): ListedEntry => ({ ...entry, ...(purchase && { purchase }) })), nextCursor }
}
