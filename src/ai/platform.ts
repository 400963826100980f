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
  readonly AI_KEY_ENCRYPTION_SECRET?: readonly KeySecret[] | undefined
}

/** What AI requests choose their model server from. A vault takes 0.1 s of the processor for each of its secrets: it is made once. */
export function accessParts(settings: PlatformSettings, outbound: Outbound, database: Kysely<Schema>): AccessParts {
  const { AI_KEY_ENCRYPTION_SECRET: secrets } = settings
  return { database, outbound, platform: platformModel(settings, outbound), vault: secrets && keyVault(secrets) }
}

/** The operator's address is called wherever it leads, and never by a proxy of the environment. */
function platformModel(settings: PlatformSettings, { operatorFetch: fetch }: Outbound): ModelServer | undefined {
  const { AI_BASE_URL: baseUrl, AI_MODEL: model, AI_API_KEY: apiKey } = settings
  return baseUrl !== undefined && model !== undefined ? { baseUrl, model, apiKey, fetch } : undefined
}
