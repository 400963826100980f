import type pg from 'pg'
import type { MonthlyRemovals } from '../../contract/allowance.ts'
import type { PlanLimits, PlanName } from '../../contract/plans.ts'
import { monthOf } from './month-of.ts'

interface Row {
  readonly plan: PlanName
  readonly used: number
  readonly resets_at: Date
  readonly resets_in: number
}

const MONTH = `date_trunc('month', clock_timestamp() at time zone 'utc')`

const REMOVALS = `
  select a.plan, coalesce((select b.used from background_month b where b.account_id = a.id and b.month = ${MONTH}::date), 0) as used,
         (${MONTH} + interval '1 month') at time zone 'utc' as resets_at,
         ceil(extract(epoch from (${MONTH} + interval '1 month') at time zone 'utc' - clock_timestamp()))::int as resets_in
    from account a where a.id = $1`

/** What an account has had removed in this UTC month; exact, those under way among them. */
export async function readRemovals(pool: pg.Pool, account: string, monthly: PlanLimits): Promise<MonthlyRemovals> {
  const { rows } = await pool.query<Row>(REMOVALS, [account])
  const [row] = rows
  if (!row) throw new Error(`there is no account ${account}`)
  return monthOf(monthly[row.plan], row.used, row.resets_at, row.resets_in)
}
