import type { Database } from '../../src/database/database.ts'

/** The totals of one account in the tables. */
export interface AccountTotals {
  readonly credits: number
  readonly reserved: number
  /** The sum of its ledger entries. */
  readonly booked: number
  /** The number of its open call reservations. */
  readonly open: number
  /** Calls of all months. */
  readonly used: number
}

export async function accountTotals({ pool }: Database, account: string): Promise<AccountTotals> {
  const { rows } = await pool.query<AccountTotals>(
    `select credits, reserved,
            (select coalesce(sum(credits), 0)::int from credit_entry where account_id = a.id) as booked,
            (select count(*)::int from reservation where account_id = a.id and meter = 'call') as open,
            (select coalesce(sum(used), 0)::int from usage_month where account_id = a.id) as used
       from account a where id = $1`,
    [account],
  )
  const [totals] = rows
  if (!totals) throw new Error(`there is no account ${account}`)
  return totals
}

/** What removals of backgrounds have taken from one account. */
export interface RemovalTotals {
  /** Removals of all months. */
  readonly removals: number
  /** Open reservations of removals and of calls. */
  readonly held: number
  /** Calls of all months. */
  readonly calls: number
  readonly reserved: number
}

export async function removalTotals(database: Database, account: string): Promise<RemovalTotals> {
  const { rows } = await database.pool.query<{ removals: number; held: number }>(
    `select (select coalesce(sum(used), 0)::int from background_month where account_id = $1) as removals,
            (select count(*)::int from reservation where account_id = $1 and meter = 'removal') as held`,
    [account],
  )
  const [{ removals, held } = { removals: 0, held: 0 }] = rows
  const { used, reserved, open } = await accountTotals(database, account)
  return { removals, held: held + open, calls: used, reserved }
}
