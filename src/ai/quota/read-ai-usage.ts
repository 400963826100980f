import type pg from 'pg'
import type { DailyImages } from '../../contract/allowance.ts'
import type { PlanName } from '../../contract/plans.ts'
import type { DailyLimits } from './daily-limits.ts'
import { dayOf } from './day-of.ts'

/** What an account's AI requests took: exact for today, some 100 ms behind for the UTC month. */
export interface AiUsage {
  readonly today: DailyImages
  readonly month: AiSpending
}

export interface AiSpending {
  readonly images: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** US dollars; absent where none was booked. */
  readonly cost?: number
}

interface Row {
  readonly plan: PlanName
  readonly used: number
  readonly resets_at: Date
  readonly month: AiSpending
}

const NOW = `(clock_timestamp() at time zone 'utc')`
const TODAY = `${NOW}::date`

const USAGE = `
  select a.plan, coalesce((select d.used from ai_day d where d.account_id = a.id and d.day = ${TODAY}), 0) as used,
         (${TODAY} + 1)::timestamp at time zone 'utc' as resets_at, m.month
    from account a,
         lateral (
           select json_strip_nulls(json_build_object('images', coalesce(sum(u.images), 0), 'inputTokens', coalesce(sum(u.input_tokens), 0),
                    'outputTokens', coalesce(sum(u.output_tokens), 0), 'cost', sum(u.cost))) as month
             from ai_usage_day u where u.account_id = a.id and u.day >= date_trunc('month', ${NOW})::date
         ) m
   where a.id = $1`

export async function readAiUsage(pool: pg.Pool, account: string, limits: DailyLimits): Promise<AiUsage> {
  const { rows } = await pool.query<Row>(USAGE, [account])
  const [row] = rows
  if (!row) throw new Error(`there is no account ${account}`)
  return { today: dayOf(limits[row.plan], row.used, row.resets_at), month: row.month }
}
