import { ApiError } from '@pixelmill/codecs/contract/api-error'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import type { BucketLocation } from 'pixelmill/bucket/location'
import type { KeyVault } from '../ai/key-vault.ts'
import { outage } from '../concurrency/outage.ts'
import type { Schema } from '../database/schema.ts'
import { calls } from '../metering/calls.ts'
import type { Instance } from '../metering/instance.ts'
import type { BegunAnswers } from '../metering/unsent-answers.ts'
import type { UsageLog } from '../metering/usage-log.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { encodedPath, segmentsOf } from './address.ts'
import { openCache } from './cache.ts'
import { type Delivery, type Made, type Outcome, openDelivery } from './deliver.ts'
import { type Evicted, evict } from './evict.ts'
import { type ImgproxySettings, imgproxyDialect } from './imgproxy/dialect.ts'
import { knownSources } from './known-sources.ts'
import { oneRender } from './one-render.ts'
import { openOrders } from './order.ts'
import { origins } from './origin/index.ts'
import type { RenderParts } from './render.ts'
import { turns } from './turns.ts'
import { deliveryUsage } from './usage.ts'

export interface DeliverySettings {
  /** Bytes of results in the folder for files; 0 keeps none. Undefined in a bucket, which removes them itself. */
  readonly mostBytes: number | undefined
  readonly memoryBytes: number
  readonly renderers: number
  readonly heic: 'on' | 'off'
  readonly operators: BucketLocation | undefined
  /** DELIVERY_FOLDERS and DELIVERY_BUCKETS. */
  readonly folders: readonly string[]
  readonly buckets: readonly string[]
  /** If imgproxy's URLs are answered too. */
  readonly imgproxy: ImgproxySettings | undefined
}

export interface DeliveryServices {
  readonly database: { readonly kysely: Kysely<Schema>; readonly pool: pg.Pool }
  readonly blobs: BlobStore
  readonly outbound: Outbound
  readonly pool: Pick<Pool, 'of'>
  readonly instance: Instance
  readonly usage: Pick<UsageLog, 'record'>
  readonly vault: KeyVault | undefined
  /** Absent in a process that answers no calls. */
  readonly begunAnswers: Pick<BegunAnswers, 'begin'> | undefined
}

export interface DeliveryEvents {
  readonly onImage: RenderParts['onImage']
  onAnswer(outcome: Outcome, bytes: number): void
  onRevalidated(outcome: 'unchanged' | 'changed' | 'failed'): void
  onEvicted(evicted: Evicted): void
  /** The cache, the database or the numbers of usage are in trouble; deliveries go on. */
  onFault(error: unknown, what: string): void
}

export interface OpenedDelivery extends Delivery {
  /** Bytes of results in memory. */
  memoryBytes(): number
  /**
   * The original of a source of the account.
   * @param path below the source, not encoded
   * @throws ApiError source_not_found, source_image_not_found, source_unavailable, invalid_params
   */
  original(accountId: string, source: string, path: string, signal: AbortSignal): Promise<Buffer>
  /** To be called after a source was changed by this process. */
  sourcesChanged(): void
  /** Removes results beyond the limit, if there is one. */
  evict(): Promise<void>
}

/** Originals in memory for each renderer: one is rendered, and others are read meanwhile. */
const READ_AHEAD = 4
const LEAST_AT_ONCE = 16
/** Misses that wait for their turn, of all accounts. */
const MOST_WAITING = 2_000
/** After new results of this share of the limit, the cache is measured again. */
const MEASURE_AFTER = 0.05

/** Everything about delivery that lives as long as the server. */
export function startDelivery(settings: DeliverySettings, services: DeliveryServices, events: DeliveryEvents): OpenedDelivery {
  const { database, blobs, pool, instance, usage, vault, outbound, begunAnswers } = services
  const { mostBytes, operators, folders, buckets, heic } = settings
  const sources = knownSources(database.kysely)
  const used = deliveryUsage(database.pool, (error) => events.onFault(error, 'the numbers of deliveries wait for the database'))
  const closing = new AbortController()
  let stored = 0
  let evicting: Promise<void> | undefined

  function evictOnce(): Promise<void> {
    if (mostBytes === undefined || mostBytes === 0) return Promise.resolve()
    stored = 0
    evicting ??= evict(blobs, mostBytes, closing.signal)
      .then(events.onEvicted, (error) => events.onFault(error, 'results could not be removed from the cache'))
      .finally(() => {
        evicting = undefined
      })
    return evicting
  }
  const trouble = outage({
    onBegin: (error) => events.onFault(error, 'the cache of results cannot be used'),
    onEnd: () => {},
  })
  const cache = openCache(
    blobs,
    { memoryBytes: settings.memoryBytes, stores: mostBytes !== 0 },
    {
      onFault: trouble.failed,
      onStored(bytes) {
        trouble.worked()
        stored += bytes
        if (mostBytes !== undefined && stored > mostBytes * MEASURE_AFTER) void evictOnce()
      },
    },
  )
  const originOf = origins({ outbound, vault, operators, folders, buckets })
  const inTurns = turns({ atOnce: Math.max(LEAST_AT_ONCE, READ_AHEAD * settings.renderers), mostWaiting: MOST_WAITING })
  const delivery = openDelivery({
    pool,
    calls: calls(database.pool, { burstPerMinute: 0, server: instance.server }),
    usage,
    heic,
    orders: openOrders(sources, settings.imgproxy && imgproxyDialect(settings.imgproxy)),
    cache,
    renders: oneRender<Made>(instance, sources.isAlone),
    originOf,
    turns: inTurns,
    onImage: events.onImage,
    onCharged: (id) => begunAnswers?.begin(id),
    onRevalidated: events.onRevalidated,
    onFault: (error) => events.onFault(error, 'a call could not be given back'),
    onAnswer(source, outcome, bytes) {
      used.onAnswer(source, outcome, bytes)
      events.onAnswer(outcome, bytes)
    },
  })
  return {
    ...delivery,
    async original(accountId, name, path, signal) {
      const source = await sources.find(name)
      if (source?.accountId !== accountId) throw new ApiError('source_not_found')
      const segments = segmentsOf(encodedPath(path))
      const asked = () => inTurns.reading(accountId, () => originOf(source).read(segments, undefined, signal))
      const read = await inTurns.run(accountId, signal, asked)
      if (read === 'unchanged') throw new Error('an origin said unchanged of a file that was never read')
      return read.bytes
    },
    memoryBytes: cache.memoryBytes,
    sourcesChanged: sources.changed,
    evict: evictOnce,
    async close() {
      closing.abort()
      sources.close()
      await delivery.close()
      await evicting
      await used.close()
    },
  }
}
