import { setTimeout as sleep } from 'node:timers/promises'
import { type OnSpansLost, otlpExporter, type PostSpans } from './exporter.ts'
import { type SamplerName, samplers } from './samplers.ts'
import { loadSdk } from './sdk.ts'
import { sdkTracer } from './tracer.ts'
import { setTracer } from './tracing.ts'

export interface TracingSettings {
  readonly sampler: SamplerName
  /** 0 to 1, for those that take a part. */
  readonly ratio: number
  readonly serviceName: string
  readonly version: string
  /** What else is known of where this process runs. */
  readonly resource: Readonly<Record<string, string>>
}

export interface Tracing {
  /** Sends what waits, within a few seconds, and traces no more. */
  close(): Promise<void>
}

/** Some MB; what comes beyond is dropped. The SDK's own numbers. */
const WAITING = { maxQueueSize: 2_048, maxExportBatchSize: 512 } as const
const EVERY_MS = 2_000
/** Longer than one request to the collector may take. */
const EXPORT_MS = 12_000
/** Of the 30 s of a stop: contract §9. */
const FLUSH_MS = 3_000

/** @throws StartError when OpenTelemetry's packages are not installed */
export function openTracing(settings: TracingSettings, post: PostSpans, onLost: OnSpansLost): Tracing {
  const sdk = loadSdk()
  const { TracerProvider, BatchSpanProcessor } = sdk.trace
  const exporter = otlpExporter(sdk, post, onLost)
  const processor = new BatchSpanProcessor({
    exporter,
    ...WAITING,
    ...{ scheduledDelayMillis: EVERY_MS, exportTimeoutMillis: EXPORT_MS },
  })
  const { serviceName, version, resource } = settings
  const provider = new TracerProvider({
    sampler: samplers[settings.sampler](sdk.trace, settings.ratio),
    spanProcessors: [processor],
    resource: sdk.resources.resourceFromAttributes({
      'service.version': version,
      'process.pid': process.pid,
      ...resource,
      'service.name': serviceName,
    }),
  })
  setTracer(sdkTracer(sdk.api, provider.getTracer('pixelmill', version)))
  return {
    async close() {
      setTracer(undefined)
      // What the SDK throws is that a batch was lost, which is told already.
      const flushed = provider.shutdown().catch(() => {})
      await Promise.race([flushed, sleep(FLUSH_MS, undefined, { ref: false })])
    },
  }
}
