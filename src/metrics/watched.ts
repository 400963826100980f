import type { AccountTurns } from '../ai/account-turns.ts'
import type { Provider } from '../ai/provider.ts'
import type { BatchWatch } from '../batch/batch-watch.ts'
import type { OpenDownloads } from '../batch/open-downloads.ts'
import type { Database } from '../database/database.ts'
import type { Presence } from '../metering/presence.ts'
import type { UsageLog } from '../metering/usage-log.ts'
import type { Models } from '../models/models.ts'
import type { Pool } from '../rendering/pool.ts'

/** What gauges read when somebody asks for them. A part that is not there yet, or not in this role, is not told of. */
export interface Watched {
  readonly pool: Pick<Pool, 'state' | 'atWork'>
  readonly limits: {
    /** Renderer processes of each lane but `model`, and images that may wait for an answer. */
    readonly renderers: number
    readonly queue: number
  }
  readonly models: Pick<Models, 'reports'>
  readonly turns: Readonly<Record<Provider, Pick<AccountTurns, 'waiting'>>>
  readonly database: Pick<Database, 'pool'>
  readonly presence: Pick<Presence, 'held'>
  readonly usage: Pick<UsageLog, 'waiting'>
  readonly batchWatch: Pick<BatchWatch, 'followers'>
  readonly downloads: Pick<OpenDownloads, 'count'>
  /** Where files are kept on this machine, and bytes that they leave free. */
  readonly disk: { readonly dir: string; readonly reserveBytes: number }
}
