import { randomUUID } from 'node:crypto'
import { MiB } from '@pixelmill/codecs/contract/limits'
import type { ArchiveLimits } from '../../archives/inspect.ts'
import type { Config } from '../../config.ts'
import { ApiError } from '../../contract/api-error.ts'
import type { Call } from '../../http/route.ts'
import { handleOf } from '../../uploads/routes/uploaded-file.ts'
import { uploadKey } from '../batch.ts'
import { type AccountShare, type BatchLimits, requireShare } from '../create-batch.ts'

/** The limits of one account's unfinished batches. */
export const accountShare = (config: Config): AccountShare => ({
  batches: config.BATCHES_PER_ACCOUNT,
  bytes: config.BATCH_MB_PER_ACCOUNT * MiB,
})

/** The limits of one archive. */
export const archiveLimits = (config: Config): ArchiveLimits => ({
  archiveBytes: config.BATCH_ARCHIVE_MB * MiB,
  entries: config.BATCH_ENTRIES,
  unpackedBytes: config.BATCH_UNPACKED_MB * MiB,
})

export const batchLimits = (config: Config): BatchLimits => ({ archive: archiveLimits(config), share: accountShare(config) })

/** An archive in the store that belongs to a batch which is about to be created. */
interface OwnArchive {
  readonly id: string
  readonly bytes: number
}

/** Whether a form has an archive or names one. @throws ApiError missing_archive_file, invalid_params for both */
export function requireArchive(call: Call): string | undefined {
  const isSent = call.form.stored !== undefined
  const handle = handleOf(call, 'file', isSent)
  if (!isSent && handle === undefined) missing()
  return handle
}

/**
 * The archive of a form: its file, or a copy of the upload that it names, which may expire while the batch runs. The caller becomes
 * responsible for it.
 * @throws ApiError missing_archive_file, invalid_params, upload_not_found, upload_incomplete, archive_too_large, too_many_batches
 */
export async function archiveOf(call: Call): Promise<OwnArchive> {
  const { form, services, visitor, signal } = call
  const { stored } = form
  const handle = requireArchive(call)
  stored?.keep()
  if (stored || handle === undefined) return stored ?? missing()
  if (visitor.account === undefined) throw new Error('an archive was admitted of no account')
  const { handles, config, database, blobs } = services
  const row = await handles.find(visitor.account, handle)
  if (row.stored > archiveLimits(config).archiveBytes) throw new ApiError('archive_too_large')
  if (row.stored === 0) missing()
  await requireShare(database.pool, visitor.account, accountShare(config), row.stored)
  const id = randomUUID()
  await blobs.put(uploadKey(id), await handles.stream(row), { contentType: 'application/zip', signal })
  return { id, bytes: row.stored }
}

function missing(): never {
  throw new ApiError('missing_archive_file')
}
