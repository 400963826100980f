import { LRUCache } from 'lru-cache'
import { isRefusal } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import type { Cache, Result } from './cache.ts'
import { type ClientHints, NO_HINTS } from './client-hints.ts'
import { freshnessOf, isFresh } from './freshness.ts'
import { CachedResults, type ImageRequest, imageRequest, suits } from './image-request.ts'
import type { OneRender } from './one-render.ts'
import type { Order, Orders } from './order.ts'
import { Refinement, type RefinementParts } from './refinement.ts'
import { isGone, type RenderOutcome, RequestRenderer, type RequestRendererParts } from './render-request.ts'
import type { Source } from './source.ts'

/** What is said of an answer in X-Cache. */
export type CacheState = 'hit' | 'miss' | 'stale'

export interface Delivered {
  readonly order: Order
  readonly result: Result
  readonly state: CacheState
  /** Why the fallback of the source is sent in place of the image. */
  readonly fallbackFor?: ErrorName
}

/** How an answer came about, for the metrics. */
export type Outcome = 'memory' | 'store' | 'miss' | 'coalesced' | 'stale'

export interface DeliveryParts extends Omit<RequestRendererParts, 'results'> {
  readonly refinement: Omit<RefinementParts, 'results' | 'renderer'>
  readonly orders: Orders
  readonly cache: Cache
  readonly renders: OneRender<RenderOutcome>
  /** Called for each answer, with the bytes of its image. */
  onAnswer(source: Source, outcome: Outcome, bytes: number): void
}

/** Errors of an original in whose place a source's fallback is sent. */
const REPLACED: readonly ErrorName[] = [
  ...(['source_image_not_found', 'source_unavailable', 'invalid_image', 'invalid_image_type', 'image_too_large'] as const),
]

const MOST_ABSENT = 10_000
const ABSENT_MS = 1_000

type Answer = Delivered & { readonly outcome: Outcome }
type SharedOutcome = RenderOutcome & { readonly isFirst: boolean }

/** Answers URLs: from memory, from the store, from what others have begun, or by a rendering. */
export class Delivery {
  readonly #orders: Orders
  readonly #renders: OneRender<RenderOutcome>
  readonly #onAnswer: DeliveryParts['onAnswer']
  readonly #results: CachedResults
  readonly #renderer: RequestRenderer
  readonly #refinement: Refinement
  /** What the store did not have a moment ago, when a request was looked at first. */
  readonly #absent = new LRUCache<string, true>({ max: MOST_ABSENT, ttl: ABSENT_MS })

  constructor(parts: DeliveryParts) {
    this.#orders = parts.orders
    this.#renders = parts.renders
    this.#onAnswer = parts.onAnswer
    this.#results = new CachedResults(parts.cache)
    this.#renderer = new RequestRenderer({ ...parts, results: this.#results })
    this.#refinement = new Refinement({ ...parts.refinement, results: this.#results, renderer: this.#renderer })
  }

  /** Whether a path is one of delivery, in any dialect. */
  isAddress(url: string): boolean {
    return this.#orders.isAddress(url)
  }

  /**
   * An answer that needs no work: from memory at once, else from the store, or from what is just being made. Undefined if there is
   * none, or its original is to be read again.
   * @param client gives a signal that aborts when the client has gone; called only if it would wait for an image
   */
  fromCache(
    url: string,
    accept: string | undefined,
    client: () => AbortSignal,
    hints: ClientHints = NO_HINTS,
  ): Delivered | undefined | Promise<Delivered | undefined> {
    const order = this.#orders.atOnce(url, hints)
    if (!order || (order.expires !== undefined && Date.now() >= order.expires * 1000)) return undefined
    const request = imageRequest(order, this.#orders.acceptedFormats(accept))
    const result = this.#results.inMemory(request)
    if (result) return this.#freshHit(request, result, 'memory')
    return this.#underWay(request, client) ?? this.#fromStore(request, client)
  }

  /**
   * @param url path and query, exactly as sent
   * @param client aborts when the client has gone: an image that nobody waits for any more is not begun
   * @throws ApiError the errors of orders, of origins and of rendering
   */
  async deliver(url: string, accept: string | undefined, client: AbortSignal, hints: ClientHints = NO_HINTS): Promise<Delivered> {
    const order = await this.#orders.read(url, hints)
    const request = imageRequest(order, this.#orders.acceptedFormats(accept))
    const { outcome, ...answer } = await this.#answer(request, client).catch((error) =>
      this.#answerByFallback(request, client, error),
    )
    this.#onAnswer(order.source, outcome, answer.result.body.length)
    return answer
  }

  /** Aborts what is under way, and waits for its end. */
  async close(): Promise<void> {
    this.#renderer.close()
    await this.#refinement.close()
    await this.#renders.untilIdle()
  }

  async #fromStore(request: ImageRequest, client: () => AbortSignal): Promise<Delivered | undefined> {
    const result = await this.#results.inStore(request)
    if (!result) this.#absent.set(request.keys.exact, true)
    return this.#freshHit(request, result, 'store') ?? (await this.#underWay(request, client))
  }

