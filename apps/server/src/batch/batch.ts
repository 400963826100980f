import { limits } from '@pixelmill/codecs/contract/limits'
import type { TargetFormat } from '@pixelmill/codecs/image-formats'
import { recipeId } from '@pixelmill/engine/recipe/canonical'
import { type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import type { SourceFeatures } from '@pixelmill/engine/tasks/task'
import { z } from 'zod'
import type { ArchiveEntry } from '../archives/inspect.ts'
import type { BatchStatus, BatchStatusBody } from '../contract/batch-status.ts'

/** `same` of a batch that optimizes: each image keeps its format. */
export type OutputFormat = TargetFormat | 'same'

/** An output of each image; what the recipe calls auto is the same as same here. */
export interface BatchOutput {
  readonly name: string
  readonly format: Exclude<Recipe['outputs'][number]['format'], 'auto' | 'best'>
}

/** The outputs of each image of a batch. */
export const outputsOf = ({ format, recipe }: Pick<Batch, 'format' | 'recipe'>): readonly BatchOutput[] =>
  recipe
    ? recipe.outputs.map(({ name, format }) => ({ name, format: format === 'auto' || format === 'best' ? 'same' : format }))
    : [{ name: 'image', format: format ?? 'webp' }]

/** The name of an item's output, where a batch has several. */
export function outputName({ recipe }: Pick<Batch, 'recipe'>, seq: number): string | undefined {
  const outputs = recipe?.outputs ?? []
  return outputs.length > 1 ? outputs[seq % outputs.length]?.name : undefined
}

/** A recipe of the database: a row of an older release lacks the fields that came since. */
export const storedRecipe = (storedRecipeJson: unknown): Recipe | null =>
  storedRecipeJson === null ? null : recipeSchema.parse(storedRecipeJson)

/** An error code from contract/errors.ts, or `stale`, with a message. */
export interface BatchError {
  readonly code: string
  readonly message: string
}

/** An uploaded archive of images and the state of its conversion. */
export interface Batch {
  readonly id: string
  readonly accountId: string
  readonly status: BatchStatus
  /** Null with a recipe. */
  readonly format: OutputFormat | null
  /** Null with a format. */
  readonly recipe: Recipe | null
  /** Chosen by its owner. */
  readonly name: string | null
  /** 1 to 100; null if none was sent. */
  readonly quality: number | null
  readonly visualQuality: number | null
  readonly maxBytes: number | null
  readonly webhookUrl: string | null
  /** Number of images, without skipped entries. */
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  /** 24 hours after `finishedAt`. */
  readonly expiresAt: Date | null
  /** By the database's clock; its files may still exist. */
  readonly expired: boolean
  readonly error: BatchError | null
}

export type ItemState = 'pending' | 'claimed' | 'converted' | 'failed' | 'skipped'

/** One entry of the archive, and its state. */
export interface BatchItem {
  /** Its index in the archive's directory, from 0. */
  readonly seq: number
  /** Its path in the archive. */
  readonly source: string
  readonly state: ItemState
  /** Path in the result archive; null unless `converted`. */
  readonly output: string | null
  /** Number of the last claim; with `seq`, part of its key in the store (`partKey`). */
  readonly attempt: number
  readonly inputBytes: number | null
  readonly outputBytes: number | null
  readonly crc32: number | null
  /** Of the result, in pixels. */
  readonly width: number | null
  readonly height: number | null
  readonly features: SourceFeatures | null
  readonly error: BatchError | null
}

/** One claim of one image; `attempt` increases with each claim of the image. */
export interface ClaimKey {
  readonly batchId: string
  readonly seq: number
  readonly attempt: number
}

/** An image that a worker may convert, until its lease ends. */
export interface ClaimedImage extends ClaimKey {
  readonly accountId: string
  readonly keyId: string | null
  readonly format: OutputFormat | null
  readonly recipe: Recipe | null
  readonly quality: number | null
  readonly visualQuality: number | null
  readonly maxBytes: number | null
  /** Workers that were lost with it: it is then converted apart from others. */
  readonly losses: number
  /** Its path in the archive. */
  readonly source: string
  /** For `readEntry` on the upload. */
  readonly entry: ArchiveEntry
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether this is a well-formed batch id: PostgreSQL would fail on anything but a UUID. */
export const isBatchId = (text: string): boolean => UUID.test(text)

/** Key prefix of all files of batches. */
export const BATCH_FILES = 'batch/'

/** Key prefix of all files of one batch. */
export const batchPrefix = (batchId: string): string => `${BATCH_FILES}${batchId}/`

/** Key of the uploaded archive. */
export const uploadKey = (batchId: string): string => `${batchPrefix(batchId)}upload.zip`

/** Key of a converted image. Each claim writes its own file, so that a lost claim never overwrites an accepted result. */
export const partKey = (item: { readonly batchId: string; readonly seq: number; readonly attempt: number }): string =>
  `${batchPrefix(item.batchId)}images/${item.seq}-${item.attempt}`

/** URL path of a batch's result. */
const resultPath = (batchId: string): string => `/api/v2/batch/${batchId}/result`

/** The status as the API answers it: docs/batch.md. */
export function statusBody(batch: Batch): BatchStatusBody {
  const { id, status, format, recipe, quality, total, succeeded, failed, startedAt, finishedAt, expiresAt, error } = batch
  const doneCount = succeeded + failed
  const isCompleted = status === 'completed'
  return {
    id,
    ...(batch.name !== null && { name: batch.name }),
    status,
    ...(format && { ...(format === 'same' ? { optimize: true } : { format }), quality: quality ?? limits.quality.default }),
    ...(recipe && { recipe, recipeId: recipeId(recipe) }),
    ...(batch.visualQuality !== null && { visualQuality: batch.visualQuality }),
    ...(batch.maxBytes !== null && { maxBytes: batch.maxBytes }),
    progress: { total, done: doneCount, succeeded, failed, percent: Math.floor((100 * doneCount) / total) },
    createdAt: batch.createdAt.toISOString(),
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    ...(isCompleted && expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(isCompleted && !batch.expired && { resultUrl: resultPath(id) }),
    ...(error && { error }),
  }
}

/** Control characters, line breaks, and invisible characters such as those that reverse the direction of text. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** Validates the name that an owner gives to a batch. */
export const batchName = z
  .string()
  .normalize('NFC')
  .trim()
  .refine((text) => text !== '', 'Must not be blank.')
  .refine((text) => text.isWellFormed() && !NOT_SHOWN.test(text), 'Must be one line of visible characters.')
  .refine((text) => [...text].length <= limits.nameLength, `Must have at most ${limits.nameLength} characters.`)
