import { z } from 'zod'
import type { ArchiveEntry } from '../archives/inspect.ts'
import type { targetFormats } from '../codecs/index.ts'
import type { BatchStatus, BatchStatusBody } from '../contract/batch-status.ts'
import { limits } from '../contract/limits.ts'

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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether this could be a batch's id: PostgreSQL takes nothing else for a UUID. */
export const isBatchId = (text: string): boolean => UUID.test(text)

/** All files of batches. */
export const BATCH_FILES = 'batch/'

/** What all files of one batch begin with. */
export const batchPrefix = (batchId: string): string => `${BATCH_FILES}${batchId}/`

/** The archive as it was sent. */
export const uploadKey = (batchId: string): string => `${batchPrefix(batchId)}upload.zip`

/** One converted image. Each claim writes a file of its own, so that a late one of a lost claim never replaces what counts. */
export const partKey = (item: { readonly batchId: string; readonly seq: number; readonly attempt: number }): string =>
  `${batchPrefix(item.batchId)}images/${item.seq}-${item.attempt}`

/** The path at which a batch's result is. */
export const resultPath = (batchId: string): string => `/api/v2/batch/${batchId}/result`

/** The status body of contract §5. */
export function statusBody(batch: Batch): BatchStatusBody {
  const { id, status, format, quality, total, succeeded, failed, startedAt, finishedAt, expiresAt, error } = batch
  const done = succeeded + failed
  const completed = status === 'completed'
  return {
    id,
    ...(batch.name !== null && { name: batch.name }),
    status,
    format,
    quality: quality ?? limits.quality.default,
    progress: { total, done, succeeded, failed, percent: Math.floor((100 * done) / total) },
    createdAt: batch.createdAt.toISOString(),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    ...(completed && expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(completed && !batch.expired && { resultUrl: resultPath(id) }),
    ...(error && { error }),
  }
}

/** Controls, line breaks, and what is not seen or turns the direction of a text: it would read otherwise than it is. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** What its owner calls a batch. */
export const batchName = z
  .string()
  .normalize('NFC')
  .trim()
  .refine((text) => text !== '', 'Must not be blank.')
  .refine((text) => text.isWellFormed() && !NOT_SHOWN.test(text), 'Must be one line of visible characters.')
  .refine((text) => [...text].length <= limits.nameLength, `Must have at most ${limits.nameLength} characters.`)
