import type { DeliveryEvents } from '../delivery/index.ts'
import type { Meter, Watched } from './meter.ts'

/** Metrics of images by URL. */
export interface DeliveryMetrics {
  readonly onDelivery: Pick<DeliveryEvents, 'onAnswer' | 'onRevalidated' | 'onEvicted' | 'onRefined'>
}

export function deliveryMetrics(meter: Meter, parts: Partial<Watched>): DeliveryMetrics {
  const answers = meter.counter(
    'delivery_answers_total',
    'Delivered images: from memory, from the store, made (miss), made by another request or server (coalesced), or stale.',
    ['outcome'],
  )
  const sentCounter = meter.counter('delivery_bytes_total', 'Bytes of delivered images.', ['outcome'])
  const revalidatedCounter = meter.counter(
    'delivery_revalidated_total',
    'Originals that were asked for again: unchanged, changed, or failed.',
    ['outcome'],
  )
  const refinedCounter = meter.counter('delivery_refined_total', 'Popular images encoded again in fewer bytes.')
  const savedCounter = meter.counter('delivery_refined_bytes_total', 'Bytes that they have less.')
  const evictedCounter = meter.counter('delivery_evicted_total', 'Cached images removed to keep CACHE_MAX_GB.')
  const freedCounter = meter.counter('delivery_evicted_bytes_total', 'Their bytes.')
  const cachedGauge = meter.gauge(
    'delivery_cache_bytes',
    'Bytes of cached images in the folder for files, when they were last counted.',
  )
  meter.number('delivery_memory_bytes', 'Bytes of cached images in memory.', () => parts.delivery?.memoryBytes())
  return {
    onDelivery: {
      onAnswer(outcome, bytes) {
        answers.inc({ outcome })
        sentCounter.inc({ outcome }, bytes)
      },
      onRevalidated: (outcome) => revalidatedCounter.inc({ outcome }),
      onRefined(before, after) {
        refinedCounter.inc()
        savedCounter.inc(before - after)
      },
      onEvicted({ files, bytes, left }) {
        evictedCounter.inc(files)
        freedCounter.inc(bytes)
        cachedGauge.set(left)
      },
    },
  }
}
