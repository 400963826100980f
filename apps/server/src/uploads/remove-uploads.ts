import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { pages } from 'pixelmill/bucket/blob-store'
import type { Schema } from '../database/schema.ts'
import { UPLOAD_FILES, type UploadRow, type UploadStores, uploadPrefix } from './upload.ts'

/** Uploads in one look of {@link removeExpired}. */
const SLICE = 100

/** Younger files belong to a part that is being recorded: a part is written and recorded within the longest upload. */
const YOUNG_MS = 2 * 3_600_000

/** Removes an upload and its files. May be repeated: the row goes last. */
export async function removeUpload({ database, blobs }: UploadStores, { id }: Pick<UploadRow, 'id'>): Promise<void> {
  // From here on no request finds it, and the next line may fail: housekeeping then does the rest.
  await database.kysely
    .updateTable('upload')
    .set({ expires_at: sql<Date>`least(expires_at, clock_timestamp())` })
    .where('id', '=', id)
    .execute()
  for await (const page of pages(blobs, uploadPrefix(id))) for (const { key } of page) await blobs.delete(key)
  await database.kysely.deleteFrom('upload').where('id', '=', id).execute()
}

/**
 * Removes all uploads that have expired, and those of deleted accounts. Returns how many.
 * @throws AggregateError of the failures, after all others were removed
 */
export async function removeExpired(stores: UploadStores): Promise<number> {
  const errors: unknown[] = []
  const failedTexts: string[] = []
  let removedCount = 0
  for (;;) {
    const expiredUploadRows = await expiredUploads(stores.database.kysely, failedTexts)
    for (const row of expiredUploadRows) {
      try {
        await removeUpload(stores, row)
        removedCount++
      } catch (error) {
        errors.push(error)
        failedTexts.push(row.id)
      }
    }
    if (expiredUploadRows.length < SLICE) break
  }
  if (errors.length > 0) throw new AggregateError(errors, `files of ${errors.length} uploads could not be removed: ${errors[0]}`)
  return removedCount
}

const expiredUploads = (db: Kysely<Schema>, except: readonly string[]): Promise<readonly Pick<UploadRow, 'id'>[]> =>
  db
    .selectFrom('upload')
    .select('id')
    .where('expires_at', '<=', sql<Date>`now()`)
    .where('id', 'not in', [NO_UPLOAD, ...except])
    .limit(SLICE)
    .execute()

/** An empty list would be an error of syntax. */
const NO_UPLOAD = '00000000-0000-0000-0000-000000000000'

/** Removes files of no upload and of no part, such as those of processes that died before they recorded one. Returns how many. */
export async function sweepUploads({ database, blobs }: UploadStores, youngMs = YOUNG_MS): Promise<number> {
  const before = Date.now() - youngMs
  let sweptCount = 0
  for await (const page of pages(blobs, UPLOAD_FILES)) {
    const old = page.filter(({ modifiedAt }) => modifiedAt.getTime() < before).map(({ key }) => key)
    if (old.length === 0) continue
    const ids = [...new Set(old.map(uploadOf))]
    const parts = await database.kysely.selectFrom('upload_part').select('key').where('upload_id', 'in', ids).execute()
    const knownTexts = new Set(parts.map(({ key }) => key))
    for (const key of old.filter((each) => !knownTexts.has(each))) {
      await blobs.delete(key)
      sweptCount++
    }
  }
  return sweptCount
}

const uploadOf = (key: string): string => key.slice(UPLOAD_FILES.length).split('/')[0] ?? ''
