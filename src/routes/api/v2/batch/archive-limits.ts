import type { ArchiveLimits } from '../../../../archives/inspect.ts'
import type { Config } from '../../../../config.ts'
import { MiB } from '../../../../contract/limits.ts'

/** How much an archive may hold on this server. */
export const archiveLimits = (config: Config): ArchiveLimits => ({
  archiveBytes: config.BATCH_ARCHIVE_MB * MiB,
  entries: config.BATCH_ENTRIES,
  unpackedBytes: config.BATCH_UNPACKED_MB * MiB,
})
