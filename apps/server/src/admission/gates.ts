import { serverBusy } from '@pixelmill/engine/rendering/pool'
import { hashApiKey } from '../accounts/api-keys.ts'
import { findLogin, hashLoginToken, LOGIN_TOKEN } from '../accounts/login-tokens.ts'
import { previewOf, takeAttempt } from '../accounts/throttle.ts'
import { ApiError } from '../contract/api-error.ts'
import { API_KEY } from '../contract/api-key.ts'
import { plans } from '../contract/plans.ts'
import { CallRefused, type Reader } from '../metering/admission-result.ts'
import type { Payment } from '../metering/calls.ts'
import { meteredCall } from '../metering/charge-call.ts'
import { requireOwnPage, sessionOf } from './browser.ts'
import type { Gate, Visitor } from './visitor.ts'

// Identification of the caller.

/** An API key, or a sign-in by token or cookie. Without either, the error asks for a key: these endpoints are the API's. */
export const keyOrLogin: Gate = (visitor, services) => {
  const token = tokenOf(visitor)
  return token && LOGIN_TOKEN.test(token) ? login(visitor, services) : apiKey(visitor, services)
}

/** Checks the form of the key only; the round trip that decides about the call also asks whether the key exists. */
const apiKey: Gate = (visitor) => {
  const key = bearerOf(visitor)
  if (!key || !API_KEY.test(key)) throw new ApiError('missing_or_invalid_api_key')
  return { ...visitor, apiKeyHash: hashApiKey(key) }
}

/** A login token in the header, or else in a browser's cookie. It is looked up at every request, so a sign-out holds at once. */
export const login: Gate = async (visitor, { database }) => {
  const bySession = visitor.authorization === undefined
  const token = tokenOf(visitor)
  if (!token || !LOGIN_TOKEN.test(token)) throw new ApiError('missing_or_invalid_login_token')
  if (bySession) requireOwnPage(visitor)
  const foundLogin = await findLogin(database.pool, hashLoginToken(token))
  if (!foundLogin) throw new ApiError('invalid_or_expired_login_token')
  return { ...visitor, login: foundLogin, bySession, account: foundLogin.user.id }
}

/** Settings that a key with the scope may change too. Without a key the error asks for a sign-in, which needs no scope. */
export const settings: Gate = async (visitor, services) => {
  if (API_KEY.test(bearerOf(visitor) ?? '')) return await reading(await apiKey(visitor, services), services)
  return await seat(await login(visitor, services), services)
}

/** Follows `login`: one account does not occupy the database's connections. */
export const seat: Gate = (visitor, { signedInRequests }) => ({
  ...visitor,
  seat: signedInRequests.enter(visitor.account ?? ''),
})

/** Follows `login`: administrators only. */
export const admin: Gate = (visitor) => {
  if (visitor.login?.user.role !== 'admin') throw new ApiError('forbidden')
  return visitor
}

/**
 * An API key or a sign-in. Without one, the error depends on the request: with `userProvider` a login is missing,
 * without it an API key.
 * @param models whether the endpoint accepts a model of the caller's own
 */
export const aiCredential =
  (models: 'platform' | 'own too'): Gate =>
  async (visitor, services) => {
    const token = tokenOf(visitor)
    if (token && LOGIN_TOKEN.test(token)) return login(visitor, services)
    if (visitor.authorization !== undefined && token && API_KEY.test(token)) return apiKey(visitor, services)
    const asksOwnModel = models === 'own too' && (await namesOwnModel(visitor))
    throw new ApiError(asksOwnModel ? 'ai_access_denied' : 'missing_or_invalid_api_key')
  }

async function namesOwnModel({ smallBody }: Visitor): Promise<boolean> {
  const body = await smallBody?.()
  if (typeof body !== 'object' || body === null || !('userProvider' in body)) return false
  const { userProvider } = body
  // As in an admitted body, null and blank count as absent.
  return userProvider !== null && !(typeof userProvider === 'string' && userProvider.trim() === '')
}

const SEND_BASIC = 'Send your API key by Basic authentication, as the password of the user api.'
const BASIC = /^basic +(\S+)$/i

/** As Tinify's clients send a key: the password of the user api, by RFC 7617. */
export const basicKey: Gate = (visitor) => {
  const [, encodedText = ''] = BASIC.exec(visitor.authorization ?? '') ?? []
  const [, key] = /^api:(.*)$/s.exec(Buffer.from(encodedText, 'base64').toString('utf8')) ?? []
  if (key === undefined) throw new ApiError('missing_or_invalid_api_key', { message: SEND_BASIC })
  return { ...visitor, authorization: `Bearer ${key}` }
}

/** RFC 6750: the scheme's name is case-insensitive, the token is not. */
const BEARER = /^bearer +(\S+)$/i
const bearerOf = ({ authorization }: Visitor): string | undefined => BEARER.exec(authorization ?? '')?.[1]

/** The cookie counts only where there is no Authorization header. */
const tokenOf = (visitor: Visitor): string | undefined =>
  visitor.authorization === undefined ? sessionOf(visitor) : bearerOf(visitor)

// Whether the endpoint is open.

/** Precedes the body: where sign-up is closed, it need not be valid. */
export const signUpOpen: Gate = (visitor, { config }) => {
  if (config.SIGN_UP === 'closed') throw new ApiError('sign_up_closed')
  return visitor
}

