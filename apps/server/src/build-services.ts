import { GiB, limits, MiB } from '@pixelmill/codecs/contract/limits'
import { heldUploads, queueCapacity } from '@pixelmill/engine/concurrency/capacity'
import { type Engine, startEngine } from '@pixelmill/engine/engine'
import { VERSION } from '@pixelmill/engine/version'
import { bucketLocation } from 'pixelmill/bucket/location'
import { passwords } from './accounts/passwords.ts'
import { openAi } from './ai/ai.ts'
import { type BackgroundEvents, openBackground } from './background/background.ts'
import { watchBatches } from './batch/batch-events.ts'
import { openDownloads } from './batch/result-archive.ts'
import { type BatchWorker, startBatchWorker } from './batch/worker.ts'
import type { Billing } from './billing/billing.ts'
import { measuredStore } from './blobs/measured-store.ts'
import { storeHealth } from './blobs/store-health.ts'
import { accountLimit } from './concurrency/account-limit.ts'
import type { Config } from './config.ts'
import { timePool } from './database/pool-times.ts'
import type { DialectAccess } from './delivery/dialects/dialect.ts'
import type { ImgproxySettings } from './delivery/imgproxy/dialect.ts'
import { type DeliverySettings, startDelivery } from './delivery/index.ts'
import type { Rendering } from './early.ts'
import { calls } from './metering/calls.ts'
import type { Instance } from './metering/instance.ts'
import { type BegunAnswers, begunAnswers } from './metering/unsent-answers.ts'
import { usageLog } from './metering/usage-log.ts'
import { type Metrics, metrics } from './metrics/metrics.ts'
import { openModels } from './models/models.ts'
import { measuredOutbound } from './outbound/measured-outbound.ts'
import type { Backends, ServiceEvents, Services } from './services.ts'
import { openHandles } from './uploads/handles.ts'
import { uploadLimits } from './uploads/upload.ts'

/** The only place where services are created. */
export function buildServices(
  config: Config,
  backends: Backends,
  instance: Instance,
  rendering: Rendering,
  billing: Billing,
  events: ServiceEvents,
): Services {
  const { database, keySecrets } = backends
  const { server } = instance
  const meters = metrics()
  const blobs = measuredStore(backends.blobs, meters.onBlob)
  const outbound = measuredOutbound(backends.outbound, meters.onOutbound)
  timePool(database.pool, meters.database)
  meters.onConfinement(rendering.renderers.confinement)
  meters.onStart({ version: VERSION, role: config.ROLE })
  const engine = openEngine(config, rendering, meters, events)
  const { pool } = engine
  const models = openModels(rendering.found, config, pool, events.onModel)
  const { onQuotaDelay } = events
  const ai = openAi(config, { database, outbound, pool, server, keySecrets, onQuotaDelay, onQuestion: meters.onQuestion })
  const backgroundQueue = ai.backgroundQueue
  const background = openBackground(
    config,
    { database, pool, backgroundQueue, models, outbound, server },
    backgroundEvents(meters, events),
  )
  const usage = usageLog(database.pool, { onLost: meters.onUsageLost, onError: events.onUsageError })
  const batchWatch = watchBatches(database.pool, events.onFollowerFault)
  const downloads = openDownloads()
  const uploads = heldUploads(config.UPLOAD_MEMORY_MB * MiB)
  const answers = config.ROLE === 'worker' ? undefined : openBegunAnswers(backends, server, events)
  const delivery = startDelivery(
    deliverySettings(config),
    { database, blobs, outbound, pool, instance, usage, vault: ai.access.vault, begunAnswers: answers },
    { ...meters.onDelivery, onImage: meters.onImage, onFault: events.onDeliveryFault },
  )
  const { questionQueues } = ai
  const limitsToWatch = watchedLimits(config)
  meters.watch({ pool, delivery, models, questionQueues, database, instance, usage, batchWatch, downloads, ...limitsToWatch })
  return {
    database,
    blobs,
    outbound,
    config,
    stop: new AbortController(),
    instance,
    renderers: rendering.renderers,
    signer: engine.signer,
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
    batchWorker: openBatchWorker(config, { database, blobs, pool, instance }, meters, events),
    batchWatch,
    openDownloads: downloads,
    delivery,
    // No queue: a waiting client would have to hold the archive, and its connection.
    storedUploads: accountLimit(limits.storedUploads, 'archive uploads'),
    signedInRequests: accountLimit(limits.signedInRequests, 'requests'),
    previews: accountLimit(limits.preview.atOnce, 'previews'),
  }
}

