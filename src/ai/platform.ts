import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { AccessParts } from './access.ts'
import type { ModelServer } from './client/model-server.ts'
import { type KeySecret, keyVault } from './keys/key-vault.ts'

/** What the operator sets. */
export interface PlatformSettings {
  readonly AI_BASE_URL?: string | undefined
  readonly AI_MODEL?: string | undefined
  readonly AI_API_KEY?: string | undefined
}

/** What AI requests choose their model server from. */
export const accessParts = (
  settings: PlatformSettings,
  keySecrets: readonly KeySecret[] | undefined,
  outbound: Outbound,
  database: Kysely<Schema>,
): AccessParts => ({
  database,
  outbound,
  platform: platformModel(settings, outbound),
  vault: keySecrets && keyVault(keySecrets),
})

/** The operator's address is called wherever it leads, and never by a proxy of the environment. */
function platformModel(settings: PlatformSettings, { operatorFetch: fetch }: Outbound): ModelServer | undefined {
  const { AI_BASE_URL: baseUrl, AI_MODEL: model, AI_API_KEY: apiKey } = settings
  return baseUrl !== undefined && model !== undefined ? { baseUrl, model, apiKey, fetch } : undefined
}
