import { setImmediate } from 'node:timers/promises'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { PoolTimes } from '../database/pool-times.ts'
import { type AiMetrics, aiMetrics, type BackgroundMetrics, backgroundMetrics, modelMetrics } from './ai-metrics.ts'
import { databaseMetrics } from './database-metrics.ts'
import { type DeliveryMetrics, deliveryMetrics } from './delivery-metrics.ts'
import { meter, type Watched } from './meter.ts'
import { type ProcessMetrics, processMetrics, type WorkMetrics, workMetrics } from './process-metrics.ts'
import {
  type HttpMetrics,
  httpMetrics,
  type ImageMetrics,
  imageMetrics,
  type RenderMetrics,
  renderMetrics,
} from './request-metrics.ts'
import { type StorageMetrics, storageMetrics } from './storage-metrics.ts'

/** The metrics of GET /metrics, following Prometheus conventions: base units, `_total` for counters. */
export interface Metrics
  extends HttpMetrics,
    RenderMetrics,
    ImageMetrics,
    WorkMetrics,
    AiMetrics,
    BackgroundMetrics,
    StorageMetrics,
    DeliveryMetrics,
    ProcessMetrics {
  readonly registry: Registry
  /** All metrics as Prometheus reads them, computed at most once a second, however often they are read. */
  text(): Promise<string>
  readonly contentType: string
  readonly database: PoolTimes
  /** Sets the sources of gauges. */
  watch(parts: Partial<Watched>): void
}

/** All metrics, from the start: the sources of gauges are set later. */
export function metrics(): Metrics {
  const registry = new Registry()
  // The timer by which the delay of the event loop is measured: at every 10 ms it takes more of an idle server than all else.
  collectDefaultMetrics({ register: registry, prefix: 'pixelmill_', eventLoopMonitoringPrecision: 20 })
  const ours = meter(registry)
  const watchedParts: Partial<Watched> = {}
  modelMetrics(ours, watchedParts)
  return {
    registry,
    text: atMostOnceASecond(() => textOf(registry)),
    contentType: registry.contentType,
    ...httpMetrics(ours, watchedParts),
    ...renderMetrics(ours, watchedParts),
    ...imageMetrics(ours),
    ...workMetrics(ours, watchedParts),
    ...aiMetrics(ours, watchedParts),
    ...backgroundMetrics(ours),
    ...storageMetrics(ours, watchedParts),
    ...deliveryMetrics(ours, watchedParts),
    ...processMetrics(ours, watchedParts),
    database: databaseMetrics(ours, watchedParts),
    watch: (parts) => void Object.assign(watchedParts, parts),
  }
}

/** One metric after the other, so that others are served in between. */
async function textOf(registry: Registry): Promise<string> {
  const parts: string[] = []
  for (const { name } of registry.getMetricsAsArray()) {
    parts.push(await registry.getSingleMetricAsString(name))
    await setImmediate()
  }
  return `${parts.join('\n\n')}\n`
}

const KEEP_MS = 1_000

function atMostOnceASecond(compute: () => Promise<string>): () => Promise<string> {
  let latest: Promise<string> | undefined
  let begunAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (latest && now - begunAt < KEEP_MS) return latest
    begunAt = now
    latest = compute()
    return latest
  }
}
