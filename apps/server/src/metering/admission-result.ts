import type { Allowance } from '../contract/allowance.ts'
import { ApiError } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import { missingScope, type Scope } from '../contract/scopes.ts'

/** An API key's hash, with the scopes of which it needs one, or the account that a login token belongs to. */
export type Reader = { readonly keyHash: Buffer; readonly scopes?: readonly Scope[] | undefined } | { readonly accountId: string }

/** A call reserved from the month or from the credits, not charged yet. */
export interface Reservation {
  readonly id: string
  readonly accountId: string
  /** Null for a call with a session. */
  readonly keyId: string | null
  /** First day of the UTC month it was reserved from; null if it was reserved from the credits. */
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
  /** Set if the key was known. */
  readonly accountId: string | null
  readonly keyId: string | null
  /** With `insufficient_credits`: credits reserved by calls in progress, which may be given back. */
  readonly heldCredits?: number
  /** With `forbidden`: the scopes of which the key has none. */
  readonly scopes?: readonly Scope[] | undefined
}

export type RefusalOfRead = 'invalid_or_revoked_api_key' | 'forbidden' | 'api_access_not_available' | 'rate_limited'
export type RefusalOfCall = RefusalOfRead | 'monthly_limit_exceeded' | 'insufficient_credits'

export interface Settled {
  /** False: the reservation was given back before, and nothing was charged. */
  readonly settled: boolean
  /** Null if the month paid for the call. */
  readonly creditsLeft: number | null
}

export interface Widened {
  readonly verdict: 'ok' | 'reservation_is_void' | 'monthly_limit_exceeded' | 'insufficient_credits'
  /** Calls or credits left; after a refusal, besides the one that is reserved. Null is unlimited. */
  readonly remaining: number | null
}

/** How a reservation is changed, and how it ends; `calls` are those that it has, 1 by default. */
export interface Settlements<Reserved extends Reservation = Reservation> {
  /** Reserves further calls, up to `calls`; absent where a reservation is always of one. */
  widen?(reservation: Reserved, calls: number, limit: number | null): Promise<Widened>
  /** Charges the calls, before the answer is sent. */
  settle(reservation: Reserved, calls?: number): Promise<Settled>
  /** Gives back what was not settled; false if there was nothing to give back. */
  voidReservation(reservation: Reserved): Promise<boolean>
  /** Refunds settled calls whose answer did not arrive. */
  refund(reservation: Reserved, calls?: number): Promise<void>
  /** Retries in the background, until it succeeds, what failed because the database was unavailable. */
  later(step: () => Promise<unknown>): void
}

/** A refused admission, with what is known about the caller. */
export class CallRefused extends ApiError {
  readonly allowance: Allowance
  readonly accountId: string | null
  readonly keyId: string | null

  constructor({ verdict, allowance, accountId, keyId, heldCredits = 0, scopes = [] }: Refused<ErrorName>) {
    const { burst, month, removals } = allowance
    const waits = {
      rate_limited: burst?.nextFreeInSeconds,
      monthly_limit_exceeded: month?.endsInSeconds,
      background_quota_exceeded: removals?.endsInSeconds,
    }
    const seconds = verdict in waits ? waits[verdict as keyof typeof waits] : undefined
    super(verdict, {
      ...(verdict === 'forbidden' && { message: missingScope(scopes) }),
      ...(seconds !== undefined && { retryAfterSeconds: seconds }),
      ...(heldCredits > 0 && {
        message: `Calls in progress hold the last API credits (${heldCredits}); wait for them, or buy more.`,
      }),
    })
    this.allowance = allowance
    this.accountId = accountId
    this.keyId = keyId
  }
}
