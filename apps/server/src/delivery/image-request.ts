import type { Cache, Result } from './cache.ts'
import { freshnessOf } from './freshness.ts'
import { type Accepted, type Keys, keysOf, type Order } from './order.ts'

/** What a client asks for, and where the answer may be cached. */
export interface ImageRequest {
  readonly order: Order
  readonly accepted: Accepted
  readonly keys: Keys
}

export const imageRequest = (order: Order, acceptedFormats: Accepted): ImageRequest => ({
  order,
  accepted: acceptedFormats,
  keys: keysOf(order, acceptedFormats),
})

/** Whether the client of a request gets this result. */
export const suits = ({ format, formats }: Result, { order, accepted }: ImageRequest): boolean =>
  order.chooses !== 'auto' || format === accepted.first || formats === accepted.auto

/** Results under both keys of a request: of all clients that accept the same format first, and of those that accept the same formats. */
export class CachedResults {
  readonly #cache: Cache

  constructor(cache: Cache) {
    this.#cache = cache
  }

  inMemory(request: ImageRequest): Result | undefined {
    const { main, exact } = request.keys
    const result = this.#cache.inMemory(main)
    if (result && suits(result, request)) return result
    return main === exact ? undefined : this.#cache.inMemory(exact)
  }

  async inStore(request: ImageRequest): Promise<Result | undefined> {
    const { main, exact } = request.keys
    const result = await this.#cache.read(main)
    if (result && suits(result, request)) return result
    return main === exact ? undefined : await this.#cache.read(exact)
  }

  /** Keeps a result, unless its origin forbids it. */
  async write(request: ImageRequest, result: Result): Promise<void> {
    const { order, accepted, keys } = request
    if (freshnessOf(result, order.source).keeps !== 'anyone') return await this.remove(request)
    const isForAll = order.chooses !== 'auto' || result.format === accepted.first
    await this.#cache.write(isForAll ? keys.main : keys.exact, result)
  }

  async remove({ keys }: ImageRequest): Promise<void> {
    await Promise.all([this.#cache.remove(keys.main), this.#cache.remove(keys.exact)])
  }
}
