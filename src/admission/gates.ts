import { API_KEY, hashApiKey } from '../accounts/api-keys.ts'
import { findLogin, hashLoginToken, LOGIN_TOKEN } from '../accounts/login-tokens.ts'
import { ApiError } from '../contract/api-error.ts'
import { CallRefused } from '../metering/call-refused.ts'
import type { Calls, Payment, Reader } from '../metering/calls.ts'
import { meteredCall } from '../metering/metered-call.ts'
import { serverBusy } from '../rendering/pool.ts'
import type { Services } from '../services.ts'
import { requireOwnPage, sessionOf } from './browser.ts'
import type { Gate, Visitor } from './gate.ts'

/** Scripts send a key, people are signed in. Whoever sends neither is told of keys: these endpoints are the API's. */
export const keyOrLogin: Gate = (visitor, services) => {
  const signedIn = visitor.authorization === undefined ? sessionOf(visitor) : bearerOf(visitor.authorization)
  return signedIn && LOGIN_TOKEN.test(signedIn) ? login(visitor, services) : apiKey(visitor, services)
}

/** Only the shape: whether the key exists is asked together with all that costs a round trip. */
export const apiKey: Gate = (visitor) => {
  const key = bearerOf(visitor.authorization)
  if (!key || !API_KEY.test(key)) throw new ApiError('missing_or_invalid_api_key')
  return { ...visitor, apiKeyHash: hashApiKey(key) }
}

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

/** After `login`: administrators only. */
export const admin: Gate = (visitor) => {
  if (visitor.login?.user.role !== 'admin') throw new ApiError('forbidden')
  return visitor
}

/** RFC 6750: the scheme's name is case-insensitive, the token is not. */
const BEARER = /^bearer +(\S+)$/i

/** The token of an Authorization header, if it has one. */
export const bearerOf = (authorization: string | undefined): string | undefined => BEARER.exec(authorization ?? '')?.[1]

/** Who is asked for in the database: a key's hash, or the account that is signed in. */
export function callerOf({ apiKeyHash: keyHash, account: accountId }: Visitor): Reader | undefined {
  if (keyHash) return { keyHash }
  return accountId === undefined ? undefined : { accountId }
}

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

/** The account that calls, as far as it is known without asking the database. */
function accountOf(visitor: Visitor, payment: Payment, calls: Pick<Calls, 'passedLately'>): string | undefined {
  const caller = callerOf(visitor)
  return visitor.account ?? (caller && calls.passedLately(caller, payment))
}

/**
 * A full server writes nothing for a call that it cannot take, but reads first what else would refuse it: who sends a
 * revoked key is not told to come back. While there is room it costs nothing. For an account whose images fill their share of the
 * queue it is full before it is for others.
 */
export const roomFor =
  (most: Payment): Gate =>
  async (visitor, { room, calls }) => {
    const [caller, payment] = [callerOf(visitor), paymentFor(most, visitor)]
    if (!room.full(accountOf(visitor, payment, calls))) return visitor
    if (!caller) throw new ApiError('missing_or_invalid_api_key')
    if (calls.passedLately(caller, payment) !== undefined) throw serverBusy()
    const refused = await calls.preview(caller, payment)
    if (refused) throw new CallRefused(refused)
    // Now it is known whose images they are.
    if (!room.full(accountOf(visitor, payment, calls))) return visitor
    throw serverBusy()
  }

/**
 * Whether the answer to a call of the list `api` is known to be server_busy, from its key alone: what a full server says
 * hundreds of times a second has to cost next to nothing.
 */
export function isSurelyBusy(authorization: string | undefined, { room, calls }: Pick<Services, 'room' | 'calls'>): boolean {
  if (!room.fullForSome()) return false
  const key = bearerOf(authorization)
  if (key === undefined || !API_KEY.test(key)) return false
  const account = calls.passedLately({ keyHash: hashApiKey(key) }, 'no trial')
  return account !== undefined && room.full(account)
}

/** Until its image is in the queue, or its request has ended. */
export const place: Gate = (visitor, { room, calls }) => ({
  ...visitor,
  place: room.enter(accountOf(visitor, paymentFor('trial too', visitor), calls)),
})

/** Long work waits in the background, where as much may wait as in front; who is signed in needs no call for it. */
export const roomForLongWork: Gate = async (visitor, { ai, config, calls }) => {
  if (ai.backgroundTurns.waiting() < config.RENDER_QUEUE) return visitor
  if (visitor.login) throw serverBusy()
  if (!visitor.apiKeyHash) throw new ApiError('missing_or_invalid_api_key')
  const refused = await calls.preview({ keyHash: visitor.apiKeyHash })
  throw refused ? new CallRefused(refused) : serverBusy()
}

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

/** The burst limit of requests that only read; of a key also whether it exists and its plan has the API: in one round trip. */
export const reading: Gate = async (visitor, { calls }) => {
  const reader = callerOf(visitor)
  if (!reader) throw new ApiError('missing_or_invalid_api_key')
  const admitted = await calls.admitRead(reader)
  if (admitted.verdict !== 'ok') throw new CallRefused(admitted)
  return { ...visitor, account: admitted.accountId, allowance: admitted.allowance }
}

/**
 * A key's plan and the burst limit, in one round trip. Whether somebody who is signed in may use AI cannot be told before the
 * body is known: with a model of their own everybody may.
 */
export const aiGate: Gate = async (visitor, { calls }) => {
  const { apiKeyHash: keyHash, login } = visitor
  const caller = keyHash ? { keyHash } : login ? { accountId: login.user.id } : undefined
  if (!caller) throw new ApiError('ai_access_denied')
  const admitted = await calls.admitAi(caller)
  if (admitted.verdict !== 'ok') throw new CallRefused(admitted)
  const { accountId, keyId, allowance } = admitted
  const plan = admitted.plan ?? login?.user.plan
  if (!plan) throw new Error('an account has a plan')
  return { ...visitor, account: accountId, ai: { accountId, plan, keyId }, allowance }
}

/**
 * A removal of the month, and where a key calls also its plan and one call: in one round trip, after the burst limit. Who is signed
 * in may have any plan.
 */
export const removal: Gate = async (visitor, { background: { quota } }) => {
  const caller = callerOf(visitor)
  if (!caller) throw new ApiError('missing_or_invalid_api_key')
  const admitted = await quota.admit(caller)
  if (admitted.verdict !== 'ok') throw new CallRefused(admitted)
  return { ...visitor, account: admitted.reservation.accountId, metered: meteredCall(admitted, quota) }
}

/** Before the body, which nobody need get right where there is no sign-up. */
export const signUpOpen: Gate = (visitor, { config }) => {
  if (config.SIGN_UP === 'closed') throw new ApiError('sign_up_closed')
  return visitor
}
