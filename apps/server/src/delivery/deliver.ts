import { ApiError } from '@pixelmill/codecs/contract/api-error'
import { serverBusy } from '@pixelmill/engine/rendering/pool'
import { LRUCache } from 'lru-cache'
import type { Cache, Result } from './cache.ts'
import type { OneRender } from './one-render.ts'
import { type Accepted, type Keys, keysOf, type Order, type Orders } from './order.ts'
import type { Origin, Original, Validators } from './origin/original.ts'
import { type RenderParts, renderOrder } from './render.ts'
import type { Source } from './source.ts'
import type { Turns } from './turns.ts'

/** What is said of an answer in X-Cache. */
export type CacheState = 'hit' | 'miss' | 'stale'

export interface Delivered {
  readonly order: Order
  readonly result: Result
  readonly state: CacheState
}

/** How an answer came about, for the metrics. */
export type Outcome = 'memory' | 'store' | 'miss' | 'coalesced' | 'stale'

export interface Delivery {
  /** Whether a path is one of delivery, in any dialect. */
  isAddress(url: string): boolean
  /**
   * An answer that needs no work: from memory at once, else from the store, or from what is just being made. Undefined if there is
   * none, or its original is to be read again.
   * @param wanted gives a signal that aborts when the client has gone; called only if it would wait for an image
   */
  cached(
    url: string,
    accept: string | undefined,
    wanted: () => AbortSignal,
  ): Delivered | undefined | Promise<Delivered | undefined>
  /**
   * @param url path and query, exactly as sent
   * @param wanted aborts when the client has gone: an image that nobody waits for any more is not begun
   * @throws ApiError the errors of orders, of origins and of rendering
   */
  deliver(url: string, accept: string | undefined, wanted: AbortSignal): Promise<Delivered>
  /** Aborts what is under way, and waits for its end. */
  close(): Promise<void>
}

export interface DeliveryParts extends RenderParts {
  readonly orders: Orders
  readonly cache: Cache
  readonly renders: OneRender<Made>
  readonly originOf: (source: Source) => Origin
  /** Limits originals in memory. */
  readonly turns: Turns
  /** Called for each answer, with the bytes of its image. */
  onAnswer(source: Source, outcome: Outcome, bytes: number): void
  /** An original was read again: it had changed or not, or could not be read. */
  onRevalidated(outcome: 'unchanged' | 'changed' | 'failed'): void
}

export interface Made {
  readonly result: Result
  /** false: it was found in the cache after all. */
  readonly isNew: boolean
}

/** For how long an answer that is no longer fresh is sent while its original is read again: also in Cache-Control. */
export const STALE_SECONDS = 86_400
/** How long an error is remembered, in milliseconds; others are not. */
const REMEMBERED: Readonly<Record<string, number>> = {
  source_image_not_found: 10_000,
  source_unavailable: 5_000,
  ...Object.fromEntries(
    ['invalid_image', 'invalid_image_type', 'image_too_large', 'invalid_params', 'cannot_fit', 'conversion_failed'].map(
      (code) => [code, 10_000],
    ),
  ),
}

