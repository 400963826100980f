import { ApiError } from '../contract/api-error.ts'
import { CallRefused } from '../metering/call-refused.ts'
import { callerOf } from './caller.ts'
import type { Gate } from './gate.ts'

/** The burst limit of requests that only read; of a key also whether it exists and its plan has the API: in one round trip. */
export const reading: Gate = async (visitor, { calls }) => {
  const reader = callerOf(visitor)
  if (!reader) throw new ApiError('missing_or_invalid_api_key')
  const admitted = await calls.admitRead(reader)
  if (admitted.verdict !== 'ok') throw new CallRefused(admitted)
  return { ...visitor, account: admitted.accountId, allowance: admitted.allowance }
}
