import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { laneNames, type Pool } from '@pixelmill/engine/rendering/pool'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import type { BucketLocation } from 'pixelmill/bucket/location'
import type { KeyVault } from '../ai/key-vault.ts'
import { outage } from '../concurrency/outage.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { calls } from '../metering/calls.ts'
import type { Instance } from '../metering/instance.ts'
import type { BegunAnswers } from '../metering/unsent-answers.ts'
import type { UsageLog } from '../metering/usage-log.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { encodedPath, segmentsOf } from './address.ts'
import { type CacheEvents, openCache } from './cache.ts'
import { cloudinaryDialect } from './cloudinary/dialect.ts'
import { Delivery, type Outcome } from './deliver.ts'
import type { DialectAccess, SourceDialect } from './dialects/dialect.ts'
import type { Evicted } from './evict.ts'
import { Eviction } from './eviction.ts'
import { imgixDialect } from './imgix/dialect.ts'
import { type ImgproxySettings, imgproxyDialect } from './imgproxy/dialect.ts'
import { KnownSources } from './known-sources.ts'
import { oneRender } from './one-render.ts'
import { openOrders } from './order.ts'
import { origins } from './origin/index.ts'
import type { ListedPage, ListQuery } from './origin/list-query.ts'
import { type Origin, readWhole } from './origin/original.ts'
import type { RenderParts } from './render.ts'
import type { RenderOutcome } from './render-request.ts'
import type { Source } from './source.ts'
import { turns } from './turns.ts'
import { deliveryUsage } from './usage.ts'

export interface DeliverySettings {
  /** Bytes of results in the folder for files; 0 keeps none. Undefined in a bucket, which removes them itself. */
  readonly mostBytes: number | undefined
  readonly memoryBytes: number
  readonly renderers: number
  readonly heic: 'on' | 'off'
  /** Hits after which a result is encoded again in fewer bytes; undefined: misses get the usual effort, and it stays at that. */
  readonly refineAfterHits: number | undefined
  readonly operators: BucketLocation | undefined
  /** DELIVERY_FOLDERS and DELIVERY_BUCKETS. */
  readonly folders: readonly string[]
  readonly buckets: readonly string[]
  /** If imgproxy's URLs are answered too. */
  readonly imgproxy: ImgproxySettings | undefined
  /** If those of imgix and Cloudinary are. */
  readonly imgix: DialectAccess | undefined
  readonly cloudinary: DialectAccess | undefined
}

export interface DeliveryServices {
  readonly database: { readonly kysely: Kysely<Schema>; readonly pool: pg.Pool }
  readonly blobs: BlobStore
  readonly outbound: Outbound
  readonly pool: Pick<Pool, 'of' | 'state'>
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
  onEvicted(evictedFiles: Evicted): void
  /** A popular result was made smaller. */
  onRefined(before: number, after: number): void
  /** The cache, the database or the numbers of usage are in trouble; deliveries go on. */
  onFault(error: unknown, what: string): void
}

