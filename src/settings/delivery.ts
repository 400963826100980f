import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { type Setting, whole } from './setting.ts'

/** Parts of a list, separated by commas. */
const parts = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[^/\\\p{Cc}.][^/\\\p{Cc}]*)*$/u

/** Images by URL, and the cache of them. */
export const deliverySettings = {
  DELIVERY_FOLDERS: {
    schema: z
      .string()
      .default('')
      .transform(parts)
      .refine((folders) => folders.every((folder) => isAbsolute(folder)), 'must be absolute paths, separated by commas'),
    otherwise: 'none',
    description: 'Folders on this machine from which sources may deliver images: absolute paths, separated by commas.',
  },
  DELIVERY_BUCKETS: {
    schema: z
      .string()
      .default('')
      .transform(parts)
      .refine((buckets) => buckets.every((bucket) => BUCKET.test(bucket)), 'must be like photos,media/public'),
    otherwise: 'none',
    description:
      'Buckets, or folders of them, that sources may read with S3_ACCESS_KEY_ID: photos,media/public. Other buckets need a key of their own.',
  },
  CACHE_MAX_GB: {
    schema: whole(0, 100_000).default(10),
    otherwise: '10',
    description:
      'Gibibytes of delivered images to keep in the folder for files; above that, those used longest ago are removed. 0 keeps none. In a bucket a lifecycle rule does it: docs/delivery.md.',
  },
  CACHE_MEMORY_MB: {
    schema: whole(0, 65_536).default(64),
    otherwise: '64',
    description: 'Mebibytes of delivered images of up to 256 KiB that this process also keeps in memory.',
  },
} as const satisfies Record<string, Setting>
