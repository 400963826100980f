import { API_KEY, hashApiKey } from '../accounts/api-keys.ts'
import { ApiError } from '../contract/api-error.ts'
import { bearerOf } from './bearer.ts'
import type { Gate } from './gate.ts'

/** Only the shape: whether the key exists is asked together with all that costs a round trip. */
export const apiKey: Gate = (visitor) => {
  const key = bearerOf(visitor.authorization)
  if (!key || !API_KEY.test(key)) throw new ApiError('missing_or_invalid_api_key')
  return { ...visitor, apiKeyHash: hashApiKey(key) }
}
