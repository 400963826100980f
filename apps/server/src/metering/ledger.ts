import type pg from 'pg'
import { z } from 'zod'
import { pageOf, readCursor } from '../contract/cursor.ts'
import type { Database } from '../database/database.ts'
import type { CreditEntryTable } from '../database/schema.ts'

export interface LedgerEntry {
  readonly id: number
  readonly kind: CreditEntryTable['kind']
  /** Negative when spent. */
  readonly credits: number
  /** Balance after this entry. */
  readonly balance: number
  readonly at: Date
}

export interface Credits {
  readonly balance: number
  /** Credits of the balance reserved by calls in progress. */
  readonly reserved: number
  /** Newest first, at most 100. */
  readonly ledger: readonly LedgerEntry[]
}

const LEDGER_LENGTH = 100

/**
 * One statement, so that the balance is that of the first entry. The condition is a range of both columns, since only the index
 * on both provides the order: otherwise PostgreSQL may read the whole ledger backwards for an account with few entries.
 */
export const CREDITS = `
  select a.credits as balance, a.reserved, e.id, e.kind, e.credits, e.balance as balance_then, e.at
    from account a
    left join lateral (
      select * from credit_entry where (account_id, id) >= (a.id, 0) and (account_id, id) <= (a.id, 9223372036854775807)
       order by account_id desc, id desc limit ${LEDGER_LENGTH}) e on true
   where a.id = $1
   order by e.id desc`

type Row = Omit<Credits, 'ledger'> & {
  readonly [Column in keyof LedgerEntry]: LedgerEntry[Column] | null
} & { readonly balance: number; readonly balance_then: number }

export async function readCredits(pool: pg.Pool, account: string): Promise<Credits> {
  const { rows } = await pool.query<Row>(CREDITS, [account])
  const [first] = rows
  if (!first) throw new Error(`there is no account ${account}`)
  // A row without an entry belongs to an account without entries.
  const ledger = rows.flatMap(({ id, kind, credits, balance_then: balance, at }) =>
    id === null || kind === null || credits === null || at === null ? [] : [{ id, kind, credits, balance, at }],
  )
  return { balance: first.balance, reserved: first.reserved, ledger }
}

/** An entry, with the package of a purchase or its refund. */
export interface ListedEntry extends LedgerEntry {
  readonly purchase?: { readonly packageId: string; readonly price: { readonly amount: number; readonly currency: string } }
}

interface ListedRow extends LedgerEntry {
  readonly purchase: ListedEntry['purchase'] | null
}

/** As a range of both columns, for the reason given above. */
const ALL = `
  select * from credit_entry where (account_id, id) >= ($1, 0) and (account_id, id) < ($1, $2)
   order by account_id desc, id desc limit $3`

/** Purchases and grants are few, and have an index of their own, without an order. */
const BOUGHT = `
  select * from (
    select * from credit_entry where account_id = $1 and kind in ('purchase', 'grant', 'purchase_refund') offset 0) bought
   where id < $2 order by id desc limit $3`

/** The reference of a refund is the purchase's id and the total taken back. */
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
  const { rows } = await pool.query<ListedRow>(ledgerStatements[only ?? 'all'], [account, before, limit + 1])
  const { data, nextCursor } = pageOf(rows, limit, ({ id }) => id)
  return { data: data.map(({ purchase, ...entry }): ListedEntry => ({ ...entry, ...(purchase && { purchase }) })), nextCursor }
}

/** An account whose balance does not match its entries and reservations. */
export interface Mismatch {
  readonly account: string
  readonly credits: number
  /** The sum of its entries. */
  readonly booked: number
  readonly reserved: number
  /** The sum of its open reservations. */
  readonly held: number
}

/** Reads the whole ledger: 10 million entries took one to two minutes on two cores, far beyond a request's time limit. */
const TIMEOUT = '10min'

/** One statement sees a consistent state of all three tables. */
const MISMATCHES = `
  select a.id as account, a.credits, coalesce(e.booked, 0)::bigint as booked, a.reserved, coalesce(r.held, 0)::bigint as held
    from account a
    left join (select account_id, sum(credits) as booked from credit_entry group by account_id) e on e.account_id = a.id
    left join (select account_id, sum(cost) as held from reservation where meter = 'call' and period is null group by account_id) r
      on r.account_id = a.id
   where a.credits <> coalesce(e.booked, 0) or a.reserved <> coalesce(r.held, 0)
   order by a.id
   limit 100`

/**
 * Accounts whose credits differ from the sum of their ledger, or whose reserved credits differ from their open reservations; at
 * most 100.
 */
export async function findMismatches({ connect }: Pick<Database, 'connect'>): Promise<readonly Mismatch[]> {
  const connection = await connect()
  try {
    await connection.query(`set statement_timeout = '${TIMEOUT}'`)
    const { rows } = await connection.query<Mismatch>(MISMATCHES)
    return rows
  } finally {
    await connection.end()
  }
}