/** Renderers, and the signer of their results. */
function openEngine(config: Config, { renderers, credential }: Rendering, meters: Metrics, events: ServiceEvents): Engine {
  return startEngine(
    {
      renderers: config.RENDERERS,
      queue: config.RENDER_QUEUE,
      timeoutSeconds: config.RENDER_TIMEOUT_S,
      backgroundNice: config.BATCH_NICE,
      ...renderers,
      credential,
    },
    {
      onRender: meters.onRender,
      onRestart(reason, detail, lane) {
        meters.onRestart(reason, lane)
        events.onRestart(reason, detail)
      },
      onUnsigned: events.onUnsigned,
    },
  )
}

const backgroundEvents = (meters: Metrics, events: ServiceEvents): BackgroundEvents => ({
  chain: { onRemover: meters.onRemover, onUnavailable: events.onRemoverUnavailable },
  provider: { onAnswer: meters.onProviderAnswer, onFault: events.onProviderFault },
})

const openBegunAnswers = ({ begun, database }: Backends, server: number, { onBegunFault }: ServiceEvents): BegunAnswers =>
  begunAnswers({ ...begun, pool: database.pool, server, onFault: onBegunFault })

/** Absent in a process that leaves batches to others. */
function openBatchWorker(
  { ROLE, RENDERERS, HEIC }: Config,
  { database, blobs, pool, instance }: Pick<Services, 'database' | 'blobs' | 'pool' | 'instance'>,
  { onBatchImage }: Metrics,
  { batches }: ServiceEvents,
): BatchWorker | undefined {
  if (ROLE === 'api') return undefined
  const settings = { database: database.pool, blobs, pool, instance, renderers: RENDERERS, heic: HEIC }
  return startBatchWorker(settings, { ...batches, onResult: onBatchImage })
}

function deliverySettings(config: Config): DeliverySettings {
  const bucketEvicts = config.S3_BUCKET !== undefined && config.CACHE_MAX_GB > 0
  return {
    mostBytes: bucketEvicts ? undefined : config.CACHE_MAX_GB * GiB,
    memoryBytes: config.CACHE_MEMORY_MB * MiB,
    renderers: config.RENDERERS,
    heic: config.HEIC,
    refineAfterHits: config.DELIVERY_REFINE === 'on' ? config.DELIVERY_REFINE_AFTER : undefined,
    operators: bucketLocation(config),
    folders: config.DELIVERY_FOLDERS,
    buckets: config.DELIVERY_BUCKETS,
    imgproxy: imgproxySettings(config),
    imgix: accessOf(config, 'imgix', config.IMGIX_TOKENS),
    cloudinary: accessOf(config, 'cloudinary', config.CLOUDINARY_API_SECRETS),
  }
}

const accessOf = (
  { DELIVERY_DIALECTS, DELIVERY_OPEN_SOURCES: openSources }: Config,
  dialect: string,
  secrets: ReadonlyMap<string, string>,
): DialectAccess | undefined => (DELIVERY_DIALECTS.includes(dialect) ? { secrets, openSources } : undefined)

/** If imgproxy's URLs are answered. */
function imgproxySettings(config: Config): ImgproxySettings | undefined {
  if (!config.DELIVERY_DIALECTS.includes('imgproxy')) return undefined
  return {
    pairs: config.IMGPROXY_KEY.map((key, at) => ({ key, salt: config.IMGPROXY_SALT[at] ?? Buffer.alloc(0) })),
    presets: config.IMGPROXY_PRESETS,
    baseUrl: config.IMGPROXY_BASE_URL,
    localRoot: config.IMGPROXY_LOCAL_FILESYSTEM_ROOT,
    endsWithName: config.IMGPROXY_BASE64_URL_INCLUDES_FILENAME,
    watermarkPath: config.IMGPROXY_WATERMARK_PATH,
  }
}

/** Whether files or the database are on this machine's disk. */
function watchedLimits({ RENDERERS: renderers, RENDER_QUEUE: queue, DATA_DIR: dir, ...config }: Config) {
  const isLocal = config.S3_BUCKET === undefined || config.DATABASE_URL === undefined
  const disk = { dir, reserveBytes: config.STORAGE_RESERVE_MB * MiB }
  return { limits: { renderers, queue }, ...(isLocal && { disk }) }
}
