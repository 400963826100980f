import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { ErrorName } from '../contract/errors.ts'
import { plans } from '../contract/plans.ts'

/** A call that was taken from the month or from the credits, and can be given back. */
export interface Charge {
  readonly accountId: string
  readonly reference: string
  readonly from: 'month' | 'credit'
  /** First day of the UTC month it was taken from. */
  readonly month: string | null
}

export interface Admitted {
  readonly verdict: 'ok'
  readonly charge: Charge
  /** Calls a month, or credits bought; null is unlimited. */
  readonly limit: number | null
  readonly remaining: number | null
}

export interface Refused {
  readonly verdict: Extract<
    ErrorName,
    'invalid_or_revoked_api_key' | 'api_access_not_available' | 'rate_limited' | 'monthly_limit_exceeded' | 'insufficient_credits'
  >
  readonly retryAfterSeconds: number | undefined
}

/** Counts calls against burst, month and credits, in the database: it holds for any number of processes. */
export interface Calls {
  /** One round trip decides and charges. */
  admit(keyHash: Buffer): Promise<Admitted | Refused>
  /** The answer was not 2xx, or never reached the caller. */
  giveBack(charge: Charge): Promise<void>
}

interface AdmitRow {
  readonly verdict: 'ok' | Refused['verdict']
  readonly account_id: string
  readonly charged: 'month' | 'credit'
  readonly charged_month: string | null
  readonly call_limit: number | null
  readonly remaining: number | null
  readonly retry_seconds: number | null
}

const planTable = JSON.stringify(plans)

export function calls(pool: pg.Pool, burstPerMinute: number): Calls {
  return {
    async admit(keyHash) {
      // Not the request id, which the caller may choose: references are unique in the ledger.
      const reference = randomUUID()
      const { rows } = await pool.query<AdmitRow>({
        // Named, so that each connection parses and plans it once.
        name: 'admit',
        text: 'select verdict, account_id, charged, charged_month::text, call_limit, remaining, retry_seconds from admit($1, $2, $3, $4)',
        values: [keyHash, reference, burstPerMinute, planTable],
      })
      const [row] = rows
      if (!row) throw new Error('admit() returned no row')
      if (row.verdict !== 'ok') return { verdict: row.verdict, retryAfterSeconds: row.retry_seconds ?? undefined }
      const charge: Charge = { accountId: row.account_id, reference, from: row.charged, month: row.charged_month }
      return { verdict: 'ok', charge, limit: row.call_limit, remaining: row.remaining }
    },
    async giveBack({ accountId, reference, from, month }) {
      await pool.query({
        name: 'give_back',
        text: 'select give_back($1, $2, $3, $4)',
        values: [accountId, reference, from, month],
      })
    },
  }
}