// Whether there is capacity for the work.

/**
 * Refuses with server_busy while the render queue is full for the caller's account, before anything is reserved. First the caller
 * is checked without writing anything, so that a revoked key gets its own error instead. While no account has used up its share
 * of the queue, the database is not queried.
 */
export const capacity =
  (payment: Payment): Gate =>
  async (visitor, { capacity, calls }) => {
    if (visitor.account === undefined ? !capacity.fullForSome() : !capacity.full(visitor.account)) return visitor
    const previewVerdict = await calls.preview(requireCaller(visitor), paymentFor(payment, visitor))
    if (previewVerdict.verdict !== 'ok') throw new CallRefused(previewVerdict)
    if (capacity.full(previewVerdict.accountId)) throw serverBusy()
    return { ...visitor, account: previewVerdict.accountId }
  }

/** Counts the image against the queue until it is queued, or its request ends. `call` adds the account where it was unknown. */
export const place: Gate = (visitor, { capacity }) => ({ ...visitor, place: capacity.reserve(visitor.account) })

/** Background removals have a queue of their own of the same length. Signed-in users need no call for them. */
export const backgroundCapacity: Gate = async (visitor, { ai: { backgroundQueue }, calls }) => {
  if (visitor.account === undefined ? !backgroundQueue.fullForSome() : !backgroundQueue.full(visitor.account)) return visitor
  if (visitor.login) throw serverBusy()
  const previewVerdict = await calls.preview(requireCaller(visitor))
  if (previewVerdict.verdict !== 'ok') throw new CallRefused(previewVerdict)
  if (backgroundQueue.full(previewVerdict.accountId)) throw serverBusy()
  return visitor
}

// What is counted. Each of these gates is one round trip.

/** Checks the key, its plan and the burst limit, and reserves one call of the month or of the credits, in this order. */
export const call =
  (payment: Payment): Gate =>
  async (visitor, { calls, capacity }) => {
    const admittedCall = await calls.admit(requireCaller(visitor), paymentFor(payment, visitor))
    if (admittedCall.verdict !== 'ok') throw new CallRefused(admittedCall)
    const { accountId: account } = admittedCall.reservation
    const chargedCall = meteredCall(admittedCall, calls)
    if (!visitor.place || visitor.account !== undefined) return { ...visitor, account, metered: chargedCall }
    visitor.place[Symbol.dispose]()
    return { ...visitor, account, metered: chargedCall, place: capacity.reserve(account) }
  }

/** Reserves a removal of the month, and for a key also one call. Signed-in users may be on any plan. */
export const removal: Gate = async (visitor, { background: { quota } }) => {
  const admittedCall = await quota.admit(requireCaller(visitor))
  if (admittedCall.verdict !== 'ok') throw new CallRefused(admittedCall)
  return { ...visitor, account: admittedCall.reservation.accountId, metered: meteredCall(admittedCall, quota) }
}

/** Previews are free, so they are for accounts that may make images, and only so many an hour. */
export const previewBudget: Gate = async (visitor, { config, database }) => {
  const { id, plan, credits } = visitor.login?.user ?? {}
  if (id === undefined || plan === undefined) throw new ApiError('missing_or_invalid_login_token')
  const mayMake = plans[plan].apiAccess || (credits ?? 0) > 0 || config.TRIAL_CALLS[plan] !== 0
  if (!mayMake || config.PREVIEWS_PER_HOUR === 0) throw new ApiError('forbidden', { message: NO_PREVIEWS })
  await takeAttempt(database.kysely, previewOf(id, config.PREVIEWS_PER_HOUR))
  return visitor
}

const NO_PREVIEWS = 'This server makes no previews for this account, which may make no images.'

/** Checks the burst limit of requests that only read, and for a key that it exists and its plan includes the API. */
export const reading: Gate = async (visitor, { calls }) => {
  const admittedCall = await calls.admitRead(requireCaller(visitor))
  if (admittedCall.verdict !== 'ok') throw new CallRefused(admittedCall)
  return { ...visitor, account: admittedCall.accountId, allowance: admittedCall.allowance }
}

/**
 * Checks the burst limit, and the plan of a key. Whether a signed-in user may use AI depends on the body: with their own model
 * every account may.
 */
export const aiRequest: Gate = async (visitor, { calls }) => {
  const admittedCall = await calls.admitAi(requireCaller(visitor))
  if (admittedCall.verdict !== 'ok') throw new CallRefused(admittedCall)
  const { accountId, keyId, allowance } = admittedCall
  const plan = admittedCall.plan ?? visitor.login?.user.plan
  if (!plan) throw new Error('an account has a plan')
  return { ...visitor, account: accountId, ai: { accountId, plan, keyId }, allowance }
}

/** The caller in the database: the key's hash, or the signed-in account. Every list has a credential gate before. */
function requireCaller({ apiKeyHash: keyHash, scopes, account: accountId }: Visitor): Reader {
  if (keyHash) return { keyHash, scopes }
  if (accountId === undefined) throw new ApiError('missing_or_invalid_api_key')
  return { accountId }
}

/** Only the dashboard's session may use the free trial calls for image operations. */
const paymentFor = (payment: Payment, { bySession = false }: Visitor): Payment => (bySession ? payment : 'no trial')
