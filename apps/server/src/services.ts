import { GiB, limits, MiB } from '@pixelmill/codecs/contract/limits'
import { signedPool } from '@pixelmill/engine/provenance/signed-pool'
import { type Signer, startSigner } from '@pixelmill/engine/provenance/signer'
import { type HeldUploads, heldUploads } from '@pixelmill/engine/rendering/held-uploads'
import { type Pool, startPool } from '@pixelmill/engine/rendering/pool'
import { type QueueCapacity, queueCapacity } from '@pixelmill/engine/rendering/queue-capacity'
import type { ConfinedRenderers } from '@pixelmill/engine/rendering/sandbox/renderers'
import type { RestartReason } from '@pixelmill/engine/rendering/worker'
import { VERSION } from '@pixelmill/engine/version'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { bucketLocation } from 'pixelmill/bucket/location'
import { type Passwords, passwords } from './accounts/passwords.ts'
import { type Ai, openAi } from './ai/ai.ts'
import type { KeySecret } from './ai/key-vault.ts'
import { type Background, openBackground } from './background/background.ts'
import type { ChainEvents } from './background/chain.ts'
import type { ProviderEvents } from './background/provider-fault.ts'
import { type BatchWatch, watchBatches } from './batch/batch-events.ts'
import { type OpenDownloads, openDownloads } from './batch/result-archive.ts'
import { type BatchWorker, startBatchWorker, type WorkerEvents } from './batch/worker.ts'
import type { Billing } from './billing/billing.ts'
import { measuredStore } from './blobs/measured-store.ts'
import { storeHealth } from './blobs/store-health.ts'
import { type AccountLimit, accountLimit } from './concurrency/account-limit.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { timePool } from './database/pool-times.ts'
import type { ImgproxySettings } from './delivery/imgproxy/dialect.ts'
import { type OpenedDelivery, startDelivery } from './delivery/index.ts'
import type { Rendering } from './early.ts'
import { type Calls, calls } from './metering/calls.ts'
import type { Instance } from './metering/instance.ts'
import { type BegunAnswers, type BegunFolder, begunAnswers } from './metering/unsent-answers.ts'
import { type UsageLog, usageLog } from './metering/usage-log.ts'
import { type Metrics, metrics } from './metrics/metrics.ts'
import { type ModelName, type ModelReport, type Models, openModels } from './models/models.ts'
import { measuredOutbound } from './outbound/measured-outbound.ts'
import type { Outbound } from './outbound/outbound.ts'
import { type Handles, openHandles } from './uploads/handles.ts'
import { uploadLimits } from './uploads/upload.ts'

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
  readonly renderers: Pick<ConfinedRenderers, 'programs' | 'confinement'>
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

