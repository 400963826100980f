import { limits } from '@pixelmill/codecs/contract/limits'
import { type Setting, whole } from 'pixelmill/settings/setting'
import { z } from 'zod'

/** Where data is stored. */
export const storageSettings = {
  DATA_DIR: { schema: z.string().default('./data'), otherwise: './data', description: 'Folder for all data of the server.' },
  DATABASE_URL: {
    schema: z.string().optional(),
    otherwise: 'a private PostgreSQL under DATA_DIR',
    description: 'Use this PostgreSQL (15 or newer) instead: postgres://user:password@host:5432/database.',
    secret: true,
  },
  DATABASE_CONNECTIONS: {
    schema: whole(4, 100).default(limits.databaseConnections),
    otherwise: String(limits.databaseConnections),
    description:
      'Database connections of this process, and one more for its lock; the sum of all processes must stay below max_connections.',
  },
  STORAGE_RESERVE_MB: {
    schema: whole(0, 1_048_576).default(128),
    otherwise: '128',
    description: "Mebibytes of DATA_DIR's disk to keep free for the database; with less, new batches get storage_full.",
  },
  S3_BUCKET: {
    schema: z.string().optional(),
    otherwise: 'files are kept in a folder under DATA_DIR',
    description: "Keep files in this bucket of an S3 server instead; docs/storage.md has the key's permissions.",
  },
  S3_ENDPOINT: {
    schema: z.url({ protocol: /^https?$/, error: 'must be an address as https://host:port' }).optional(),
    otherwise: 'Amazon S3 in S3_REGION',
    description: 'Address of the S3 server.',
  },
  S3_REGION: { schema: z.string().default('us-east-1'), otherwise: 'us-east-1', description: 'Region of the bucket.' },
  S3_ACCESS_KEY_ID: {
    schema: z.string().optional(),
    otherwise: 'needed with S3_BUCKET',
    description: 'Access key for the bucket.',
  },
  S3_SECRET_ACCESS_KEY: {
    schema: z.string().optional(),
    otherwise: 'needed with S3_BUCKET',
    description: 'The secret of that key.',
    secret: true,
  },
} as const satisfies Record<string, Setting>
