import { LOGIN_TOKEN } from '../accounts/login-tokens.ts'
import { ApiError } from '../contract/api-error.ts'
import { apiKey } from './api-key.ts'
import { bearerOf } from './bearer.ts'
import type { Gate } from './gate.ts'
import { login } from './login.ts'
import { sessionOf } from './session-cookie.ts'

/** A key or a sign-in, as where something is read; but who has neither lacks access to AI, as the specification says it. */
export const aiCredential: Gate = (visitor, services) => {
  const token = visitor.authorization === undefined ? sessionOf(visitor) : bearerOf(visitor.authorization)
  if (token && LOGIN_TOKEN.test(token)) return login(visitor, services)
  if (visitor.authorization === undefined) throw new ApiError('ai_access_denied')
  return apiKey(visitor, services)
}
