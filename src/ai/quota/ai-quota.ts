import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { DailyImages } from '../../contract/allowance.ts'
import { ApiError } from '../../contract/api-error.ts'
import type { PlanName } from '../../contract/plans.ts'
import { retries } from '../../metering/retries.ts'
import type { DailyLimits } from './daily-limits.ts'
import { dayOf } from './day-of.ts'
import { quotaHeaders } from './quota-headers.ts'
import { type ReservedImages, reservedImages } from './reserved-images.ts'

export interface AiQuota {
  /**
   * Takes images from the account's UTC day, all of them or none: it holds for any number of processes. Who is unlimited is
   * counted all the same.
   * @throws ApiError ai_daily_limit_exceeded, with the headers of the quota
   */
  reserve(accountId: string, plan: PlanName, images: number): Promise<ReservedImages>
}

export interface QuotaOptions {
  readonly limits: DailyLimits
  /** The number under which this server is present: should it die, others give back what it had reserved. */
  readonly server: number
  /** The database could not be told how a request ended; it is tried again. */
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
          // It may have been committed, and only its answer lost.
          later(() => pool.query('select settle_ai_images($1, 0, null, null)', [id]))
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
    message: `Images of this request: ${images}; left of today's ${limit}: ${remaining}. They start anew at midnight UTC.`,
    retryAfterSeconds,
    headers: quotaHeaders(day),
  })
}