/** The only place where services are created. */
export function buildServices(
  config: Config,
  { database, keySecrets, begun, ...ways }: Backends,
  instance: Instance,
  { renderers, found, credential }: Rendering,
  billing: Billing,
  {
    onRestart,
    onUnsigned,
    onModel,
    onUsageError,
    onBegunFault,
    onFollowerFault,
    onQuotaDelay,
    onDeliveryFault,
    onRemoverUnavailable,
    onProviderFault,
    batches,
  }: ServiceEvents,
): Services {
  const meters = metrics()
  const blobs = measuredStore(ways.blobs, meters.onBlob)
  const outbound = measuredOutbound(ways.outbound, meters.onOutbound)
  timePool(database.pool, meters.database)
  const { server } = instance
  const unsigned = startPool(
    {
      renderers: config.RENDERERS,
      queue: config.RENDER_QUEUE,
      timeoutSeconds: config.RENDER_TIMEOUT_S,
      backgroundNice: config.BATCH_NICE,
      ...renderers,
    },
    {
      onRender: meters.onRender,
      onRestart(reason, detail, lane) {
        meters.onRestart(reason, lane)
        onRestart(reason, detail)
      },
    },
  )
  const signer = credential && startSigner(credential)
  const pool = signer ? signedPool(unsigned, signer, onUnsigned) : unsigned
  const models = openModels(found, config, pool, onModel)
  const ai = openAi(config, { database, outbound, pool, server, keySecrets, onQuotaDelay, onQuestion: meters.onQuestion })
  const background = openBackground(
    config,
    { database, pool, backgroundQueue: ai.backgroundQueue, models, outbound, server },
    {
      chain: { onRemover: meters.onRemover, onUnavailable: onRemoverUnavailable },
      provider: { onAnswer: meters.onProviderAnswer, onFault: onProviderFault },
    },
  )
  meters.onConfinement(renderers.confinement)
  meters.onStart({ version: VERSION, role: config.ROLE })
  const worker = { database: database.pool, blobs, pool, instance, renderers: config.RENDERERS, heic: config.HEIC }
  const usage = usageLog(database.pool, { onLost: meters.onUsageLost, onError: onUsageError })
  const [batchWatch, downloads] = [watchBatches(database.pool, onFollowerFault), openDownloads()]
  const uploads = heldUploads(config.UPLOAD_MEMORY_MB * MiB)
  const answers =
    config.ROLE === 'worker' ? undefined : begunAnswers({ ...begun, pool: database.pool, server, onFault: onBegunFault })
  const delivery = startDelivery(
    {
      mostBytes: config.S3_BUCKET !== undefined && config.CACHE_MAX_GB > 0 ? undefined : config.CACHE_MAX_GB * GiB,
      memoryBytes: config.CACHE_MEMORY_MB * MiB,
      renderers: config.RENDERERS,
      heic: config.HEIC,
      operators: bucketLocation(config),
      folders: config.DELIVERY_FOLDERS,
      buckets: config.DELIVERY_BUCKETS,
      imgproxy: imgproxySettings(config),
    },
    { database, blobs, outbound, pool, instance, usage, vault: ai.access.vault, begunAnswers: answers },
    { ...meters.onDelivery, onImage: meters.onImage, onFault: onDeliveryFault },
  )
  meters.watch({
    pool,
    delivery,
    models,
    questionQueues: ai.questionQueues,
    database,
    instance,
    usage,
    batchWatch,
    downloads,
    ...watchedLimits(config),
  })
  return {
    ...{ database, blobs, outbound },
    config,
    stop: new AbortController(),
    instance,
    renderers,
    signer,
    passwords: passwords(meters.onPasswordDerivation),
    calls: calls(database.pool, { burstPerMinute: config.BURST_PER_MINUTE, server, trialCalls: config.TRIAL_CALLS }),
    begunAnswers: answers,
    usage,
    pool,
    capacity: queueCapacity(pool, config.RENDER_QUEUE, uploads.full),
    uploads,
    handles: openHandles({ database, blobs }, uploadLimits(config, limits.handles.ofAccount.uploads), instance),
    models,
    ai,
    background,
    storageWorks: storeHealth(blobs),
    metrics: meters,
    billing,
    batchWorker: config.ROLE === 'api' ? undefined : startBatchWorker(worker, { ...batches, onResult: meters.onBatchImage }),
    batchWatch,
    openDownloads: downloads,
    delivery,
    // No queue: a waiting client would have to hold the archive, and its connection.
    storedUploads: accountLimit(limits.storedUploads, 'archive uploads'),
    signedInRequests: accountLimit(limits.signedInRequests, 'requests'),
    previews: accountLimit(limits.preview.atOnce, 'previews'),
  }
}

/** If imgproxy's URLs are answered. */
function imgproxySettings(config: Config): ImgproxySettings | undefined {
  if (!config.DELIVERY_DIALECTS.includes('imgproxy')) return undefined
  return {
    pairs: config.IMGPROXY_KEY.map((key, at) => ({ key, salt: config.IMGPROXY_SALT[at] ?? Buffer.alloc(0) })),
    presets: config.IMGPROXY_PRESETS,
    baseUrl: config.IMGPROXY_BASE_URL,
    localRoot: config.IMGPROXY_LOCAL_FILESYSTEM_ROOT,
    watermarkPath: config.IMGPROXY_WATERMARK_PATH,
  }
}

/** Whether files or the database are on this machine's disk. */
function watchedLimits({ RENDERERS: renderers, RENDER_QUEUE: queue, DATA_DIR: dir, ...config }: Config) {
  const keepsHere = config.S3_BUCKET === undefined || config.DATABASE_URL === undefined
  const disk = { dir, reserveBytes: config.STORAGE_RESERVE_MB * MiB }
  return { limits: { renderers, queue }, ...(keepsHere && { disk }) }
}
