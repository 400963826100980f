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
  readonly database: PoolTimes
  /** Sets the sources of gauges. */
  watch(parts: Partial<Watched>): void
}

/** All metrics, from the start: the sources of gauges are set later. */
export function metrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'pixelmill_' })
  const ours = meter(registry)
  const watched: Partial<Watched> = {}
  modelMetrics(ours, watched)
  return {
    registry,
    ...httpMetrics(ours, watched),
    ...renderMetrics(ours, watched),
    ...imageMetrics(ours),
    ...workMetrics(ours, watched),
    ...aiMetrics(ours, watched),
    ...backgroundMetrics(ours),
    ...storageMetrics(ours, watched),
    ...deliveryMetrics(ours, watched),
    ...processMetrics(ours, watched),
    database: databaseMetrics(ours, watched),
    watch: (parts) => void Object.assign(watched, parts),
  }
}
