import type { ArchiveLimits } from '../../../../archives/inspect.ts'
import type { AccountShare, BatchLimits } from '../../../../batch/create-batch.ts'
import type { Config } from '../../../../config.ts'
import { MiB } from '../../../../contract/limits.ts'

/** What one account may have waiting on this server. */
export const accountShare = (config: Config): AccountShare => ({
  batches: config.BATCHES_PER_ACCOUNT,
  bytes: config.BATCH_MB_PER_ACCOUNT * MiB,
})

/** How much an archive may hold on this server. */
export const archiveLimits = (config: Config): ArchiveLimits => ({
  archiveBytes: config.BATCH_ARCHIVE_MB * MiB,
  entries: config.BATCH_ENTRIES,
  unpackedBytes: config.BATCH_UNPACKED_MB * MiB,
})

export const batchLimits = (config: Config): BatchLimits => ({ archive: archiveLimits(config), share: accountShare(config) })
