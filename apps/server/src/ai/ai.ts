import { limits } from '@pixelmill/codecs/contract/limits'
import { type FairQueue, fairQueue } from '@pixelmill/engine/concurrency/fair-queue'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import type { Kysely } from 'kysely'
import { type AccountLimit, accountLimit } from '../concurrency/account-limit.ts'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { type AiQuota, aiQuota, type DailyLimits } from '../metering/ai-images.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { AccessParts } from './access.ts'
import { shortWorkPools } from './account-pool.ts'
import { type VisionClient, visionClient } from './client/ask-vision.ts'
import type { ModelServer } from './client/model-server.ts'
import { type KeySecret, keyVault } from './key-vault.ts'
import type { Provider } from './provider.ts'
import type { AskedQuestion } from './tally.ts'

/** What AI requests need for the lifetime of the server. */
export interface Ai {
  /** For choosing the model server of a request. */
  readonly access: AccessParts
  readonly client: VisionClient
  readonly quota: AiQuota
  readonly requests: AccountLimit
  /** One for each provider, so that slow servers of callers do not delay questions to the operator's model. */
  readonly questionQueues: Readonly<Record<Provider, FairQueue>>
  /** Called for each question that was answered or has failed. */
  onQuestion(question: AskedQuestion): void
  /** For long work in the background lane: one account has at most as many images in flight as there are renderers. */
  readonly backgroundQueue: FairQueue
  /** Milliseconds that a model may take for one image, including the wait in the queue. */
  readonly deadlineMs: number
  /** For long work, in the background. */
  readonly pool: Pick<Pool, 'run'>
  /** For short work of an account, a few images at a time. */
  readonly poolOf: (account: string) => Pick<Pool, 'run'>
  readonly heic: 'on' | 'off'
}

interface AiSettings extends PlatformSettings {
  readonly AI_TIMEOUT_S: number
  readonly AI_CONCURRENCY: number
  readonly RENDERERS: number
  readonly RENDER_QUEUE: number
  readonly AI_DAILY_LIMIT: DailyLimits
  readonly HEIC: 'on' | 'off'
}

interface AiDependencies {
  readonly database: Database
  readonly outbound: Outbound
  readonly pool: Pool
  /** Number of this server among those that run. */
  readonly server: number
  /** For the keys that accounts save; undefined where they can save none. */
  readonly keySecrets: readonly KeySecret[] | undefined
  /** The end of an AI request could not be written to the database; it is retried. */
  onQuotaDelay(error: unknown): void
  readonly onQuestion: Ai['onQuestion']
}

export const openAi = (
  settings: AiSettings,
  { database, outbound, pool, server, keySecrets, onQuotaDelay, onQuestion }: AiDependencies,
): Ai => ({
  access: accessParts(settings, keySecrets, outbound, database.kysely),
  client: visionClient(),
  quota: aiQuota(database.pool, { limits: settings.AI_DAILY_LIMIT, server, onDelay: onQuotaDelay }),
  requests: accountLimit(limits.ai.requestsAtOnce, 'AI requests'),
  questionQueues: { platform: fairQueue(settings.AI_CONCURRENCY), byok: fairQueue(settings.AI_CONCURRENCY) },
  onQuestion,
  backgroundQueue: fairQueue(2 * settings.RENDERERS, { mostWaiting: settings.RENDER_QUEUE }),
  deadlineMs: settings.AI_TIMEOUT_S * 1_000,
  pool,
  poolOf: shortWorkPools(pool, settings.RENDERERS),
  heic: settings.HEIC,
})

/** Settings of the operator. */
export interface PlatformSettings {
  readonly AI_BASE_URL?: string | undefined
  readonly AI_MODEL?: string | undefined
  readonly AI_API_KEY?: string | undefined
}

/** What the model server of a request is chosen from. */
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

/** The operator's address may be private. It is never called through a proxy of the environment. */
function platformModel(settings: PlatformSettings, { operatorFetch: fetch }: Outbound): ModelServer | undefined {
  const { AI_BASE_URL: baseUrl, AI_MODEL: model, AI_API_KEY: apiKey } = settings
  return baseUrl !== undefined && model !== undefined ? { baseUrl, model, apiKey, fetch } : undefined
}