export interface OpenedDelivery extends Pick<Delivery, 'isAddress' | 'fromCache' | 'deliver' | 'close'> {
  /** Bytes of results in memory. */
  memoryBytes(): number
  /**
   * The original of a source of the account.
   * @param path below the source, not encoded
   * @throws ApiError source_not_found, source_image_not_found, source_unavailable, invalid_params
   */
  original(accountId: string, source: string, path: string, signal: AbortSignal): Promise<Buffer>
  /**
   * A page of the files of a source of the account.
   * @throws ApiError source_not_found, source_unavailable; invalid_params for a web server, which cannot be listed
   */
  files(accountId: string, source: string, query: ListQuery, signal: AbortSignal): Promise<ListedPage>
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
/** Everything about delivery that lives as long as the server. */
export function startDelivery(settings: DeliverySettings, services: DeliveryServices, events: DeliveryEvents): OpenedDelivery {
  const { database, blobs, pool, instance, usage, vault, outbound, begunAnswers } = services
  const { mostBytes, memoryBytes, operators, folders, buckets, heic, refineAfterHits } = settings
  const sources = new KnownSources(database.kysely)
  const numbers = deliveryUsage(database.pool, (error) =>
    events.onFault(error, 'the numbers of deliveries wait for the database'),
  )
  const eviction = new Eviction(blobs, mostBytes, {
    onEvicted: events.onEvicted,
    onFault: (error) => events.onFault(error, 'results could not be removed from the cache'),
  })
  const cache = openCache(blobs, { memoryBytes, stores: mostBytes !== 0 }, cacheEvents(eviction, events))
  const originOf = origins({ outbound, vault, operators, folders, buckets })
  const accountTurns = turns({ atOnce: Math.max(LEAST_AT_ONCE, READ_AHEAD * settings.renderers), mostWaiting: MOST_WAITING })
  const delivery = new Delivery({
    pool,
    calls: calls(database.pool, { burstPerMinute: 0, server: instance.server }),
    usage,
    heic,
    orders: openOrders(sources, settings.imgproxy && imgproxyDialect(settings.imgproxy), dialectsOf(settings)),
    cache,
    renders: oneRender<RenderOutcome>(instance, () => sources.isAlone()),
    firstEffort: refineAfterHits === undefined ? undefined : 'fast',
    refinement: {
      afterHits: refineAfterHits,
      renders: oneRender<boolean>(instance, () => sources.isAlone()),
      findSource: (name) => sources.find(name),
      isIdle: () => laneNames.map((name) => pool.state(name)).every(({ busy, queued }) => busy === 0 && queued === 0),
      onRefined: events.onRefined,
      onFault: (error) => events.onFault(error, 'a popular result could not be made smaller'),
    },
    originOf,
    turns: accountTurns,
    onImage: events.onImage,
    onCharged: (id) => begunAnswers?.begin(id),
    onRevalidated: events.onRevalidated,
    onFault: (error) => events.onFault(error, 'a call could not be given back'),
    onAnswer(source, outcome, bytes) {
      numbers.onAnswer(source, outcome, bytes)
      events.onAnswer(outcome, bytes)
    },
  })
  async function ownSource(accountId: string, name: string): Promise<Source> {
    const source = await sources.find(name)
    if (source?.accountId !== accountId) throw new ApiError('source_not_found')
    return source
  }
  return {
    isAddress: (url) => delivery.isAddress(url),
    fromCache: (...request) => delivery.fromCache(...request),
    deliver: (...request) => delivery.deliver(...request),
    async files(accountId, name, query, signal) {
      const { list } = originOf(await ownSource(accountId, name))
      if (!list)
        throw invalidParam('name', 'custom', 'Is a source of type web, whose files cannot be listed: a web server has no list.')
      return await accountTurns.run(accountId, signal, () => accountTurns.reading(accountId, () => list(query, signal)))
    },
    async original(accountId, name, path, signal) {
      const source = await ownSource(accountId, name)
      const segments = segmentsOf(encodedPath(path))
      const timedOrigin: Origin = {
        read: (...request) => accountTurns.reading(accountId, () => originOf(source).read(...request)),
      }
      const { bytes } = await accountTurns.run(accountId, signal, () => readWhole(timedOrigin, segments, signal))
      return bytes
    },
    memoryBytes: cache.memoryBytes,
    sourcesChanged: () => sources.forgetAll(),
    evict: () => eviction.run(),
    async close() {
      eviction.stop()
      sources.close()
      await delivery.close()
      await eviction.end()
      await numbers.close()
    },
  }
}

const dialectsOf = ({ imgix, cloudinary }: DeliverySettings): readonly SourceDialect[] => [
  ...(imgix ? [imgixDialect(imgix)] : []),
  ...(cloudinary ? [cloudinaryDialect(cloudinary)] : []),
]

/** Trouble of the cache is reported once, until it works again. */
function cacheEvents(eviction: Eviction, { onFault }: DeliveryEvents): CacheEvents {
  const trouble = outage({ onBegin: (error) => onFault(error, 'the cache of results cannot be used'), onEnd: () => {} })
  return {
    onFault: trouble.failed,
    onStored(bytes) {
      trouble.worked()
      eviction.onStored(bytes)
    },
  }
}
