import { limits, megabytes } from '@pixelmill/codecs/contract/limits'
import { type Kysely, sql, type Transaction } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { newHandle, stateHeaders, type UploadLimits, type UploadPart, type UploadRow } from './upload.ts'

export interface NewUpload {
  readonly contentType: string
  readonly name?: string | undefined
  /** As announced. */
  readonly length?: number | undefined
  /** SHA-256 of all bytes, as announced. */
  readonly sha256?: Buffer | undefined
}

const soon = sql<Date>`clock_timestamp() + make_interval(secs => ${limits.handles.keptSeconds})`
const later = sql<Date>`least(created_at + make_interval(secs => ${limits.handles.longestSeconds}), ${soon})`

/** Creates an upload without bytes. @throws ApiError too_many_uploads, file_too_large */
export async function createUpload(
  db: Kysely<Schema>,
  most: UploadLimits,
  accountId: string,
  { contentType, name, length, sha256 }: NewUpload,
): Promise<UploadRow> {
  requireSize(length, most)
  return await db.transaction().execute(async (tx) => {
    await lockShare(tx, accountId)
    await requireShare(tx, accountId, most, { uploads: 1, bytes: length ?? 0 })
    return await tx
      .insertInto('upload')
      .values({
        handle: newHandle(),
        account_id: accountId,
        content_type: contentType,
        name: name ?? null,
        length: length ?? null,
        sha256: sha256 ?? null,
        expires_at: soon,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/**
 * Notes the length that a later request announces, and that a request is writing: the upload does not expire meanwhile.
 * @throws ApiError upload_length_mismatch, too_many_uploads, file_too_large
 */
export async function announce(
  db: Kysely<Schema>,
  most: UploadLimits,
  row: UploadRow,
  length: number | undefined,
): Promise<UploadRow> {
  if (length !== undefined && ((row.length !== null && row.length !== length) || length < row.stored))
    throw new ApiError('upload_length_mismatch', { headers: stateHeaders(row) })
  requireSize(length, most)
  return await db.transaction().execute(async (tx) => {
    await lockShare(tx, row.account_id)
    if (row.length === null && length !== undefined)
      await requireShare(tx, row.account_id, most, { uploads: 0, bytes: length - row.stored })
    const knownRow = await tx
      .updateTable('upload')
      .set({ expires_at: later, ...(length !== undefined && { length }) })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirst()
    return knownRow ?? notFound()
  })
}

/**
 * Notes a part that is in the store, as what follows the parts before it.
 * @throws ApiError upload_offset_mismatch where another part does, upload_not_found, too_many_uploads
 */
export async function recordPart(
  db: Kysely<Schema>,
  most: UploadLimits,
  { id, account_id: accountId }: UploadRow,
  part: Omit<UploadPart, 'upload_id'>,
): Promise<UploadRow> {
  return await db.transaction().execute(async (tx) => {
    await lockShare(tx, accountId)
    const row = await tx
      .updateTable('upload')
      .set(({ eb }) => ({ stored: eb('stored', '+', part.bytes), expires_at: later }))
      .where('id', '=', id)
      .where('stored', '=', part.first)
      .where('completed_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw await whyNot(tx, id, part.first)
    // An announced length was counted when it became known.
    if (row.length === null) await requireShare(tx, accountId, most, { uploads: 0, bytes: 0 })
    await tx
      .insertInto('upload_part')
      .values({ upload_id: id, ...part })
      .execute()
    return row
  })
}

/** @throws ApiError upload_not_found */
export async function completeUpload(db: Kysely<Schema>, { id, stored }: UploadRow): Promise<UploadRow> {
  const row = await db
    .updateTable('upload')
    .set({ completed_at: sql<Date>`clock_timestamp()`, length: stored, expires_at: soon })
    .where('id', '=', id)
    .where('stored', '=', stored)
    .returningAll()
    .executeTakeFirst()
  return row ?? notFound()
}

/** Where an upload that was asked to continue at `offset` continues. */
export const offsetMismatch = (row: UploadRow, offset: number): ApiError =>
  new ApiError('upload_offset_mismatch', {
    headers: stateHeaders(row),
    facts: {
      type: 'https://iana.org/assignments/http-problem-types#mismatching-upload-offset',
      'expected-offset': row.stored,
      'provided-offset': offset,
    },
  })

async function whyNot(tx: Transaction<Schema>, id: string, offset: number): Promise<ApiError> {
  const row = await tx.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? offsetMismatch(row, offset) : new ApiError('upload_not_found')
}

function notFound(): never {
  throw new ApiError('upload_not_found')
}

function requireSize(length: number | undefined, { mostBytes }: UploadLimits): void {
  if (length !== undefined && length > mostBytes) throw tooLarge(mostBytes)
}

export const tooLarge = (mostBytes: number): ApiError =>
  new ApiError('file_too_large', { message: `An upload may have at most ${megabytes(mostBytes)}.` })

/** Changes of what an account's uploads hold wait for each other. */
async function lockShare(tx: Transaction<Schema>, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('upload_share ' || ${accountId}::text, 0))`.execute(tx)
}

/** @throws ApiError too_many_uploads */
async function requireShare(
  tx: Transaction<Schema>,
  accountId: string,
  { ofAccount }: UploadLimits,
  more: { readonly uploads: number; readonly bytes: number },
): Promise<void> {
  const heldRow = await tx
    .selectFrom('upload')
    .select([sql<number>`count(*)`.as('uploads'), sql<number>`coalesce(sum(greatest(length, stored)), 0)::bigint`.as('bytes')])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirstOrThrow()
  if (heldRow.uploads + more.uploads > ofAccount.uploads)
    throw new ApiError('too_many_uploads', { message: `An account may keep ${ofAccount.uploads} uploads; delete some first.` })
  if (heldRow.bytes + more.bytes > ofAccount.bytes) {
    const message = `The uploads of this account would have ${megabytes(heldRow.bytes + more.bytes)}, and ${megabytes(ofAccount.bytes)} are allowed; delete some first.`
    throw new ApiError('too_many_uploads', { message })
  }
}
