import { limits, MiB } from '../contract/limits.ts'
import { type Setting, whole } from './setting.ts'

/** What an archive of a batch may hold. */
export const batchSettings = {
  BATCH_ARCHIVE_MB: {
    schema: whole(1, 4_095).default(limits.archive.bytes / MiB),
    otherwise: String(limits.archive.bytes / MiB),
    description: 'Mebibytes of a ZIP archive that is uploaded for a batch.',
  },
  BATCH_ENTRIES: {
    schema: whole(1, 10_000).default(limits.archive.entries),
    otherwise: String(limits.archive.entries),
    description: 'Entries of such an archive, those that are no images counted.',
  },
  BATCH_UNPACKED_MB: {
    schema: whole(1, 65_536).default(limits.archive.unpackedBytes / MiB),
    otherwise: String(limits.archive.unpackedBytes / MiB),
    description: 'Mebibytes of all its entries together, unpacked.',
  },
  BATCHES_PER_ACCOUNT: {
    schema: whole(1, 1_000_000).default(limits.accountBatches.batches),
    otherwise: String(limits.accountBatches.batches),
    description: 'Batches of one account that may wait or be under way; with more, new ones are refused with too_many_batches.',
  },
  BATCH_MB_PER_ACCOUNT: {
    schema: whole(1, 16_777_216).default(limits.accountBatches.bytes / MiB),
    otherwise: String(limits.accountBatches.bytes / MiB),
    description:
      'Mebibytes that the archives of these batches may have together; with more, new ones are refused with too_many_batches. An account without batches may always send one.',
  },
  BATCH_NICE: {
    schema: whole(0, 19).default(5),
    otherwise: '5',
    description:
      'How far renderers of batches stand back behind everything else on the machine, as nice(1) counts it: 0 takes an equal share of a processor, 5 a quarter, 19 only what nobody else wants. Long work that a caller waits for stands back half as far.',
  },
} as const satisfies Record<string, Setting>
