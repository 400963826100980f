import type pg from 'pg'
import { type Plan, type PlanName, plans } from '../contract/plans.ts'
import { CALL_COLUMNS, type CallRow, type ListedCall, toListedCall } from './list-calls.ts'
import type { TrialCalls } from './rules.ts'

/**
 * Totals of successful calls, without removed backgrounds: their answer is a different picture, not a smaller file of the same
 * one.
 */
export interface UsedBytes {
  readonly inputBytes: number
  readonly outputBytes: number
  /** Input minus output; negative if answers were larger. */
  readonly savedBytes: number
}

/** An account's UTC month so far, and its latest calls. */
export interface Usage {
  readonly plan: PlanName
  /** The month, as two instants; `end` is the first of the next. */
  readonly period: { readonly start: Date; readonly end: Date }
  /**
   * Paid by the plan; or pay-as-you-go (`credits`): credits bought, this month's calls, credits left; or with neither plan nor
   * credits: trial calls of the dashboard (`trial`). Null is unlimited. Reserved amounts are neither used nor remaining.
   */
  readonly calls: {
    readonly by: 'plan' | 'credits' | 'trial'
    readonly limit: number | null
    readonly used: number
    readonly remaining: number | null
  }
  readonly byEndpoint: readonly { readonly endpoint: string; readonly calls: number }[]
  /** Every day of the month up to today. */
  readonly daily: readonly (UsedBytes & { readonly date: string; readonly calls: number })[]
  /** Of the month. */
  readonly bytes: UsedBytes
  readonly recent: readonly ListedCall[]
}

interface Summary {
  readonly plan: PlanName
  readonly credits_left: number
  /** Null if there never were credits. */
  readonly bought: number | null
  /** Of the month: successful calls, and those reserved by work in progress. */
  readonly taken: number
  readonly held: number
  readonly start: Date
  readonly end: Date
}

const NOW = `(clock_timestamp() at time zone 'utc')`
const MONTH = `date_trunc('month', ${NOW})::date`

const SUMMARY = `
  select a.plan, greatest(0, a.credits - a.reserved) as credits_left,
         (select sum(e.credits) from credit_entry e
           where e.account_id = a.id and e.kind in ('purchase', 'grant', 'purchase_refund'))::bigint as bought,
         coalesce((select u.used from usage_month u where u.account_id = a.id and u.month = ${MONTH}), 0) as taken,
         coalesce((select sum(r.cost) from reservation r where r.account_id = a.id and r.meter = 'call' and r.period = ${MONTH}), 0)::bigint as held,
         ${MONTH}::timestamp at time zone 'utc' as start, (${MONTH} + interval '1 month') at time zone 'utc' as end
    from account a where a.id = $1`

const BY_ENDPOINT = `
  select endpoint, sum(calls)::bigint as calls from usage_day where account_id = $1 and day >= ${MONTH}
   group by endpoint order by calls desc, endpoint`

const SAVES = `u.endpoint <> '/api/background-remove'`

const DAILY = `
  select d.day::date as date, coalesce(sum(u.calls), 0)::bigint as calls,
         coalesce(sum(u.input_bytes) filter (where ${SAVES}), 0)::bigint as "inputBytes",
         coalesce(sum(u.output_bytes) filter (where ${SAVES}), 0)::bigint as "outputBytes"
    from generate_series(${MONTH}, ${NOW}::date, interval '1 day') as d(day)
    left join usage_day u on u.account_id = $1 and u.day = d.day
   group by d.day order by d.day`

const RECENT = `select ${CALL_COLUMNS} from usage_event e where e.account_id = $1 order by e.at desc limit $2`

function callsOf(
  { plan, taken, held, bought, credits_left: left }: Summary,
  answeredCount: number,
  trial: TrialCalls,
): Usage['calls'] {
  const { apiAccess, callsPerMonth }: Plan = plans[plan]
  const trialCalls = trial[plan] ?? 0
  const by = apiAccess ? 'plan' : bought === null && trialCalls > 0 ? 'trial' : 'credits'
  if (by === 'credits') return { by, limit: bought ?? 0, used: answeredCount, remaining: left }
  const limit = by === 'plan' ? callsPerMonth : trialCalls
  return { by, limit, used: taken - held, remaining: limit === null ? null : Math.max(0, limit - taken) }
}

/**
 * Reads an account's usage. The month's count is exact; endpoints, days and calls are statistics with a lag of some 100 ms.
 * @param latest number of calls to list
 * @param trial the allowance of TRIAL_CALLS
 */
export async function readUsage(pool: pg.Pool, account: string, latest: number, trial: TrialCalls): Promise<Usage> {
  const [summaries, endpoints, days, events] = await Promise.all([
    pool.query<Summary>(SUMMARY, [account]),
    pool.query<Usage['byEndpoint'][number]>(BY_ENDPOINT, [account]),
    pool.query<Omit<Usage['daily'][number], 'savedBytes'>>(DAILY, [account]),
    pool.query<CallRow>(RECENT, [account, latest]),
  ])
  const [summary] = summaries.rows
  if (!summary) throw new Error(`there is no account ${account}`)
  const answeredCount = sum(endpoints.rows, 'calls')
  return {
    plan: summary.plan,
    period: { start: summary.start, end: summary.end },
    calls: callsOf(summary, answeredCount, trial),
    byEndpoint: endpoints.rows,
    bytes: bytesOf(sum(days.rows, 'inputBytes'), sum(days.rows, 'outputBytes')),
    daily: days.rows.map(({ date, calls, inputBytes, outputBytes }) => ({ date, calls, ...bytesOf(inputBytes, outputBytes) })),
    recent: events.rows.map(toListedCall),
  }
}

const sum = <Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name): number =>
  rows.reduce((total, row) => total + row[name], 0)

const bytesOf = (inputBytes: number, outputBytes: number): UsedBytes => ({
  inputBytes,
  outputBytes,
  savedBytes: inputBytes - outputBytes,
})

/** Calls of an account in this UTC month, with those in progress. Calls paid by credits are statistics, with a lag of some 100 ms. */
export async function usedCalls(pool: pg.Pool, accountId: string): Promise<number> {
  const { rows } = await pool.query<{ used: number }>(
    `select greatest(
       (select used from usage_month where account_id = $1 and month = ${MONTH}),
       coalesce((select sum(calls) from usage_day where account_id = $1 and day >= ${MONTH}), 0) +
       coalesce((select sum(cost) from reservation where account_id = $1 and meter = 'call'), 0))::int as used`,
    [accountId],
  )
  return rows[0]?.used ?? 0
}
