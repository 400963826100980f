import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attributes, ContextManager, TextMapPropagator, TracerProvider } from '@opentelemetry/api'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { ROOT } from '@pixelmill/codecs/installation'
import { type SamplerName, setTracing } from '@pixelmill/engine/tracing'
import { VERSION } from '@pixelmill/engine/version'
import type { Config } from './config.ts'
import type { Log } from './log.ts'

/** While a collector is unavailable every batch fails: one log line a minute is enough. */
const QUIET_MS = 60_000
/** Some MB; spans beyond that are dropped. The SDK's own numbers. */
const QUEUE = { maxQueueSize: 2_048, maxExportBatchSize: 512 } as const
const EVERY_MS = 2_000
/** For one batch, with the exporter's retries; the SDK's own limit. */
const SEND_MS = 10_000
/** Longer than SEND_MS, so that the exporter reports the failure. */
const EXPORT_MS = 12_000
/** Within the 30 s of a shutdown: `limits.shutdown`. */
const FLUSH_MS = 3_000

/**
 * Registers OpenTelemetry's SDK with its exporter for OTLP over HTTP; `close` sends what is queued, within a few seconds.
 * @throws StartError when the packages are not installed
 */
export function sendTraces(config: Config, endpoint: string, log: Log): { close(): Promise<void> } {
  const sdk = loadSdk()
  const exporter = new sdk.OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    userAgent: `Pixelmill/${VERSION}`,
    timeoutMillis: SEND_MS,
  })
  const processor = new sdk.BatchSpanProcessor({
    exporter: reportingLosses(exporter, log),
    ...QUEUE,
    scheduledDelayMillis: EVERY_MS,
    exportTimeoutMillis: EXPORT_MS,
  })
  const provider = new sdk.TracerProvider({
    sampler: samplers[config.OTEL_TRACES_SAMPLER](sdk, config.OTEL_TRACES_SAMPLER_ARG),
    spanProcessors: [processor],
    resource: sdk.resourceFromAttributes({
      'service.version': VERSION,
      'process.pid': process.pid,
      ...config.OTEL_RESOURCE_ATTRIBUTES,
      'service.name': config.OTEL_SERVICE_NAME,
    }),
  })
  const { api } = sdk
  api.context.setGlobalContextManager(new sdk.AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(new sdk.W3CTraceContextPropagator())
  setTracing({ api, tracer: provider.getTracer('pixelmill', VERSION) })
  return {
    async close() {
      setTracing(undefined)
      // It rejects if a batch was lost, which has been logged.
      const isFlushed = provider.shutdown().then(
        () => true,
        () => true,
      )
      const isDone = await Promise.race([isFlushed, sleep(FLUSH_MS, false, { ref: false })])
      if (!isDone) log.warn('the last traces are lost: the collector did not take them in time')
    },
  }
}

const samplers: Readonly<Record<SamplerName, (sdk: Sdk, ratio: number) => object>> = {
  always_on: (sdk) => new sdk.AlwaysOnSampler(),
  always_off: (sdk) => new sdk.AlwaysOffSampler(),
  traceidratio: (sdk, ratio) => new sdk.TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: (sdk) => new sdk.ParentBasedSampler({ root: new sdk.AlwaysOnSampler() }),
  parentbased_always_off: (sdk) => new sdk.ParentBasedSampler({ root: new sdk.AlwaysOffSampler() }),
  parentbased_traceidratio: (sdk, ratio) => new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
}

/** Logs how many spans could not be sent, and the last error. */
function reportingLosses(exporter: Exporter, log: Log): Exporter {
  let lostCount = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  function onLost(spans: number, error: (Error & { readonly code?: unknown }) | undefined): void {
    lostCount += spans
    if (performance.now() - loggedAt < QUIET_MS) return
    loggedAt = performance.now()
    const why = typeof error?.code === 'number' ? `the collector answered ${error.code}` : String(error)
    log.warn({ err: error, why, spans: lostCount }, 'traces are lost: the collector does not take them')
    lostCount = 0
  }
  return {
    export: (spans, callback) =>
      exporter.export(spans, (result) => {
        if (result.code !== SUCCESS) onLost(spans.length, result.error)
        callback(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/** ExportResultCode of the SDK. */
const SUCCESS = 0

interface Exporter {
  export(spans: readonly object[], callback: (result: { readonly code: number; readonly error?: Error }) => void): void
  shutdown(): Promise<void>
}

/** The used part of the SDK, whose packages are installed separately: only the API's types are available here. */
interface Sdk {
  readonly api: typeof import('@opentelemetry/api')
  readonly AsyncLocalStorageContextManager: new () => ContextManager
  readonly W3CTraceContextPropagator: new () => TextMapPropagator
  readonly OTLPTraceExporter: new (options: object) => Exporter
  readonly BatchSpanProcessor: new (options: object) => object
  readonly TracerProvider: new (options: object) => TracerProvider & { shutdown(): Promise<void> }
  readonly AlwaysOnSampler: new () => object
  readonly AlwaysOffSampler: new () => object
  readonly TraceIdRatioBasedSampler: new (ratio: number) => object
  readonly ParentBasedSampler: new (options: { readonly root: object }) => object
  resourceFromAttributes(attributes: Attributes): object
}

const packages = ['context-async-hooks', 'core', 'exporter-trace-otlp-proto', 'resources', 'sdk-trace'] as const

/**
 * Loads the packages installed by `npm ci --prefix otel`, or those of the installation itself.
 * @throws StartError if there are none
 */
export function loadSdk(root = ROOT): Sdk {
  const folder = ['otel', '.']
    .map((name) => join(root, name))
    .find((path) => existsSync(join(path, 'node_modules/@opentelemetry/exporter-trace-otlp-proto/package.json')))
  if (folder === undefined)
    throw new StartError(
      'OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are not installed: run `npm ci --prefix otel` in the folder of the program.',
    )
  const load = createRequire(join(folder, 'package.json'))
  return Object.assign({ api: load('@opentelemetry/api') }, ...packages.map((name) => load(`@opentelemetry/${name}`))) as Sdk
}
