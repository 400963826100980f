import { API_KEY, hashApiKey } from '../accounts/api-keys.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Gate } from './gate.ts'

/** RFC 6750: the scheme's name is case-insensitive, the token is not. */
const BEARER = /^bearer +(\S+)$/i

/** Only the shape: whether the key exists is asked together with all that costs a round trip. */
export const apiKey: Gate = (visitor) => {
  const key = BEARER.exec(visitor.authorization ?? '')?.[1]
  if (!key || !API_KEY.test(key)) throw new ApiError('missing_or_invalid_api_key')
  return { ...visitor, apiKeyHash: hashApiKey(key) }
}
