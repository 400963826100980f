import type { HeldUploads, QueueCapacity } from '@pixelmill/engine/concurrency/capacity'
import type { Signer } from '@pixelmill/engine/provenance/signer'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import type { ConfinedRenderers } from '@pixelmill/engine/rendering/sandbox/renderers'
import type { RestartReason } from '@pixelmill/engine/rendering/worker'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import type { Passwords } from './accounts/passwords.ts'
import type { Ai } from './ai/ai.ts'
import type { KeySecret } from './ai/key-vault.ts'
import type { Background } from './background/background.ts'
import type { ChainEvents } from './background/chain.ts'
import type { ProviderEvents } from './background/provider-fault.ts'
import type { BatchWatch } from './batch/batch-events.ts'
import type { OpenDownloads } from './batch/result-archive.ts'
import type { BatchWorker, WorkerEvents } from './batch/worker.ts'
import type { Billing } from './billing/billing.ts'
import type { AccountLimit } from './concurrency/account-limit.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { OpenedDelivery } from './delivery/index.ts'
import type { Calls } from './metering/calls.ts'
import type { Instance } from './metering/instance.ts'
import type { BegunAnswers, BegunFolder } from './metering/unsent-answers.ts'
import type { UsageLog } from './metering/usage-log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { ModelName, ModelReport, Models } from './models/models.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { Handles } from './uploads/handles.ts'

/** The database, the file store and other services outside the process, opened before everything that uses them. */
export interface Backends {
  readonly database: Database
  readonly blobs: BlobStore
  readonly outbound: Outbound
  /** For the AI keys that accounts save; undefined if they cannot save any. */
  readonly keySecrets: readonly KeySecret[] | undefined
  /** Where servers note which calls they have begun to answer. */
  readonly begun: BegunFolder
}

/** Everything that lives as long as the server. */
export interface Services extends Omit<Backends, 'keySecrets' | 'begun'> {
  readonly config: Config
  /** Aborted when the process is told to stop: from then on /readyz is 503, and every answer ends its connection. */
  readonly stop: AbortController
  /** This process as other servers see it. */
  readonly instance: Instance
  /** How HEIC is written, and which sandbox measures are in effect. */
  readonly renderers: Pick<ConfinedRenderers, 'finishers' | 'confinement'>
  /** Present if results are signed. */
  readonly signer: Signer | undefined
  readonly passwords: Passwords
  readonly calls: Calls
  /** Absent in a process that answers no calls. */
  readonly begunAnswers: BegunAnswers | undefined
  readonly usage: UsageLog
  readonly pool: Pool
  readonly capacity: QueueCapacity
  readonly uploads: HeldUploads
  /** Files that were sent ahead of the requests that use them. */
  readonly handles: Handles
  readonly models: Models
  readonly ai: Ai
  readonly background: Background
  /** Whether files can be stored and read now, or could a moment ago. */
  readonly storageWorks: () => Promise<boolean>
  readonly metrics: Metrics
  readonly billing: Billing
  /** Absent in a process that leaves batches to others. */
  readonly batchWorker: BatchWorker | undefined
  readonly batchWatch: BatchWatch
  readonly openDownloads: OpenDownloads
  /** Images by URL. */
  readonly delivery: OpenedDelivery
  /** Limits concurrent uploads to the file store. */
  readonly storedUploads: AccountLimit
  /** Limits concurrent requests of signed-in users. */
  readonly signedInRequests: AccountLimit
  /** Limits concurrent previews, which are not charged. */
  readonly previews: AccountLimit
}

/** Events that services report to the log. */
export interface ServiceEvents {
  /** A renderer was replaced. */
  onRestart(reason: RestartReason, detail: string): void
  /** A result that should have got a manifest has none. */
  onUnsigned(error: unknown): void
  /** The outcome of a model's trial. */
  onModel(name: ModelName, report: ModelReport): void
  /** Statistics could not be written, and are retried. */
  onUsageError(error: unknown): void
  /** The list of begun answers cannot be written. */
  onBegunFault(error: unknown): void
  /** An event could not be sent to a follower of a batch, whose stream was closed. */
  onFollowerFault(error: unknown): void
  /** The cache of deliveries, or the database for their numbers, is in trouble. */
  onDeliveryFault(error: unknown, what: string): void
  /** The end of an AI request could not be written to the database; it is retried. */
  onQuotaDelay(error: unknown): void
  readonly onRemoverUnavailable: ChainEvents['onUnavailable']
  /** A problem of the background removal service that the operator may have to fix. */
  readonly onProviderFault: ProviderEvents['onFault']
  readonly batches: Omit<WorkerEvents, 'onResult'>
}
