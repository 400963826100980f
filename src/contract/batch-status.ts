/** What a batch goes through; the last two are its end. */
export const batchStatuses = ['queued', 'processing', 'completed', 'failed'] as const

export type BatchStatus = (typeof batchStatuses)[number]

/** What became of an entry of the archive, in the words of the result's manifest. */
export const itemStatuses = ['converted', 'failed', 'skipped'] as const

export type ItemStatus = (typeof itemStatuses)[number]

/** The same while the batch is under way: what nothing has become of yet is pending. */
export const entryStatuses = ['pending', ...itemStatuses] as const

export type EntryStatus = (typeof entryStatuses)[number]

/** For the documentation: what `error.code` of a batch that failed may be. */
export const BATCH_ERROR_CODES =
  'In the status of a batch, `error.code` is one of these identifiers, or `stale`: the batch made no progress for 30 minutes. Nothing was charged then; send it again.'

/** What an API says of a batch: contract §5. Times are ISO 8601, in UTC. */
export interface BatchStatusBody {
  readonly id: string
  /** Where it was given one. */
  readonly name?: string
  readonly status: BatchStatus
  readonly format: string
  readonly quality: number
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
  /** While there is one. */
  readonly resultUrl?: string
  readonly error?: { readonly code: string; readonly message: string }
}
