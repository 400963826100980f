import { ApiError } from '../contract/api-error.ts'
import type { Gate } from './gate.ts'

/** Key, plan, burst, and one call from the month or the credits: in this order, in one round trip. */
export const call: Gate = async (visitor, { calls }) => {
  if (!visitor.apiKeyHash) throw new ApiError('missing_or_invalid_api_key')
  const admitted = await calls.admit(visitor.apiKeyHash)
  if (admitted.verdict === 'ok') return { ...visitor, admitted }
  const { verdict, retryAfterSeconds } = admitted
  throw new ApiError(verdict, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
}
