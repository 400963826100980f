import type { Allowance } from '../contract/allowance.ts'
import { ApiError } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'

/** An API key's hash, or the account that a login token belongs to. */
export type Reader = { readonly keyHash: Buffer } | { readonly accountId: string }

/** A call that was taken from the month or from the credits, and is not charged yet. */
export interface Reservation {
  readonly id: string
  readonly accountId: string
  /** Null where somebody is signed in. */
  readonly keyId: string | null
  /** First day of the UTC month it was taken from; null when it was taken from the credits. */
  readonly month: string | null
}

export interface Admitted<Reserved extends Reservation = Reservation> {
  readonly verdict: 'ok'
  readonly reservation: Reserved
  readonly allowance: Allowance
}

export interface Refused<Why extends ErrorName = RefusalOfCall> {
  readonly verdict: Why
  readonly allowance: Allowance
  /** Known where the key was. */
  readonly accountId: string | null
  readonly keyId: string | null
  /** With `insufficient_credits`: credits that calls under way hold, which they may give back. */
  readonly heldCredits?: number
}

export type RefusalOfRead = 'invalid_or_revoked_api_key' | 'api_access_not_available' | 'rate_limited'
export type RefusalOfCall = RefusalOfRead | 'monthly_limit_exceeded' | 'insufficient_credits'

export interface Settled {
  /** False: somebody gave the reservation back, and nothing was charged. */
  readonly settled: boolean
  /** Null when the call was the month's. */
  readonly creditsLeft: number | null
}

/** How a reservation ends. */
export interface Settlements<Reserved extends Reservation = Reservation> {
  /** Charges for good, before the answer is sent. */
  settle(reservation: Reserved): Promise<Settled>
  /** Gives back what was not settled; false when there was nothing to give back. */
  voidReservation(reservation: Reserved): Promise<boolean>
  /** Gives back what was settled, when its answer did not arrive. */
  refund(reservation: Reserved): Promise<void>
  /** Tries in the background, until it succeeds, what failed because the database was away. */
  later(step: () => Promise<unknown>): void
}

/** What `admit()` and `admit_read()` say of a caller's limits. */
export interface AllowanceRow {
  readonly source: 'month' | 'credit' | null
  readonly month: string | null
  /** Calls a month, or credits bought. */
  readonly call_limit: number | null
  readonly remaining: number | null
  /** Seconds until the month ends. */
  readonly month_left: number | null
  readonly burst_left: number | null
  readonly burst_free_in: number | null
}

/** The length of the UTC month that begins on this day. */
function monthSeconds(firstDay: string): number {
  const begin = new Date(`${firstDay}T00:00:00Z`)
  return (Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1) - begin.getTime()) / 1000
}

export type BurstRow = Pick<AllowanceRow, 'burst_left' | 'burst_free_in'>

export function readBurst(row: BurstRow, policy: 'burst' | 'reading', limit: number): Allowance {
  const { burst_left: remaining, burst_free_in: nextFreeInSeconds } = row
  if (remaining === null || nextFreeInSeconds === null) return {}
  return { burst: { policy, limit, remaining, nextFreeInSeconds } }
}

function callsOf({ source, month, call_limit: limit, remaining, month_left }: AllowanceRow): Allowance {
  if (source === 'credit') return { credits: { bought: limit ?? 0, left: remaining ?? 0 } }
  if (month === null) return {}
  return { month: { limit, remaining, lengthSeconds: monthSeconds(month), endsInSeconds: month_left ?? 0 } }
}

export const readAllowance = (row: AllowanceRow, burstLimit: number): Allowance => ({
  ...readBurst(row, 'burst', burstLimit),
  ...callsOf(row),
})

/** An error of admission, with what is known of the caller. */
export class CallRefused extends ApiError {
  readonly allowance: Allowance
  readonly accountId: string | null
  readonly keyId: string | null

  constructor({ verdict, allowance, accountId, keyId, heldCredits = 0 }: Refused<ErrorName>) {
    const { burst, month, removals } = allowance
    const waits = {
      rate_limited: burst?.nextFreeInSeconds,
      monthly_limit_exceeded: month?.endsInSeconds,
      background_quota_exceeded: removals?.endsInSeconds,
    }
    const seconds = verdict in waits ? waits[verdict as keyof typeof waits] : undefined
    super(verdict, {
      ...(seconds !== undefined && { retryAfterSeconds: seconds }),
      ...(heldCredits > 0 && {
        message: `Calls under way hold the last API credits (${heldCredits}); wait for them, or buy more.`,
      }),
    })
    this.allowance = allowance
    this.accountId = accountId
    this.keyId = keyId
  }
}
