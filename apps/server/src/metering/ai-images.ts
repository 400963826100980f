import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { DailyImages } from '../contract/allowance.ts'
import { ApiError } from '../contract/api-error.ts'
import { type PlanLimits, type PlanName, planLimits, planNames, plans } from '../contract/plans.ts'
import { type Retries, retries } from './reservations.ts'

/** Images in a UTC day, by plan; null is unlimited. */
export type DailyLimits = PlanLimits

export const DEFAULT_DAILY_LIMITS = 'pro=100,team=500,enterprise=unlimited'

/** Only plans with AI. */
export const dailyLimits = planLimits(
  planNames.filter((name) => plans[name].ai),
  DEFAULT_DAILY_LIMITS,
)

export interface AiQuota {
  /**
   * Reserves images from the account's UTC day, all of them or none, in the database, so that it works for any number of
   * processes.
   * Unlimited accounts are counted too.
   * @throws ApiError ai_daily_limit_exceeded, with the headers of the quota
   */
  reserve(accountId: string, plan: PlanName, images: number): Promise<ReservedImages>
}

export interface QuotaOptions {
  readonly limits: DailyLimits
  /** The number of this server: if it dies, others give back its reservations. */
  readonly server: number
  /** The outcome of a request could not be written to the database; it is retried. */
  onDelay(error: unknown): void
}

interface ReserveRow {
  readonly reserved: boolean
  readonly day: string
  readonly used: number
  readonly resets_at: Date
  readonly resets_in: number
}

/** Named, so that each connection parses and plans it once. */
const RESERVE = {
  name: 'reserve_ai_images',
  text: 'select reserved, day::text, used, resets_at, resets_in from reserve_ai_images($1, $2, $3, $4, $5)',
}

export function aiQuota(pool: pg.Pool, { limits, server, onDelay }: QuotaOptions): AiQuota {
  const { add: later } = retries()
  return {
    async reserve(accountId, plan, images) {
      const limit = limits[plan]
      const id = randomUUID()
      const { rows } = await pool
        .query<ReserveRow>({ ...RESERVE, values: [id, accountId, images, limit, server] })
        .catch((error: unknown) => {
          // It may have been committed, and only the answer was lost.
          later(() => pool.query('select void_reservation($1)', [id]))
          throw error
        })
      const [row] = rows
      if (!row) throw new Error('reserve_ai_images() returned no row')
      const state = dayOf(limit, row.used, row.resets_at)
      if (!row.reserved) throw refusal(state, images, row.resets_in)
      return reservedImages({ id, accountId, day: row.day, images, state }, { pool, later, onDelay })
    },
  }
}

function refusal(day: DailyImages, images: number, retryAfterSeconds: number): ApiError {
  const { limit, remaining } = day
  return new ApiError('ai_daily_limit_exceeded', {
    message: `Images of this request: ${images}; left of today's ${limit}: ${remaining}. The quota resets at midnight UTC.`,
    retryAfterSeconds,
    headers: quotaHeaders(day),
  })
}

/** Images of one request, from their reservation to their end. */
export interface ReservedImages {
  /**
   * Called at the end of a request, before its answer is sent: this many images count, the rest is given back. Only the first
   * call has an effect. The model was asked by now, so the answer is delivered in any case: never rejects, and retries later what
   * the database cannot store.
   */
  settle(succeededCount: number): Promise<void>
  /** The current state of the account's day. */
  state(): DailyImages
}

interface Reservation {
  readonly id: string
  readonly accountId: string
  /** The UTC day of the reservation: a request may end on the next day. */
  readonly day: string
  readonly images: number
  readonly state: DailyImages
}

interface Means {
  readonly pool: Pick<pg.Pool, 'query'>
  readonly later: Retries['add']
  onDelay(error: unknown): void
}

const CHARGE = { name: 'charge_ai_images', text: 'select charge_ai_images($1, $2, $3, $4) as used' }

function reservedImages(
  { id, accountId, day, images, state: before }: Reservation,
  { pool, later, onDelay }: Means,
): ReservedImages {
  let state = before
  let ending: Promise<void> | undefined

  function show(usedCount: number): void {
    state = dayOf(before.limit, usedCount, before.resetsAt)
  }
  async function end(succeededCount: number): Promise<void> {
    show(before.used - (images - succeededCount))
    try {
      const { rows } = await pool.query<{ used: number }>({ ...CHARGE, values: [id, succeededCount, accountId, day] })
      if (rows[0]) show(rows[0].used)
    } catch (error) {
      onDelay(error)
      // It may have been committed: from now on only an existing reservation is settled.
      later(() => pool.query({ ...CHARGE, values: [id, succeededCount, null, null] }))
    }
  }
  return {
    settle: (succeededCount) => (ending ??= end(succeededCount)),
    state: () => state,
  }
}

/** The quota of an account's day. After a change of plan, more may be used than is allowed. */
const dayOf = (limit: number | null, usedCount: number, resetsAt: Date): DailyImages => ({
  limit,
  used: usedCount,
  remaining: limit === null ? null : Math.max(0, limit - usedCount),
  resetsAt,
})

/** For the documentation. */
export const quotaHeaderTexts = {
  'X-AI-Limit': 'Images for the AI endpoints in a UTC day; "unlimited" where there is no limit. Not with userProvider.',
  'X-AI-Remaining': 'Images left today; "unlimited" where there is no limit.',
  'X-AI-Reset': 'When the quota resets: 00:00 UTC, as Unix time in seconds.',
} as const

const count = (images: number | null): string => (images === null ? 'unlimited' : String(images))

export const quotaHeaders = ({ limit, remaining, resetsAt }: DailyImages): Record<string, string> => ({
  'x-ai-limit': count(limit),
  'x-ai-remaining': count(remaining),
  'x-ai-reset': String(resetsAt.getTime() / 1000),
})

/** An account's usage by AI requests: exact for today, with a lag of some 100 ms for the UTC month. */
export interface AiUsage {
  readonly today: DailyImages
  readonly month: AiSpending
}

export interface AiSpending {
  readonly images: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** US dollars; absent if none were recorded. */
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
