import { ApiError } from '../contract/api-error.ts'
import { CallRefused } from '../metering/call-refused.ts'
import { meteredCall } from '../metering/metered-call.ts'
import { callerOf } from './caller.ts'
import type { Gate } from './gate.ts'

/**
 * A removal of the month, and where a key calls also its plan and one call: in one round trip, after the burst limit. Who is signed
 * in may have any plan.
 */
export const removal: Gate = async (visitor, { background: { quota } }) => {
  const caller = callerOf(visitor)
  if (!caller) throw new ApiError('missing_or_invalid_api_key')
  const admitted = await quota.admit(caller)
  if (admitted.verdict !== 'ok') throw new CallRefused(admitted)
  return { ...visitor, account: admitted.reservation.accountId, metered: meteredCall(admitted, quota) }
}
