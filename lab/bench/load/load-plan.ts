/** One request of a closed loop: an upload if it has files, otherwise a GET. */
export interface PlannedRequest {
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
  /** Form field → path of the file; they come before the fields, as in the README's curl line. */
  readonly files?: Readonly<Record<string, string>>
}

/** What to do with a 503: wait as Retry-After says (at most a second, plus jitter), or ask again at once. */
export type RetryHabit = 'wait' | 'at once'

export interface LoadPlan {
  readonly port: number
  readonly key?: string
  readonly requests: readonly PlannedRequest[]
  readonly concurrency: number
  /** Images to convert, or a duration: then the first second does not count, so that queues have filled. */
  readonly until: { readonly images: number } | { readonly seconds: number }
  readonly retry: RetryHabit
}

export interface Latency {
  readonly medianMs: number
  readonly p95Ms: number
  readonly p99Ms: number
}

export interface LoadResult {
  readonly succeeded: number
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Requests that ended without a response, including those without one after a minute. */
  readonly lost: number
  readonly timedOut: number
  /** Images that never succeeded, even with retries. */
  readonly failed: number
  readonly wallMs: number
  readonly imagesPerSecond: number
  /** The time from the first attempt to the image, including waits. */
  readonly latency: Latency
  /** Latencies of single 503 responses. */
  readonly refusal: Latency
  readonly outputBytes: number
  /** CPU of the load generator itself. */
  readonly cpuMs: number
}