  /** From what another request has begun. */
  #underWay(request: ImageRequest, client: () => AbortSignal): Promise<Delivered | undefined> | undefined {
    const outcome = this.#renders.join(request.keys.main, client)
    return outcome?.then(({ result }) => (suits(result, request) ? this.#freshHit(request, result, 'coalesced') : undefined))
  }

  #freshHit(request: ImageRequest, result: Result | undefined, outcome: Outcome): Delivered | undefined {
    const { order } = request
    if (!result || !isFresh(result, order.source)) return undefined
    this.#onAnswer(order.source, outcome, result.body.length)
    this.#refinement.onHit(request, result)
    return { order, result, state: 'hit' }
  }

  async #answer(request: ImageRequest, client: AbortSignal): Promise<Answer> {
    const { order, keys } = request
    const wasAbsent = this.#absent.delete(keys.exact)
    const result = this.#results.inMemory(request) ?? (wasAbsent ? undefined : await this.#results.inStore(request))
    if (!result) return await this.#renderRequest(request, client)
    if (!isFresh(result, order.source)) return await this.#renewRequest(request, result, client)
    this.#refinement.onHit(request, result)
    return { order, result, state: 'hit', outcome: 'store' }
  }

  /**
   * The same of the fallback of the source, whose image is one for all that are missing.
   * @throws the error of the image itself, also where the fallback fails
   */
  async #answerByFallback({ order, accepted }: ImageRequest, client: AbortSignal, error: unknown): Promise<Answer> {
    const { fallback } = order.source
    if (!fallback || !isRefusal(error) || !REPLACED.includes(error.code)) throw error
    const { query, ...rest } = order
    const request = imageRequest({ ...rest, path: fallback, keys: new Map() }, accepted)
    const answer = await this.#answer(request, client).catch((failure) => {
      throw isRefusal(failure) ? error : failure
    })
    return { ...answer, fallbackFor: error.code }
  }

  async #renderRequest(request: ImageRequest, client: AbortSignal): Promise<Answer> {
    const failure = this.#renderer.latestFailure(request)
    if (failure) throw failure
    const { result, isNew, isFirst } = await this.#once(
      request,
      (goneSignal) => this.#renderer.render(request, goneSignal),
      client,
    )
    const isMiss = isFirst && isNew
    return { order: request.order, result, state: isMiss ? 'miss' : 'hit', outcome: isMiss ? 'miss' : 'coalesced' }
  }

  async #renewRequest(request: ImageRequest, staleResult: Result, client: AbortSignal): Promise<Answer> {
    const { order } = request
    const stale: Answer = { order, result: staleResult, state: 'stale', outcome: 'stale' }
    const { staleSeconds, afterErrors } = freshnessOf(staleResult, order.source)
    const failure = this.#renderer.latestFailure(request)
    if (failure && !afterErrors) throw failure
    if (failure) return stale
    const isGoodEnough = isFresh(staleResult, order.source, staleSeconds)
    const renewal = this.#once(
      request,
      (goneSignal) => this.#renderer.renew(request, staleResult, goneSignal),
      isGoodEnough ? undefined : client,
    )
    if (isGoodEnough) {
      // An error is remembered and counted; a later request tries again.
      renewal.catch(() => {})
      return stale
    }
    try {
      const { result, isNew } = await renewal
      return isNew ? { order, result, state: 'miss', outcome: 'miss' } : { order, result, state: 'hit', outcome: 'store' }
    } catch (error) {
      if (isGone(error) || !afterErrors) throw error
      return stale
    }
  }

  /** Runs the work once for all who ask for the same, in all servers. */
  async #once(
    request: ImageRequest,
    work: (goneSignal: AbortSignal) => Promise<RenderOutcome>,
    client: AbortSignal | undefined,
  ): Promise<SharedOutcome> {
    const began = Date.now()
    const fromOthers = () => this.#fromOtherServers(request, began)
    const sharedRun = this.#renders.run(request.keys.main, fromOthers, work, client)
    const outcome = await sharedRun.value
    if (suits(outcome.result, request)) return { ...outcome, isFirst: sharedRun.isFirst }
    // The picture moves, and the client accepts other formats for that than the first who asked.
    const own = this.#renders.run(request.keys.exact, fromOthers, work, client)
    return { ...(await own.value), isFirst: own.isFirst }
  }

  /** What another server has made since then is fresh enough, even if waiting took longer than the source's maximum age. */
  async #fromOtherServers(request: ImageRequest, began: number): Promise<RenderOutcome | undefined> {
    const result = await this.#results.inStore(request)
    if (!result) return undefined
    return result.checkedAt >= began || isFresh(result, request.order.source) ? { result, isNew: false } : undefined
  }
}
