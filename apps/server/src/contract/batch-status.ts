/** The states of a batch; the last two are final. */
export const batchStatuses = ['queued', 'processing', 'completed', 'failed'] as const

export type BatchStatus = (typeof batchStatuses)[number]

/** The result of an entry of the archive, as in the manifest. */
export const itemStatuses = ['converted', 'failed', 'skipped'] as const

export type ItemStatus = (typeof itemStatuses)[number]

/** The same while the batch is running: entries without a result are pending. */
export const entryStatuses = ['pending', ...itemStatuses] as const

export type EntryStatus = (typeof entryStatuses)[number]

/** For the documentation: what `error.code` of a batch that failed may be. */
export const BATCH_ERROR_CODES =
  'In the status of a batch, `error.code` is one of these identifiers, or `stale`: the batch made no progress for 30 minutes. Nothing was charged then; send it again.'

/** The status of a batch in the API (docs/batch.md). Times are ISO 8601, in UTC. */
export interface BatchStatusBody {
  readonly id: string
  /** Absent for a batch without a name. */
  readonly name?: string
  readonly status: BatchStatus
  /** With a format and not a recipe. */
  readonly format?: string
  /** True instead of a format: each image keeps its own. */
  readonly optimize?: boolean
  readonly quality?: number
  readonly recipe?: object
  readonly recipeId?: string
  readonly visualQuality?: number
  readonly maxBytes?: number
  /** Images; `percent` is a whole number, and 100 only when all are done. */
  readonly progress: {
    readonly total: number
    readonly done: number
    readonly succeeded: number
    readonly failed: number
    readonly percent: number
  }
  readonly createdAt: string
  readonly startedAt?: string
  readonly finishedAt?: string
  /** Until when there is a result. */
  readonly expiresAt?: string
  /** While the result exists. */
  readonly resultUrl?: string
  readonly error?: { readonly code: string; readonly message: string }
}