export function openDelivery(parts: DeliveryParts): Delivery {
  const { orders, cache, renders, originOf, turns, onAnswer, onRevalidated } = parts
  const failures = new LRUCache<string, ApiError>({ max: 10_000, ttl: 10_000 })
  /** What the store did not have a moment ago, when a request was looked at first. */
  const absent = new LRUCache<string, true>({ max: 10_000, ttl: 1_000 })
  const closing = new AbortController()
  const { signal } = closing

  function originInTime(source: Source): Origin {
    const origin = originOf(source)
    return { read: (...asked) => turns.reading(source.accountId, () => origin.read(...asked)) }
  }
  function wantedBy(order: Order, accept: string | undefined): Wanted {
    const accepted = orders.accepted(accept)
    return { order, accepted, keys: keysOf(order, accepted) }
  }
  function inMemory({ keys: { main, exact }, ...wanted }: Wanted): Result | undefined {
    const found = cache.inMemory(main)
    return found && suits(found, wanted) ? found : main === exact ? undefined : cache.inMemory(exact)
  }
  async function inStore({ keys: { main, exact }, ...wanted }: Wanted): Promise<Result | undefined> {
    const found = await cache.read(main)
    return found && suits(found, wanted) ? found : main === exact ? undefined : await cache.read(exact)
  }
  async function write({ order, accepted, keys: { main, exact } }: Wanted, result: Result): Promise<void> {
    const isForAll = order.chooses !== 'auto' || result.format === accepted.first
    await cache.write(isForAll ? main : exact, result)
  }
  /** @throws ApiError, which is remembered for a while */
  async function inTurn<Value>({ order, keys }: Wanted, ends: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    try {
      return await turns.run(order.source.accountId, ends, work)
    } catch (thrown) {
      const error = order.explain(thrown)
      const ttl = error instanceof ApiError ? REMEMBERED[error.code] : undefined
      if (error instanceof ApiError && ttl !== undefined) failures.set(keys.exact, error, { ttl })
      throw error
    }
  }
  function make(wanted: Wanted, gone: AbortSignal): Promise<Made> {
    const ends = AbortSignal.any([signal, gone])
    return inTurn(wanted, ends, async () => {
      const { order, accepted } = wanted
      const origin = originInTime(order.source)
      const original = () => readWhole(origin, order.path, ends)
      const result = await renderOrder(parts, order, accepted, origin, original, { signal, gone, ends })
      await write(wanted, result)
      return { result, isNew: true }
    })
  }
  /** Asks the origin whether the original has changed, and makes the image again if so. */
  function renew(wanted: Wanted, kept: Result, gone: AbortSignal): Promise<Made> {
    const ends = AbortSignal.any([signal, gone])
    return inTurn(wanted, ends, async () => {
      const { order, accepted, keys } = wanted
      const origin = originInTime(order.source)
      const read = await origin.read(order.path, validatorsOf(kept), ends).catch(async (error: unknown) => {
        onRevalidated('failed')
        // It is gone, so its results go too.
        if (isGone(error)) await Promise.all([cache.remove(keys.main), cache.remove(keys.exact)])
        throw error
      })
      const isNew = read !== 'unchanged'
      onRevalidated(isNew ? 'changed' : 'unchanged')
      const result = isNew
        ? await renderOrder(parts, order, accepted, origin, async () => read, { signal, gone, ends })
        : { ...kept, checkedAt: Date.now() }
      await write(wanted, result)
      return { result, isNew }
    })
  }
  /** Runs the work once for all who want the same, in all servers. */
  async function once(
    wanted: Wanted,
    work: (gone: AbortSignal) => Promise<Made>,
    client: AbortSignal | undefined,
  ): Promise<Once> {
    const began = Date.now()
    async function found(): Promise<Made | undefined> {
      const result = await inStore(wanted)
      // What another server has made since then is fresh enough, even if waiting took longer than the source's maximum age.
      const isNewEnough = result && (result.checkedAt >= began || isFresh(result, wanted.order.source))
      return isNewEnough ? { result, isNew: false } : undefined
    }
    const { value, isFirst } = renders.run(wanted.keys.main, found, work, client)
    const made = await value
    if (suits(made.result, wanted)) return { ...made, isFirst }
    // The picture moves, and the client accepts other formats for that than the first who asked.
    const other = renders.run(wanted.keys.exact, found, work, client)
    return { ...(await other.value), isFirst: other.isFirst }
  }
  async function withKept(wanted: Wanted, kept: Result, client: AbortSignal): Promise<Answered> {
    const { order, keys } = wanted
    const stale = { order, result: kept, state: 'stale', outcome: 'stale' } as const
    if (failures.has(keys.exact)) return stale
    const isGoodEnough = isFresh(kept, order.source, STALE_SECONDS)
    const renewed = once(wanted, (gone) => renew(wanted, kept, gone), isGoodEnough ? undefined : client)
    if (isGoodEnough) {
      // An error is remembered and counted; a later request tries again.
      renewed.catch(() => {})
      return stale
    }
    try {
      const { result, isNew } = await renewed
      return { order, result, ...(isNew ? { state: 'miss', outcome: 'miss' } : { state: 'hit', outcome: 'store' }) }
    } catch (error) {
      if (isGone(error)) throw error
      return stale
    }
  }
  async function withNothing(wanted: Wanted, client: AbortSignal): Promise<Answered> {
    const failed = failures.get(wanted.keys.exact)
    if (failed) throw failed
    const { result, isNew, isFirst } = await once(wanted, (gone) => make(wanted, gone), client)
    const isMiss = isFirst && isNew
    return { order: wanted.order, result, state: isMiss ? 'miss' : 'hit', outcome: isMiss ? 'miss' : 'coalesced' }
  }
  function freshHit(order: Order, result: Result | undefined, outcome: Outcome): Delivered | undefined {
    if (!result || !isFresh(result, order.source)) return undefined
    onAnswer(order.source, outcome, result.body.length)
    return { order, result, state: 'hit' }
  }
  async function stored(wanted: Wanted, client: () => AbortSignal): Promise<Delivered | undefined> {
    const found = await inStore(wanted)
    if (!found) absent.set(wanted.keys.exact, true)
    return freshHit(wanted.order, found, 'store') ?? (await underWay(wanted, client))
  }
  /** From what another request has begun. */
  function underWay(wanted: Wanted, client: () => AbortSignal): Promise<Delivered | undefined> | undefined {
    const running = renders.join(wanted.keys.main, client)
    return running?.then(({ result }) => (suits(result, wanted) ? freshHit(wanted.order, result, 'coalesced') : undefined))
  }
  async function answer(wanted: Wanted, client: AbortSignal): Promise<Answered> {
    const wasAbsent = absent.delete(wanted.keys.exact)
    const kept = inMemory(wanted) ?? (wasAbsent ? undefined : await inStore(wanted))
    if (!kept) return await withNothing(wanted, client)
    if (!isFresh(kept, wanted.order.source)) return await withKept(wanted, kept, client)
    return { order: wanted.order, result: kept, state: 'hit', outcome: 'store' }
  }
  return {
    isAddress: orders.isAddress,
    cached(url, accept, client) {
      const order = orders.atOnce(url)
      if (!order || (order.expires !== undefined && Date.now() >= order.expires * 1000)) return undefined
      const wanted = wantedBy(order, accept)
      const result = inMemory(wanted)
      if (result) return freshHit(order, result, 'memory')
      return underWay(wanted, client) ?? stored(wanted, client)
    },
    async deliver(url, accept, client) {
      const order = await orders.read(url)
      const { outcome, ...delivered } = await answer(wantedBy(order, accept), client)
      onAnswer(order.source, outcome, delivered.result.body.length)
      return delivered
    },
    async close() {
      closing.abort(serverBusy())
      await renders.ended()
    },
  }
}

/** What a request wants, and where it may be cached. */
interface Wanted {
  readonly order: Order
  readonly accepted: Accepted
  readonly keys: Keys
}

type Once = Made & { readonly isFirst: boolean }
type Answered = Delivered & { readonly outcome: Outcome }

const isFresh = ({ checkedAt }: Result, { maxAgeSeconds }: Source, extraSeconds = 0): boolean =>
  Date.now() - checkedAt < (maxAgeSeconds + extraSeconds) * 1000

/** Whether a client gets this result. */
const suits = ({ format, formats }: Result, { order, accepted }: Pick<Wanted, 'order' | 'accepted'>): boolean =>
  order.chooses !== 'auto' || format === accepted.first || formats === accepted.auto

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'source_image_not_found'

const validatorsOf = ({ originEtag: etag, originLastModified: lastModified }: Result): Validators => ({
  ...(etag !== undefined && { etag }),
  ...(lastModified !== undefined && { lastModified }),
})

async function readWhole(origin: Origin, path: readonly string[], signal: AbortSignal): Promise<Original> {
  const read = await origin.read(path, undefined, signal)
  if (read === 'unchanged') throw new Error('an origin said unchanged of a file that was never read')
  return read
}
