import type { ArchiveEntry } from '../archives/entry.ts'
import type { targetFormats } from '../codecs/index.ts'
import type { BatchStatus } from '../contract/batch-status.ts'

export type OutputFormat = (typeof targetFormats)[number]

/** An error of the table in contract/errors.ts, or `stale`, with a sentence for people. */
export interface BatchError {
  readonly code: string
  readonly message: string
}

/** An archive of images on its way from upload to result. */
export interface Batch {
  readonly id: string
  readonly accountId: string
  readonly status: BatchStatus
  readonly format: OutputFormat
  /** What its owner calls it. */
  readonly name: string | null
  /** 1 to 100; null where none was sent. */
  readonly quality: number | null
  readonly webhookUrl: string | null
  /** Images: entries that are skipped do not count. */
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  /** 24 hours after `finishedAt`. */
  readonly expiresAt: Date | null
  /** By the database's clock, whether or not its files are gone already. */
  readonly expired: boolean
  readonly error: BatchError | null
}

export type ItemState = 'pending' | 'claimed' | 'converted' | 'failed' | 'skipped'

/** One entry of the archive, and what became of it. */
export interface BatchItem {
  /** Its place in the archive's directory, from 0. */
  readonly seq: number
  /** Its path in the archive. */
  readonly source: string
  readonly state: ItemState
  /** The result's path in the result's archive; null unless `converted`. */
  readonly output: string | null
  /** With `seq`, the name of its file in the store: `partKey`. */
  readonly attempt: number
  readonly inputBytes: number | null
  readonly outputBytes: number | null
  readonly crc32: number | null
  /** Of the result, in pixels. */
  readonly width: number | null
  readonly height: number | null
  readonly error: BatchError | null
}

/** One claim of one image; `attempt` grows with each claim of the image. */
export interface ClaimKey {
  readonly batchId: string
  readonly seq: number
  readonly attempt: number
}

/** An image that a worker may convert, until its lease ends. */
export interface ClaimedItem extends ClaimKey {
  readonly accountId: string
  readonly keyId: string | null
  readonly format: OutputFormat
  readonly quality: number | null
  /** Its path in the archive. */
  readonly source: string
  /** For `readEntry` on the upload. */
  readonly entry: ArchiveEntry
}
