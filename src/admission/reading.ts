import { ApiError } from '../contract/api-error.ts'
import { CallRefused } from '../metering/call-refused.ts'
import type { Gate } from './gate.ts'

/** Key, plan, and the burst limit of requests that only read: in one round trip. */
export const reading: Gate = async (visitor, { calls }) => {
  if (!visitor.apiKeyHash) throw new ApiError('missing_or_invalid_api_key')
  const admitted = await calls.admitRead({ keyHash: visitor.apiKeyHash })
  if (admitted.verdict !== 'ok') throw new CallRefused(admitted)
  return { ...visitor, account: admitted.accountId, allowance: admitted.allowance }
}
