import { LOGIN_TOKEN } from '../accounts/login-tokens.ts'
import { apiKey } from './api-key.ts'
import { bearerOf } from './bearer.ts'
import type { Gate } from './gate.ts'
import { login } from './login.ts'
import { sessionOf } from './session-cookie.ts'

/** Scripts send a key, people are signed in. Whoever sends neither is told of keys: these endpoints are the API's. */
export const keyOrLogin: Gate = (visitor, services) => {
  const signedIn = visitor.authorization === undefined ? sessionOf(visitor) : bearerOf(visitor.authorization)
  return signedIn && LOGIN_TOKEN.test(signedIn) ? login(visitor, services) : apiKey(visitor, services)
}
