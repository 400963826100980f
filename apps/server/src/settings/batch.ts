import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import { type Setting, whole } from 'pixelmill/settings/setting'

/** Limits of archives and uploads. */
export const batchSettings = {
  BATCH_ARCHIVE_MB: {
    schema: whole(1, 4_095).default(limits.archive.bytes / MiB),
    otherwise: String(limits.archive.bytes / MiB),
    description: 'Maximum mebibytes of the ZIP archive of a batch.',
  },
  BATCH_ENTRIES: {
    schema: whole(1, 10_000).default(limits.archive.entries),
    otherwise: String(limits.archive.entries),
    description: 'Maximum entries of such an archive, images or not.',
  },
  BATCH_UNPACKED_MB: {
    schema: whole(1, 65_536).default(limits.archive.unpackedBytes / MiB),
    otherwise: String(limits.archive.unpackedBytes / MiB),
    description: 'Maximum mebibytes of all its entries together, unpacked.',
  },
  BATCHES_PER_ACCOUNT: {
    schema: whole(1, 1_000_000).default(limits.accountBatches.batches),
    otherwise: String(limits.accountBatches.batches),
    description: 'Maximum unfinished batches of one account; above that, too_many_batches.',
  },
  BATCH_MB_PER_ACCOUNT: {
    schema: whole(1, 16_777_216).default(limits.accountBatches.bytes / MiB),
    otherwise: String(limits.accountBatches.bytes / MiB),
    description: 'Maximum mebibytes of their archives together. An account without batches may always send one.',
  },
  UPLOADS_MB_PER_ACCOUNT: {
    schema: whole(1, 16_777_216).default(limits.handles.ofAccount.bytes / MiB),
    otherwise: String(limits.handles.ofAccount.bytes / MiB),
    description:
      'Maximum mebibytes of all uploads of one account together; above that, too_many_uploads. Each has at most BATCH_ARCHIVE_MB.',
  },
  BATCH_NICE: {
    schema: whole(0, 19).default(5),
    otherwise: '5',
    description:
      'Priority of batch renderers, as in nice(1): 0 takes an equal share of a processor, 5 a quarter, 19 only idle time. Long work gets half.',
  },
} as const satisfies Record<string, Setting>
