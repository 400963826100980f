import type { ErrorName } from '../contract/errors.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Services } from '../services.ts'
import { noForeignOrigin, noForeignPage } from './browser.ts'
import {
  admin,
  aiCredential,
  aiRequest,
  backgroundCapacity,
  basicKey,
  call,
  capacity,
  keyOrLogin,
  login,
  place,
  previewBudget,
  reading,
  removal,
  seat,
  settings,
  signUpOpen,
} from './gates.ts'
import type { Gate, Visitor } from './visitor.ts'

/** Which gates a request passes, in order: those that cost nothing first, the one that reserves a call last. */
export const admissions = {
  open: [],
  api: [keyOrLogin, capacity('trial too'), place, call('trial too')],
  batch: [keyOrLogin, capacity('no trial'), call('no trial')],
  tinify: [basicKey, keyOrLogin, capacity('no trial'), place, call('no trial')],
  tinifyRead: [basicKey, keyOrLogin, reading],
  /** The signature of the URL decides, and the account of the source pays. */
  delivery: [],
  signIn: [noForeignPage],
  signUp: [noForeignPage, signUpOpen],
  login: [login, seat],
  settings: [settings],
  admin: [login, seat, admin],
  preview: [login, reading, previewBudget, place],
  read: [keyOrLogin, reading],
  agent: [noForeignOrigin, keyOrLogin, reading],
  ai: [aiCredential('own too'), aiRequest],
  aiPlatform: [aiCredential('platform'), aiRequest],
  background: [keyOrLogin, backgroundCapacity, removal],
} as const satisfies Record<string, readonly Gate[]>

export type AdmissionName = keyof typeof admissions

/** The credentials that each list accepts, any one of them; for the documentation. */
export const credentials = {
  open: [],
  api: ['apiKey', 'loginToken', 'session'],
  batch: ['apiKey', 'loginToken', 'session'],
  tinify: ['apiKey'],
  tinifyRead: ['apiKey'],
  delivery: [],
  signIn: [],
  signUp: [],
  login: ['loginToken', 'session'],
  settings: ['apiKey', 'loginToken', 'session'],
  admin: ['loginToken', 'session'],
  preview: ['loginToken', 'session'],
  read: ['apiKey', 'loginToken', 'session'],
  agent: ['apiKey', 'loginToken', 'session'],
  ai: ['apiKey', 'loginToken', 'session'],
  aiPlatform: ['apiKey', 'loginToken', 'session'],
  background: ['apiKey', 'loginToken', 'session'],
} as const satisfies Record<AdmissionName, readonly ('apiKey' | 'loginToken' | 'session')[]>

/** Scopes of which an API key needs one, where a route does not say others. */
const usualScopes: Partial<Record<AdmissionName, readonly Scope[]>> = {
  api: ['images'],
  batch: ['batch'],
  tinify: ['images'],
  tinifyRead: ['images'],
  ai: ['images'],
  aiPlatform: ['images'],
  background: ['images'],
}

/** The scopes of which an API key needs one; undefined where any key will do, or none. */
export const acceptedScopes = (route: {
  readonly admission: AdmissionName
  readonly scopes?: readonly Scope[]
}): readonly Scope[] | undefined => route.scopes ?? usualScopes[route.admission]

const LOGIN_REFUSALS = [
  'missing_or_invalid_login_token',
  'invalid_or_expired_login_token',
  'forbidden',
  'rate_limited',
  'server_busy',
] as const

const CALL_REFUSALS = [
  'missing_or_invalid_api_key',
  'invalid_or_revoked_api_key',
  'api_access_not_available',
  'invalid_or_expired_login_token',
  'forbidden',
  'rate_limited',
  'monthly_limit_exceeded',
  'insufficient_credits',
  'server_busy',
] as const

const READ_REFUSALS = [
  'missing_or_invalid_api_key',
  'invalid_or_revoked_api_key',
  'api_access_not_available',
  'invalid_or_expired_login_token',
  'forbidden',
  'rate_limited',
] as const

const AI_REFUSALS = [
  'missing_or_invalid_api_key',
  'invalid_or_revoked_api_key',
  'invalid_or_expired_login_token',
  'forbidden',
  'ai_access_denied',
  'rate_limited',
] as const

/** The errors of each list, for the documentation. */
export const refusals = {
  open: [],
  api: CALL_REFUSALS,
  batch: CALL_REFUSALS,
  tinify: CALL_REFUSALS,
  tinifyRead: READ_REFUSALS,
  delivery: ['monthly_limit_exceeded', 'insufficient_credits', 'server_busy'],
  signIn: ['forbidden'],
  signUp: ['forbidden', 'sign_up_closed'],
  login: LOGIN_REFUSALS,
  settings: [...LOGIN_REFUSALS, 'invalid_or_revoked_api_key', 'api_access_not_available'],
  admin: LOGIN_REFUSALS,
  preview: LOGIN_REFUSALS,
  read: READ_REFUSALS,
  agent: READ_REFUSALS,
  ai: AI_REFUSALS,
  aiPlatform: AI_REFUSALS,
  background: [
    'missing_or_invalid_api_key',
    'invalid_or_revoked_api_key',
    'api_access_not_available',
    'invalid_or_expired_login_token',
    'forbidden',
    'rate_limited',
    'monthly_limit_exceeded',
    'insufficient_credits',
    'background_quota_exceeded',
    'server_busy',
  ],
} as const satisfies Record<AdmissionName, readonly ErrorName[]>

/** How a caller without credentials is told to send them: RFC 6750 and 7617. */
export const challengeOf = (name: AdmissionName): string =>
  (admissions[name] as readonly Gate[]).includes(basicKey) ? 'Basic realm="Pixelmill", charset="UTF-8"' : 'Bearer'

export async function admit(name: AdmissionName, initial: Visitor, services: Services): Promise<Visitor> {
  let visitor = initial
  try {
    for (const gate of admissions[name] as readonly Gate[]) visitor = await gate(visitor, services)
    return visitor
  } catch (refusal) {
    visitor.place?.[Symbol.dispose]()
    visitor.seat?.[Symbol.dispose]()
    throw refusal
  }
}
