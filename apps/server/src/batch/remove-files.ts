import { semaphore } from '@pixelmill/engine/concurrency/fair-queue'
import type pg from 'pg'
import { type BlobStore, type ListedBlob, pages } from 'pixelmill/bucket/blob-store'
import { type ClaimLoop, startClaimLoop } from '../concurrency/claim-loop.ts'
import { BATCH_FILES, batchPrefix, isBatchId, partKey } from './batch.ts'
import type { BatchStores } from './create-batch.ts'

/** A bucket deletes many at once in the time of one. */
const DELETES_AT_ONCE = 16

/** Rows of `batch_cleanup` per query. */
const SLICE = 100

/** Sorts before every row. */
const FIRST: Waiting = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/** Younger files are never orphans: an upload is stored before its batch is created, and a result before it is recorded. */
const YOUNG_MS = 3_600_000

/**
 * Removes the files of an ended or cancelled batch that are no longer needed. Does nothing if that was done already. May be
 * repeated, and run concurrently.
 */
export async function removeFiles(stores: BatchStores, batchId: string): Promise<void> {
  const { pool } = stores.database
  const { rows } = await pool.query<{ at: string }>('select at::text from batch_cleanup where batch_id = $1', [batchId])
  if (!rows[0]) return
  const isNeeded = await neededFiles(pool, batchId)
  for await (const page of pages(stores.blobs, batchPrefix(batchId))) {
    await deleteAll(
      stores.blobs,
      page.filter(({ key }) => !isNeeded(key)),
    )
  }
  // Keeps the row if the batch was marked again meanwhile, such as when it expires.
  await pool.query('delete from batch_cleanup where batch_id = $1 and at = $2::timestamptz', [batchId, rows[0].at])
}

interface Waiting {
  readonly id: string
  /** As text, to keep PostgreSQL's full precision. */
  readonly at: string
}

/** Concurrent removals in one process, and milliseconds between polls: removals are not urgent. */
const REMOVALS_AT_ONCE = 2
const POLL_MS = 2_000

interface RemovalEvents {
  /** The files of this batch are left for {@link removeAllFiles}. */
  onFault(batchId: string, error: unknown): void
  /** After each poll, with the error if the database is unavailable. */
  onLook(error?: unknown): void
}

/** Removes the files of batches soon after they end, each in one process. The periodic jobs remove what this leaves after errors or crashes. */
export function startRemovingFiles(stores: BatchStores, { onFault, onLook }: RemovalEvents): ClaimLoop {
  return startClaimLoop({
    atOnce: REMOVALS_AT_ONCE,
    everyMs: POLL_MS,
    claim: (most) => claimRemovals(stores.database.pool, most),
    work: (batchId) => removeFiles(stores, batchId).catch((error: unknown) => onFault(batchId, error)),
    onLook,
  })
}

/** Claims each end of a batch, identified by `at`, once. */
async function claimRemovals(pool: pg.Pool, most: number): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `update batch_cleanup set taken_at = at where batch_id = any(array(
       select batch_id from batch_cleanup where taken_at is distinct from at order by at limit $1 for update skip locked))
     returning batch_id as id`,
    [most],
  )
  return rows.map(({ id }) => id)
}

/**
 * Calls {@link removeFiles} for every batch that waits for it, oldest first. Returns their number.
 * @throws AggregateError of the failures, after all others were done
 */
export async function removeAllFiles({ database, blobs }: BatchStores): Promise<number> {
  const failures = collectErrors()
  let total = 0
  let last: Waiting | undefined = FIRST
  // Keyset pagination, so that a row whose files cannot be removed is not visited again.
  while (last) {
    const { rows }: pg.QueryResult<Waiting> = await database.pool.query(
      `select batch_id as id, at::text from batch_cleanup where (at, batch_id) > ($1::timestamptz, $2::uuid)
        order by at, batch_id limit $3`,
      [last.at, last.id, SLICE],
    )
    for (const { id } of rows) await failures.catch(() => removeFiles({ database, blobs }, id))
    total += rows.length
    last = rows.length === SLICE ? rows.at(-1) : undefined
  }
  failures.throwAll('files of batches')
  return total
}

/**
 * Removes files that no batch needs, such as those of processes that crashed. Young files are skipped. Returns how many were removed.
 * @throws AggregateError of the failures, after all others were done
 */
export async function sweepOrphans({ database, blobs }: BatchStores, youngMs = YOUNG_MS): Promise<number> {
  const before = Date.now() - youngMs
  const failures = collectErrors()
  let sweptCount = 0
  for await (const page of pages(blobs, BATCH_FILES)) {
    const old = page.filter(({ modifiedAt }) => modifiedAt.getTime() < before)
    for (const [batchId, files] of Map.groupBy(old, batchOf)) {
      const isNeeded = await neededFiles(database.pool, batchId)
      const orphans = files.filter(({ key }) => !isNeeded(key))
      if (await failures.catch(() => deleteAll(blobs, orphans))) sweptCount += orphans.length
    }
  }
  failures.throwAll('files of no batch')
  return sweptCount
}

const batchOf = ({ key }: ListedBlob): string => key.slice(BATCH_FILES.length).split('/')[0] ?? ''

/** @throws AggregateError of the failures, after all others were done */
async function deleteAll(blobs: BlobStore, files: readonly ListedBlob[]): Promise<void> {
  const failures = collectErrors()
  const limitedResult = semaphore(DELETES_AT_ONCE)
  await Promise.all(files.map(({ key }) => limitedResult(() => failures.catch(() => blobs.delete(key)))))
  failures.throwAll('files')
}

/** Collects errors, so that one failure does not stop the rest. */
function collectErrors() {
  const errors: unknown[] = []
  return {
    /** Whether it succeeded. */
    catch: (act: () => Promise<unknown>): Promise<boolean> =>
      act().then(
        () => true,
        (error: unknown) => {
          errors.push(error)
          return false
        },
      ),
    throwAll(what: string): void {
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} ${what} could not be removed: ${errors[0]}`)
    },
  }
}

interface NeededRow {
  readonly active: boolean
  /** Converted images, if they are the batch's result. */
  readonly parts: readonly { readonly seq: number; readonly attempt: number }[]
}

const NEEDED = `
  select b.finished_at is null as active, coalesce(
           (select jsonb_agg(jsonb_build_object('seq', i.seq, 'attempt', i.attempt)) from batch_item i
             where i.batch_id = b.id and b.status = 'completed' and i.state = 'converted'), '[]') as parts
    from batch b where b.id = $1`

/** Returns whether a batch's file is needed: all are until the batch ends, then those of its result until it expires. */
async function neededFiles(pool: pg.Pool, batchId: string): Promise<(key: string) => boolean> {
  if (!isBatchId(batchId)) return () => false
  const { rows } = await pool.query<NeededRow>(NEEDED, [batchId])
  const [row] = rows
  if (!row) return () => false
  if (row.active) return () => true
  const neededTexts = new Set(row.parts.map((part) => partKey({ batchId, ...part })))
  return (key) => neededTexts.has(key)
}
