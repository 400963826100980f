import { randomBytes, randomUUID } from 'node:crypto'
import { MiB } from '@pixelmill/codecs/contract/limits'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { ApiError } from '../contract/api-error.ts'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import type { UploadPartTable, UploadTable } from '../database/upload-tables.ts'

export type UploadRow = Selectable<UploadTable>
export type UploadPart = Selectable<UploadPartTable>

/** What a client is told of an upload. */
export interface UploadSummary {
  readonly handle: string
  /** Those that have arrived. */
  readonly bytes: number
  readonly expiresAt: string
}

export interface UploadStores {
  readonly database: Pick<Database, 'kysely' | 'pool'>
  readonly blobs: BlobStore
}

/** What one upload, and all of an account, may have. */
export interface UploadLimits {
  readonly mostBytes: number
  readonly ofAccount: { readonly uploads: number; readonly bytes: number }
}

/** The upload of this handle, complete or not. @throws ApiError upload_not_found */
export async function findAny(db: Kysely<Schema>, accountId: string, handle: string): Promise<UploadRow> {
  const row = await db
    .selectFrom('upload')
    .selectAll()
    .where('handle', '=', handle)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  if (!row) throw new ApiError('upload_not_found')
  return row
}

/** The complete upload of this handle. @throws ApiError upload_not_found, upload_incomplete */
export async function findComplete(db: Kysely<Schema>, accountId: string, handle: string): Promise<UploadRow> {
  const row = await findAny(db, accountId, handle)
  if (!row.completed_at) throw new ApiError('upload_incomplete', { headers: stateHeaders(row) })
  return row
}

export const summaryOf = ({ handle, stored, expires_at }: UploadRow): UploadSummary => ({
  handle,
  bytes: stored,
  expiresAt: expires_at.toISOString(),
})

/** How far an upload is, as the draft's headers say it. */
export const stateHeaders = ({ stored, completed_at }: Pick<UploadRow, 'stored' | 'completed_at'>): Record<string, string> => ({
  'upload-offset': String(stored),
  'upload-complete': completed_at ? '?1' : '?0',
})

/** Bytes of a handle; it is a secret of its account, and of no use to others. */
const HANDLE_BYTES = 18
export const newHandle = (): string => randomBytes(HANDLE_BYTES).toString('base64url')

/** Key prefix of all files of uploads. */
export const UPLOAD_FILES = 'uploads/'

/** Key prefix of all files of one upload. */
export const uploadPrefix = (id: string): string => `${UPLOAD_FILES}${id}/`

/** A key of its own for each attempt: two requests that write the same bytes do not replace each other's. */
export const newPartKey = (id: string, first: number): string => `${uploadPrefix(id)}${first}-${randomUUID()}`

/** Media types that are kept as they were sent; others are kept as application/octet-stream. */
const KEPT = /^(image\/[\w.+-]{1,100}|application\/zip)$/

export function keptType(sentText: string | undefined): string {
  const type = (sentText ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  return KEPT.test(type) ? type : 'application/octet-stream'
}

/** The limits that the settings give. */
export const uploadLimits = (
  { BATCH_ARCHIVE_MB, UPLOADS_MB_PER_ACCOUNT }: { readonly BATCH_ARCHIVE_MB: number; readonly UPLOADS_MB_PER_ACCOUNT: number },
  uploads: number,
): UploadLimits => ({
  mostBytes: Math.min(BATCH_ARCHIVE_MB, UPLOADS_MB_PER_ACCOUNT) * MiB,
  ofAccount: { uploads, bytes: UPLOADS_MB_PER_ACCOUNT * MiB },
})
