import { LRUCache } from 'lru-cache'
import type { Result } from './cache.ts'
import type { CachedResults, ImageRequest } from './image-request.ts'
import type { OneRender } from './one-render.ts'
import type { RequestRenderer } from './render-request.ts'
import type { Source } from './source.ts'

export interface RefinementParts {
  /** Hits after which a result is popular; undefined refines none. */
  readonly afterHits: number | undefined
  readonly results: CachedResults
  readonly renderer: Pick<RequestRenderer, 'refine'>
  readonly renders: OneRender<boolean>
  readonly findSource: (name: string) => Promise<Source | undefined>
  /** Whether no renderer has work. */
  isIdle(): boolean
  /** A popular result was made again. */
  onRefined(before: number, after: number): void
  onFault(error: unknown): void
}

/** Of one processor: after each image it rests for three times as long as that took. */
const SHARE = 0.25
/** How often it is looked whether the renderers are idle. */
const LOOK_MS = 250
/** Results whose hits are counted, and popular ones that wait: the least popular are forgotten. */
const MOST_COUNTED = 50_000
const MOST_WAITING = 1_000

/**
 * Makes popular results smaller. A miss is encoded quickly, since somebody waits; what was then asked for often enough is encoded
 * again with more effort, while no renderer has other work.
 */
export class Refinement {
  readonly #parts: RefinementParts
  readonly #hits = new LRUCache<string, number>({ max: MOST_COUNTED })
  readonly #waiting = new Map<string, ImageRequest>()
  #timer: NodeJS.Timeout | undefined
  #underWay = Promise.resolve()
  #isClosing = false

  constructor(parts: RefinementParts) {
    this.#parts = parts
  }

  /** An answer was sent from the cache. */
  onHit(request: ImageRequest, { effort }: Result): void {
    const { afterHits } = this.#parts
    if (effort !== 'fast' || afterHits === undefined || this.#isClosing) return
    const key = request.keys.exact
    const hits = (this.#hits.get(key) ?? 0) + 1
    this.#hits.set(key, hits)
    if (hits < afterHits || this.#waiting.size >= MOST_WAITING) return
    this.#waiting.set(key, request)
    this.#later(LOOK_MS)
  }

  /** Begins no more, and waits for what has begun. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#timer)
    await this.#underWay
  }

  #later(ms: number): void {
    if (this.#isClosing) return
    this.#timer ??= setTimeout(() => {
      this.#underWay = this.#next()
    }, ms).unref()
  }

  async #next(): Promise<void> {
    const restMs = this.#parts.isIdle() ? await this.#refineFirst() : LOOK_MS
    this.#timer = undefined
    if (this.#waiting.size > 0) this.#later(restMs)
  }

  /** @returns for how long to rest afterwards, in milliseconds */
  async #refineFirst(): Promise<number> {
    const [first] = this.#waiting
    if (!first) return 0
    const [key, request] = first
    this.#waiting.delete(key)
    this.#hits.delete(key)
    const began = performance.now()
    try {
      await this.#once(request)
    } catch (error) {
      // Its hits are counted anew: it is tried again while it stays popular.
      if (!this.#isClosing) this.#parts.onFault(error)
    }
    return (performance.now() - began) * (1 / SHARE - 1)
  }

  /** One server does it for all; the others read it from the store when their own hits have made it popular. */
  async #once(request: ImageRequest): Promise<void> {
    const { source } = request.order
    if ((await this.#parts.findSource(source.name)) !== source) return
    const fromOthers = async () => ((await this.#latest(request))?.effort === 'fast' ? undefined : false)
    await this.#parts.renders.run(`${request.keys.exact} small`, fromOthers, () => this.#refine(request), undefined).value
  }

  /** @returns whether there is a smaller one now */
  async #refine(request: ImageRequest): Promise<boolean> {
    const { renderer, results, onRefined } = this.#parts
    const fastResult = await this.#latest(request)
    if (fastResult?.effort !== 'fast') return false
    const smallResult = await renderer.refine(request, fastResult)
    const latestResult = await this.#latest(request)
    // Its original has changed, or it was removed.
    if (!smallResult || latestResult?.etag !== fastResult.etag) return false
    const before = fastResult.body.length
    const after = smallResult.body.length
    if (after >= before) {
      await results.write(request, { ...latestResult, effort: 'small' })
      return false
    }
    await results.write(request, smallResult)
    onRefined(before, after)
    return true
  }

  /** As the store has it, which all servers share; without one, as this process has it. */
  async #latest(request: ImageRequest): Promise<Result | undefined> {
    const { results } = this.#parts
    return (await results.inStore(request)) ?? results.inMemory(request)
  }
}
