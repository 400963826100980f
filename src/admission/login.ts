import { findLogin, hashLoginToken, LOGIN_TOKEN } from '../accounts/login-tokens.ts'
import { ApiError } from '../contract/api-error.ts'
import { bearerOf } from './bearer.ts'
import type { Gate } from './gate.ts'
import { requireOwnPage } from './same-origin.ts'
import { sessionOf } from './session-cookie.ts'

/** A login token in the header, or else in a browser's cookie. One round trip, and nothing is kept: it ends at once. */
export const login: Gate = async (visitor, { database }) => {
  const bySession = visitor.authorization === undefined
  const token = bySession ? sessionOf(visitor) : bearerOf(visitor.authorization)
  if (!token || !LOGIN_TOKEN.test(token)) throw new ApiError('missing_or_invalid_login_token')
  if (bySession) requireOwnPage(visitor)
  const found = await findLogin(database.pool, hashLoginToken(token))
  if (!found) throw new ApiError('invalid_or_expired_login_token')
  return { ...visitor, login: found, bySession, account: found.user.id }
}
