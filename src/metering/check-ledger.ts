import type { Database } from '../database/database.ts'

/** An account whose balance is not what its entries and reservations say. */
export interface Mismatch {
  readonly account: string
  readonly credits: number
  /** The sum of its entries. */
  readonly booked: number
  readonly reserved: number
  /** The sum of its open reservations. */
  readonly held: number
}

/** Reads the whole ledger: 10 million entries took one to two minutes on two cores, far more than a request may. */
const TIMEOUT = '10min'

/** One statement sees one moment of all three tables. */
const MISMATCHES = `
  select a.id as account, a.credits, coalesce(e.booked, 0)::bigint as booked, a.reserved, coalesce(r.held, 0)::bigint as held
    from account a
    left join (select account_id, sum(credits) as booked from credit_entry group by account_id) e on e.account_id = a.id
    left join (select account_id, sum(cost) as held from reservation where source = 'credit' group by account_id) r
      on r.account_id = a.id
   where a.credits <> coalesce(e.booked, 0) or a.reserved <> coalesce(r.held, 0)
   order by a.id
   limit 100`

/** Accounts whose credits are not the sum of their ledger, or whose reserved credits are not those of open reservations; at most 100. */
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
