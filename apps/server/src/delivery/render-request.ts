import { serverBusy } from '@pixelmill/engine/rendering/pool'
import { LRUCache } from 'lru-cache'
import { isRefusal, type Refusal } from '../contract/api-error.ts'
import type { Result } from './cache.ts'
import type { CachedResults, ImageRequest } from './image-request.ts'
import { makeResult, type Purpose } from './make-result.ts'
import { type Origin, type Original, type Read, readWhole, type Validators } from './origin/original.ts'
import { type RenderParts, renderOrder } from './render.ts'
import type { Source } from './source.ts'
import type { Turns } from './turns.ts'

export interface RequestRendererParts extends RenderParts {
  readonly results: CachedResults
  readonly originOf: (source: Source) => Origin
  /** Limits originals in memory. */
  readonly turns: Turns
  /** An original was read again: it had changed or not, or could not be read. */
  onRevalidated(outcome: 'unchanged' | 'changed' | 'failed'): void
}

export interface RenderOutcome {
  readonly result: Result
  /** false: it was in the cache after all. */
  readonly isNew: boolean
}

/** How long an error is remembered, in milliseconds; others are not. */
const FAILURE_MS: Readonly<Record<string, number>> = {
  source_unavailable: 5_000,
  source_image_not_found: 10_000,
  invalid_image: 10_000,
  invalid_image_type: 10_000,
  image_too_large: 10_000,
  invalid_params: 10_000,
  cannot_fit: 10_000,
  conversion_failed: 10_000,
}
const MOST_FAILURES = 10_000

/** Reads originals and makes images of them, in turns of the accounts whose sources they are. */
export class RequestRenderer {
  readonly #parts: RequestRendererParts
  readonly #failures = new LRUCache<string, Refusal>({ max: MOST_FAILURES, ttl: 10_000 })
  readonly #closing = new AbortController()

  constructor(parts: RequestRendererParts) {
    this.#parts = parts
  }

  /** The error with which a request failed a moment ago. */
  latestFailure({ keys }: ImageRequest): Refusal | undefined {
    return this.#failures.get(keys.exact)
  }

  /** @throws ApiError, which is remembered for a while */
  render(request: ImageRequest, goneSignal: AbortSignal): Promise<RenderOutcome> {
    return this.#inTurn(request, goneSignal, async (ends) => {
      const { source, path, query } = request.order
      const origin = this.#originOf(source)
      const result = await this.#renderFrom(request, origin, () => readWhole(origin, path, ends, query), goneSignal, ends)
      return { result, isNew: true }
    })
  }

  /** Asks the origin whether the original has changed, and makes the image again if so. @throws ApiError as `render` */
  renew(request: ImageRequest, staleResult: Result, goneSignal: AbortSignal): Promise<RenderOutcome> {
    return this.#inTurn(request, goneSignal, async (ends) => {
      const origin = this.#originOf(request.order.source)
      const original = await this.#readAgain(request, origin, staleResult, ends)
      if (original.bytes) {
        const result = await this.#renderFrom(request, origin, async () => original, goneSignal, ends)
        return { result, isNew: true }
      }
      const { caching } = original
      const result = { ...staleResult, ...(caching && { caching }), checkedAt: Date.now() }
      await this.#parts.results.write(request, result)
      return { result, isNew: false }
    })
  }

  /**
   * The same image in fewer bytes, at the priority of what nobody waits for, and charged to nobody. Undefined where its original is
   * no longer the one that it was made of.
   */
  async refine({ order, accepted }: ImageRequest, fastResult: Result): Promise<Result | undefined> {
    const { signal } = this.#closing
    return await this.#parts.turns.run(order.source.accountId, signal, async () => {
      const origin = this.#originOf(order.source)
      const original = await readWhole(origin, order.path, signal, order.query)
      if (original.etag !== fastResult.originEtag || original.lastModified !== fastResult.originLastModified) return undefined
      const ends = { signal, gone: signal, ends: signal }
      const purpose: Purpose = { lane: 'background', effort: 'small' }
      const { result } = await makeResult(this.#parts, order, accepted, origin, original, ends, purpose)
      return result
    })
  }

  close(): void {
    this.#closing.abort(serverBusy())
  }

  async #inTurn<Value>(
    { order, keys }: ImageRequest,
    goneSignal: AbortSignal,
    work: (ends: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const ends = AbortSignal.any([this.#closing.signal, goneSignal])
    try {
      return await this.#parts.turns.run(order.source.accountId, ends, () => work(ends))
    } catch (cause) {
      const error = order.explain(cause)
      const ttl = isRefusal(error) ? FAILURE_MS[error.code] : undefined
      if (isRefusal(error) && ttl !== undefined) this.#failures.set(keys.exact, error, { ttl })
      throw error
    }
  }

  /** An origin whose slowness is noted. */
  #originOf(source: Source): Origin {
    const origin = this.#parts.originOf(source)
    return { read: (...request) => this.#parts.turns.reading(source.accountId, () => origin.read(...request)) }
  }

  async #renderFrom(
    request: ImageRequest,
    origin: Origin,
    original: () => Promise<Original>,
    goneSignal: AbortSignal,
    ends: AbortSignal,
  ): Promise<Result> {
    const signals = { signal: this.#closing.signal, gone: goneSignal, ends }
    const result = await renderOrder(this.#parts, request.order, request.accepted, origin, original, signals)
    await this.#parts.results.write(request, result)
    return result
  }

  async #readAgain(request: ImageRequest, origin: Origin, staleResult: Result, ends: AbortSignal): Promise<Read> {
    const { results, onRevalidated } = this.#parts
    const { order } = request
    try {
      const original = await origin.read(order.path, validatorsOf(staleResult), ends, order.query)
      onRevalidated(original.bytes ? 'changed' : 'unchanged')
      return original
    } catch (error) {
      onRevalidated('failed')
      // It is gone, so its results go too.
      if (isGone(error)) await results.remove(request)
      throw error
    }
  }
}

/** Whether the original is not there any more. */
export const isGone = (error: unknown): boolean => isRefusal(error) && error.code === 'source_image_not_found'

const validatorsOf = ({ originEtag: etag, originLastModified: lastModified }: Result): Validators => ({
  ...(etag !== undefined && { etag }),
  ...(lastModified !== undefined && { lastModified }),
})
