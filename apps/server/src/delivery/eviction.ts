import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { type Evicted, evict } from './evict.ts'

interface EvictionEvents {
  onEvicted(evictedFiles: Evicted): void
  onFault(error: unknown): void
}

/** After new results of this share of the limit, the cache is measured again. */
const MEASURE_AFTER = 0.05

/** Keeps the results in the store below a limit, if there is one. */
export class Eviction {
  readonly #blobs: BlobStore
  readonly #mostBytes: number | undefined
  readonly #events: EvictionEvents
  readonly #closing = new AbortController()
  #bytesSinceMeasure = 0
  #run: Promise<void> | undefined

  /** @param mostBytes 0 stores none; undefined in a bucket, which removes them itself */
  constructor(blobs: BlobStore, mostBytes: number | undefined, events: EvictionEvents) {
    this.#blobs = blobs
    this.#mostBytes = mostBytes
    this.#events = events
  }

  onStored(bytes: number): void {
    this.#bytesSinceMeasure += bytes
    if (this.#mostBytes !== undefined && this.#bytesSinceMeasure > this.#mostBytes * MEASURE_AFTER) void this.run()
  }

  /** Removes results beyond the limit; one run at a time. */
  run(): Promise<void> {
    if (this.#mostBytes === undefined || this.#mostBytes === 0) return Promise.resolve()
    this.#bytesSinceMeasure = 0
    this.#run ??= evict(this.#blobs, this.#mostBytes, this.#closing.signal)
      .then(this.#events.onEvicted, this.#events.onFault)
      .finally(() => {
        this.#run = undefined
      })
    return this.#run
  }

  stop(): void {
    this.#closing.abort()
  }

  async end(): Promise<void> {
    await this.#run
  }
}
