import type { Database } from '../../src/database/database.ts'

/** What the tables say of one account. */
export interface Books {
  readonly credits: number
  readonly reserved: number
  /** The sum of its ledger. */
  readonly booked: number
  /** Its open reservations of calls. */
  readonly open: number
  /** Calls of all its months. */
  readonly used: number
}

export async function booksOf({ pool }: Database, account: string): Promise<Books> {
  const { rows } = await pool.query<Books>(
    `select credits, reserved,
            (select coalesce(sum(credits), 0)::int from credit_entry where account_id = a.id) as booked,
            (select count(*)::int from reservation where account_id = a.id and meter = 'call') as open,
            (select coalesce(sum(used), 0)::int from usage_month where account_id = a.id) as used
       from account a where id = $1`,
    [account],
  )
  const [books] = rows
  if (!books) throw new Error(`there is no account ${account}`)
  return books
}
