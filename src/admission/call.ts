import { ApiError } from '../contract/api-error.ts'
import { CallRefused } from '../metering/call-refused.ts'
import type { Payment } from '../metering/calls.ts'
import { meteredCall } from '../metering/metered-call.ts'
import { callerOf } from './caller.ts'
import type { Gate, Visitor } from './gate.ts'

/** The dashboard's session may try image operations; for bearer tokens the plan and the credits decide: contract §4. */
export const paymentFor = (payment: Payment, { bySession = false }: Visitor): Payment => (bySession ? payment : 'no trial')

/** Key, plan, burst, and one call from the month or the credits: in this order, in one round trip. */
export const callBy =
  (payment: Payment): Gate =>
  async (visitor, { calls }) => {
    const caller = callerOf(visitor)
    if (!caller) throw new ApiError('missing_or_invalid_api_key')
    const admitted = await calls.admit(caller, paymentFor(payment, visitor))
    if (admitted.verdict !== 'ok') throw new CallRefused(admitted)
    return { ...visitor, account: admitted.reservation.accountId, metered: meteredCall(admitted, calls) }
  }
