import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { MonthlyRemovals } from '../contract/allowance.ts'
import { type PlanLimits, type PlanName, planLimits, planNames } from '../contract/plans.ts'
import type { Admitted, Reader, RefusalOfCall, Refused, Reservation, Settled, Settlements } from './admission-result.ts'
import { type AllowanceRow, readAllowance } from './allowance-row.ts'
import { heldCredits } from './calls.ts'
import { retries } from './reservations.ts'
import { rulesByCaller, scopesOf } from './rules.ts'

export const DEFAULT_MONTHLY_LIMITS = 'free=50,pro=500,team=5000,enterprise=unlimited'

/** Backgrounds that an account may have removed in a UTC month, by plan. */
export const monthlyLimits = planLimits(planNames, DEFAULT_MONTHLY_LIMITS)

/** A removal that was reserved from the account's month, and with an API key also a call, under one id. */
export interface RemovalReservation extends Reservation {
  /** First day of the UTC month that the removal was taken from. */
  readonly ofMonth: string
}

type RefusalOfRemoval = RefusalOfCall | 'background_quota_exceeded'

/**
 * Counts removals against burst, calls or credits, and the month's quota, in the database, so that it works for any number of
 * processes.
 */
export interface Removals extends Settlements<RemovalReservation> {
  /** Decides and reserves in one round trip: with a key a call and a removal, both or neither; with a session, a removal. */
  admit(caller: Reader): Promise<Admitted<RemovalReservation> | Refused<RefusalOfRemoval>>
}

export interface RemovalLimits {
  /** Removals in a UTC month, by plan. */
  readonly monthly: PlanLimits
  /** Requests that one caller may start in any 60 seconds; 0 is no limit. */
  readonly burstPerMinute: number
  /** The number of this server: if it dies, others give back its reservations. */
  readonly server: number
}

interface AdmitRow extends AllowanceRow {
  readonly verdict: 'ok' | RefusalOfRemoval
  readonly account_id: string | null
  readonly key_id: string | null
  /** Null if the call was refused first. */
  readonly removals_month: string | null
  readonly removals_limit: number | null
  readonly removals_used: number
  readonly resets_at: Date
  readonly resets_in: number
}

const rulesFor = rulesByCaller()

/** Named, so that each connection parses and plans it once. */
const statements = {
  admit_removal: `select verdict, account_id, key_id, source, month::text, call_limit, remaining, month_left, burst_left,
    burst_free_in, removals_month::text, removals_limit, removals_used, resets_at, resets_in
    from admit_removal($1, $2, $3, $4, $5, $6, $7)`,
  charge_removal: 'select settled, credits_left as "creditsLeft" from charge_removal($1, $2, $3, $4)',
  void_reservation: 'select void_reservation($1) as voided',
  refund_removal: 'select refund_removal($1, $2, $3, $4, $5)',
} as const

function allowanceOf(row: AdmitRow, burst: number): Admitted['allowance'] {
  const allowance = readAllowance(row, burst)
  if (row.removals_month === null) return allowance
  return { ...allowance, removals: monthOf(row.removals_limit, row.removals_used, row.resets_at, row.resets_in) }
}

export function removals(pool: pg.Pool, { monthly, burstPerMinute, server }: RemovalLimits): Removals {
  const limitTable = JSON.stringify(monthly)
  const { add: later } = retries()

  async function one<Row extends pg.QueryResultRow>(name: keyof typeof statements, values: readonly unknown[]): Promise<Row> {
    const { rows } = await pool.query<Row>({ name, text: statements[name], values: [...values] })
    const [row] = rows
    if (!row) throw new Error(`${name}() returned no row`)
    return row
  }
  const voidRemoval = async (id: string) => (await one<{ voided: boolean }>('void_reservation', [id])).voided
  return {
    async admit(caller) {
      const id = randomUUID()
      const [keyHash, account] = 'keyHash' in caller ? [caller.keyHash, null] : [null, caller.accountId]
      const values = [keyHash, account, id, server, burstPerMinute, rulesFor(caller), limitTable]
      const row = await one<AdmitRow>('admit_removal', values).catch((error: unknown) => {
        // It may have been committed, and only the answer was lost.
        later(() => voidRemoval(id))
        throw error
      })
      const { verdict, account_id: accountId, key_id: keyId, removals_month: ofMonth } = row
      const allowance = allowanceOf(row, burstPerMinute)
      if (verdict === 'insufficient_credits')
        return { verdict, accountId, keyId, allowance, heldCredits: await heldCredits(pool, accountId) }
      if (verdict !== 'ok') return { verdict, accountId, keyId, allowance, scopes: scopesOf(caller) }
      if (accountId === null || ofMonth === null) throw new Error('admit_removal() returned no account')
      const month = keyId === null ? ofMonth : row.month
      return { verdict, reservation: { id, accountId, keyId, month, ofMonth }, allowance }
    },
    settle: ({ id, keyId, accountId, ofMonth }) =>
      one<Settled & pg.QueryResultRow>('charge_removal', [id, keyId !== null, accountId, ofMonth]),
    voidReservation: ({ id }) => voidRemoval(id),
    async refund({ id, accountId, keyId, month, ofMonth }) {
      await one('refund_removal', [accountId, id, keyId !== null, month, ofMonth])
    },
    later,
  }
}

/** The quota of an account's month. After a change of plan or settings, more may be used than is allowed. */
const monthOf = (limit: number | null, usedCount: number, resetsAt: Date, endsInSeconds: number): MonthlyRemovals => ({
  limit,
  used: usedCount,
  remaining: limit === null ? null : Math.max(0, limit - usedCount),
  resetsAt,
  lengthSeconds: (resetsAt.getTime() - Date.UTC(resetsAt.getUTCFullYear(), resetsAt.getUTCMonth() - 1)) / 1000,
  endsInSeconds,
})

/** For the documentation. */
export const quotaHeaderTexts = {
  'X-Background-Limit': 'Backgrounds that the account may have removed in a UTC month; "unlimited" where there is no limit.',
  'X-Background-Remaining': 'Removals left this month; "unlimited" where there is no limit.',
  'X-Background-Reset': 'When the quota resets: 00:00 UTC on the first of the next month, as Unix time in seconds.',
} as const

const count = (removals: number | null): string => (removals === null ? 'unlimited' : String(removals))

export const quotaHeaders = ({ limit, remaining, resetsAt }: MonthlyRemovals): Record<string, string> => ({
  'x-background-limit': count(limit),
  'x-background-remaining': count(remaining),
  'x-background-reset': String(resetsAt.getTime() / 1000),
})

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

/** Removals of an account in this UTC month; exact, including those in progress. */
export async function readRemovals(pool: pg.Pool, account: string, monthly: PlanLimits): Promise<MonthlyRemovals> {
  const { rows } = await pool.query<Row>(REMOVALS, [account])
  const [row] = rows
  if (!row) throw new Error(`there is no account ${account}`)
  return monthOf(monthly[row.plan], row.used, row.resets_at, row.resets_in)
}
