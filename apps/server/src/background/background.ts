import type { FairQueue } from '@pixelmill/engine/concurrency/fair-queue'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { backgroundPool } from '../ai/account-pool.ts'
import type { PlanLimits } from '../contract/plans.ts'
import type { Database } from '../database/database.ts'
import { type Removals, removals } from '../metering/removals.ts'
import type { Models } from '../models/models.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { type Chain, type ChainEvents, type ChainSettings, chainOf } from './chain.ts'
import { externalRemover } from './external-remover.ts'
import type { ProviderEvents } from './provider-fault.ts'
import { localRemover, modelRemover, type Remover } from './remover.ts'
import type { ProviderSettings } from './services.ts'

/** What background removal needs for the lifetime of the server. */
export interface Background extends Chain {
  readonly quota: Removals
  /** In the order in which they are tried. */
  readonly removers: readonly Pick<Remover, 'name' | 'restsSeconds'>[]
}

interface BackgroundSettings extends ProviderSettings {
  readonly BG_MONTHLY_LIMIT: PlanLimits
  readonly BG_MIN_CONFIDENCE: number
  readonly BG_LOW_CONFIDENCE: ChainSettings['lowConfidence']
  readonly BURST_PER_MINUTE: number
}

interface BackgroundDependencies {
  readonly database: Database
  readonly pool: Pick<Pool, 'run'>
  /** For long work in the background lane. */
  readonly backgroundQueue: FairQueue
  readonly models: Pick<Models, 'cutOut'>
  readonly outbound: Pick<Outbound, 'operatorFetch'>
  /** The number of this server. */
  readonly server: number
}

export interface BackgroundEvents {
  readonly chain: ChainEvents
  readonly provider: ProviderEvents
}

/** @throws StartError when a setting of the external service is missing */
export function openBackground(
  settings: BackgroundSettings,
  { database, pool, backgroundQueue, models, outbound, server }: BackgroundDependencies,
  events: BackgroundEvents,
): Background {
  const { BG_MONTHLY_LIMIT: monthly, BG_MIN_CONFIDENCE: least, BG_LOW_CONFIDENCE: lowConfidence } = settings
  const poolOf = (account: string) => backgroundPool(pool, backgroundQueue, account)
  const external = externalRemover(settings, { poolOf, outbound, events: events.provider })
  const before = [external, modelRemover(models)].filter((remover) => remover !== undefined)
  const local = localRemover(poolOf)
  return {
    ...chainOf({ least, lowConfidence }, before, local, events.chain),
    removers: [...before, local],
    quota: removals(database.pool, { monthly, burstPerMinute: settings.BURST_PER_MINUTE, server }),
  }
}
