import type pg from 'pg'
import type { CreditEntryTable } from '../database/schema.ts'

export interface LedgerEntry {
  readonly id: number
  readonly kind: CreditEntryTable['kind']
  /** Negative when spent. */
  readonly credits: number
  /** What the account had after this entry. */
  readonly balance: number
  readonly at: Date
}

export interface Credits {
  readonly balance: number
  /** Of the balance, held by calls whose answer is under way. */
  readonly reserved: number
  /** Newest first, at most 100. */
  readonly ledger: readonly LedgerEntry[]
}

export const LEDGER_LENGTH = 100

/**
 * One statement, so that the balance is that of the first entry. As a range of both columns only the index of both gives the
 * order: asked for one account in the order of ids, PostgreSQL may read the whole ledger backwards for one that is seldom in it.
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
  // A row without an entry is that of an account without entries.
  const ledger = rows.flatMap(({ id, kind, credits, balance_then: balance, at }) =>
    id === null || kind === null || credits === null || at === null ? [] : [{ id, kind, credits, balance, at }],
  )
  return { balance: first.balance, reserved: first.reserved, ledger }
}
