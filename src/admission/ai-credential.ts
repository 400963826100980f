import { API_KEY } from '../accounts/api-keys.ts'
import { LOGIN_TOKEN } from '../accounts/login-tokens.ts'
import { ApiError } from '../contract/api-error.ts'
import { apiKey } from './api-key.ts'
import { bearerOf } from './bearer.ts'
import type { Gate, Visitor } from './gate.ts'
import { login } from './login.ts'
import { sessionOf } from './session-cookie.ts'

/**
 * A key or a sign-in. Without one, the answer depends on the request (contract §7): with `userProvider` a login is missing, without it
 * an API key.
 * @param models whether the endpoint takes a model of the caller's own
 */
export const aiCredential =
  (models: 'platform' | 'own too'): Gate =>
  async (visitor, services) => {
    const token = visitor.authorization === undefined ? sessionOf(visitor) : bearerOf(visitor.authorization)
    if (token && LOGIN_TOKEN.test(token)) return login(visitor, services)
    if (visitor.authorization !== undefined && token && API_KEY.test(token)) return apiKey(visitor, services)
    const asksOwnModel = models === 'own too' && (await bringsModel(visitor))
    throw new ApiError(asksOwnModel ? 'ai_access_denied' : 'missing_or_invalid_api_key')
  }

async function bringsModel({ smallBody }: Visitor): Promise<boolean> {
  const body = await smallBody?.()
  if (typeof body !== 'object' || body === null || !('userProvider' in body)) return false
  const { userProvider } = body
  // As in a body that is let in, null and blank are absent.
  return userProvider !== null && !(typeof userProvider === 'string' && userProvider.trim() === '')
}
