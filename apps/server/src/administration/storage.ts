import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { MiB } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'
import { count, definePart, failing, warning } from './part.ts'

/** Usually the latency is below 10 ms, on a busy machine sometimes more. Beyond this every call is noticeably slow. */
const SLOW_MS = 1_000

export const database = definePart({
  shape: z.object({
    kind: z.enum(['embedded', 'external']),
    version: z.string(),
    bytes: count.describe('Size of the database on disk.'),
    latencyMs: z.number().min(0).describe('Latency of a trivial query, including the wait for a connection.'),
    connections: z
      .object({ open: count, busy: count, most: count, waiting: count.describe('Queries waiting for a connection.') })
      .describe('The connection pool of this process.'),
  }),
  async read({ database: { pool }, config }) {
    const began = performance.now()
    await pool.query('select 1')
    const latencyMs = Math.round((performance.now() - began) * 100) / 100
    const { rows } = await pool.query<{ version: string; bytes: number }>(
      `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`,
    )
    const [{ version, bytes } = { version: '', bytes: 0 }] = rows
    const { totalCount: open, idleCount, waitingCount: waiting } = pool
    return {
      kind: config.DATABASE_URL === undefined ? ('embedded' as const) : ('external' as const),
      version,
      bytes,
      latencyMs,
      connections: { open, busy: open - idleCount, most: pool.options.max, waiting },
    }
  },
  concerns: ({ latencyMs }) =>
    latencyMs > SLOW_MS
      ? [warning(`The database took ${Math.round(latencyMs)} ms for a question that needs no work: it is busy or far away.`)]
      : [],
})

/** An unreachable bucket fails only after seconds: until then the page shows `silent`. */
const CHECK_MS = 1_000

/** Enough for a few batches, or for the database to grow; below it the operator is warned. */
const LOW_BYTES = 1_024 * MiB

const disk = z.object({
  bytes: count,
  freeBytes: count,
  reserveBytes: count.describe('Space that files leave free for the database: STORAGE_RESERVE_MB.'),
})

/** Null where the file system does not report its size, as some network file systems. */
async function diskOf(dir: string, reserveMegabytes: number): Promise<z.output<typeof disk> | null> {
  const { blocks, bavail, bsize } = await statfs(dir)
  return blocks === 0 ? null : { bytes: blocks * bsize, freeBytes: bavail * bsize, reserveBytes: reserveMegabytes * MiB }
}

/** @param works undefined while there is no answer */
function stateOf(works: boolean | undefined): 'works' | 'fails' | 'silent' {
  if (works === undefined) return 'silent'
  return works ? 'works' : 'fails'
}

export const storage = definePart({
  shape: z.object({
    kind: z.enum(['folder', 'bucket']),
    place: z.string().describe('DATA_DIR, or the name of the bucket.'),
    state: z.enum(['works', 'fails', 'silent']).describe('silent: no response within a second.'),
    disk: disk.nullable().describe('The disk of DATA_DIR; null if it is not used.'),
  }),
  async read({ config, storageWorks }) {
    const { S3_BUCKET: bucket, DATA_DIR: dir, DATABASE_URL: url, STORAGE_RESERVE_MB: reserve } = config
    const works = await Promise.race([storageWorks(), sleep(CHECK_MS, undefined, { ref: false })])
    const keepsHere = bucket === undefined || url === undefined
    return {
      kind: bucket === undefined ? ('folder' as const) : ('bucket' as const),
      place: bucket ?? dir,
      state: stateOf(works),
      disk: keepsHere ? await diskOf(dir, reserve) : null,
    }
  },
  concerns: ({ state, disk, kind }) => [
    ...(state === 'works'
      ? []
      : [
          failing(
            `The ${kind} for files ${state === 'fails' ? 'cannot be used' : 'does not answer'}: batches are refused and wait.`,
          ),
        ]),
    ...(disk ? spaceConcerns(disk) : []),
  ],
})

function spaceConcerns({ freeBytes, reserveBytes }: z.output<typeof disk>) {
  if (freeBytes < reserveBytes)
    return [
      failing('The disk of DATA_DIR is full: batches are refused with storage_full. Free some space, or the database stops too.'),
    ]
  const isLow = freeBytes < reserveBytes + LOW_BYTES
  return isLow ? [warning('The disk of DATA_DIR is nearly full: less than 1 GiB is left for files.')] : []
}
