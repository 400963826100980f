import type { Allowance } from '../contract/allowance.ts'
import { ApiError } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import type { Refused } from './calls.ts'

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
