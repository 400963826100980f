import type { Issue } from '@pixelmill/codecs/contract/image-errors'
import type { Kysely } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import { type PlanName, plans } from '../contract/plans.ts'
import type { Schema } from '../database/schema.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import { completionsUrl, type ModelServer } from './client/model-server.ts'
import { type KeyVault, SavedKeyError } from './key-vault.ts'
import type { Provider, UserProvider } from './provider.ts'
import { findKey, openKey } from './saved-keys.ts'

/** Needed to choose the model server of a request. */
export interface AccessParts {
  readonly database: Kysely<Schema>
  readonly outbound: Pick<Outbound, 'checkAddress' | 'guardedFetch'>
  /** The operator's model; undefined when there is none. */
  readonly platform: ModelServer | undefined
  /** Undefined when accounts can save no keys. */
  readonly vault: KeyVault | undefined
}

/** The account that sends the request. */
export interface AiCaller {
  readonly account: string
  readonly plan: PlanName
  /** By a login token or session, not by an API key. */
  readonly signedIn: boolean
}

export interface AiAccess {
  readonly provider: Provider
  /** Undefined when the platform has no model. */
  readonly server: ModelServer | undefined
}

const SIGN_IN = 'A model of your own (userProvider) needs a sign-in: send a login token instead of the API key.'

const BASE_URL = ['userProvider', 'baseUrl'] as const

/**
 * The model server that a request may use: the operator's with the operator's key, or the caller's with the caller's.
 * @param onFault called for a saved key that cannot be read
 * @throws ApiError ai_access_denied, no_saved_ai_key, ai_key_encryption_disabled, invalid_params
 */
export async function accessOf(
  parts: AccessParts,
  caller: AiCaller,
  userProvider: UserProvider | undefined,
  onFault: (error: unknown, what: string) => void,
): Promise<AiAccess> {
  const isAllowed = userProvider ? caller.signedIn : plans[caller.plan].ai
  if (!isAllowed) throw new ApiError('ai_access_denied', userProvider ? { message: SIGN_IN } : {})
  if (!userProvider) return { provider: 'platform', server: parts.platform }
  return { provider: 'byok', server: await ownServer(parts, caller.account, userProvider, BASE_URL, onFault) }
}

/**
 * The model server that an account brings, with the key that it sends or has saved.
 * @param path of the field that the address came in
 * @throws ApiError no_saved_ai_key, ai_key_encryption_disabled, invalid_params
 */
export async function ownServer(
  parts: Pick<AccessParts, 'database' | 'outbound' | 'vault'>,
  account: string,
  { baseUrl, model, apiKey }: UserProvider,
  path: Path,
  onFault: (error: unknown, what: string) => void,
): Promise<ModelServer> {
  const own = apiKey === undefined ? await savedServer(account, baseUrl, parts, path, onFault) : { baseUrl, apiKey }
  await checkServerAddress(parts.outbound, path, own.baseUrl)
  return { ...own, model, fetch: parts.outbound.guardedFetch }
}

/** A saved key is sent only to the server that it was saved for: otherwise a stolen login could have it sent elsewhere. */
async function savedServer(
  account: string,
  baseUrl: string,
  { database, vault }: Pick<AccessParts, 'database' | 'vault'>,
  path: Path,
  onFault: (error: unknown, what: string) => void,
): Promise<Pick<ModelServer, 'baseUrl' | 'apiKey'>> {
  if (!vault) throw new ApiError('ai_key_encryption_disabled')
  const savedKey = await findKey(database, account)
  if (!savedKey) throw new ApiError('no_saved_ai_key')
  if (!isSameServer(savedKey.baseUrl, baseUrl)) throw invalidAt(path, OTHER_ADDRESS)
  try {
    return { baseUrl: savedKey.baseUrl, apiKey: openKey(vault, account, savedKey) }
  } catch (error) {
    if (!(error instanceof SavedKeyError)) throw error
    onFault(error, 'a saved AI key cannot be read')
    throw new ApiError('no_saved_ai_key')
  }
}

const OTHER_ADDRESS = 'Must be the address that the key is saved for.'

function isSameServer(one: string, other: string): boolean {
  const first = completionsUrl(one)
  const second = completionsUrl(other)
  return first !== undefined && first.href === second?.href
}

export type Path = Issue['path']

/**
 * Checks that a caller's model server may be called. Each connection checks it again.
 * @param path of the field that it came in
 * @throws ApiError invalid_params
 */
export async function checkServerAddress(outbound: Pick<Outbound, 'checkAddress'>, path: Path, url: string): Promise<void> {
  await outbound.checkAddress(url).catch((error: unknown) => {
    throw error instanceof OutboundError ? addressError(path, error) : error
  })
}

const NO_SERVER = 'Must be the address of a model server.'

/** @param refusal an OutboundError, with the same message for private and for unknown addresses; or another error */
export const addressError = (path: Path, refusal: unknown): ApiError =>
  invalidAt(path, refusal instanceof OutboundError ? refusal.message : NO_SERVER)

/** `invalid_params` for one parameter, as a parser reports it. */
const invalidAt = (path: Path, message: string): ApiError =>
  new ApiError('invalid_params', { message: `${path.join('.')}: ${message}`, issues: [{ path, code: 'invalid_value', message }] })
