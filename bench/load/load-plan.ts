/** One request of a closed loop: an upload when it has files, else a GET. */
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
  /** Images to convert, or for how long to go on: then the first second does not count, so that queues have filled. */
  readonly until: { readonly images: number } | { readonly seconds: number }
  readonly retry: RetryHabit
}

export interface Latency {
  readonly medianMs: number
  readonly p95Ms: number
}

export interface LoadResult {
  readonly succeeded: number
  /** How many answers came with which status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Requests that ended without an answer, and those that had none after a minute. */
  readonly lost: number
  readonly timedOut: number
  /** Images that never succeeded, retries included. */
  readonly failed: number
  readonly wallMs: number
  readonly imagesPerSecond: number
  /** From the first try to the image, waiting included. */
  readonly latency: Latency
  /** Of single 503 answers. */
  readonly refusal: Latency
  readonly outputBytes: number
  /** CPU of the load generator itself. */
  readonly cpuMs: number
}
