import type pg from 'pg'
import type { BlobStore, ListedBlob } from '../blobs/blob-store.ts'
import { type ClaimLoop, startClaimLoop } from '../concurrency/claim-loop.ts'
import { semaphore } from '../concurrency/fair-queue.ts'
import { BATCH_FILES, batchPrefix, isBatchId, partKey } from './batch.ts'
import type { BatchStores } from './create-batch.ts'

/** A bucket deletes many at once in the time of one. */
const DELETES_AT_ONCE = 16

/** Rows of `batch_cleanup` in one look. */
const SLICE = 100

/** Before every row. */
const FIRST: Waiting = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

/** An upload is stored whole before its batch is made, and a part before its image is: so long neither is an orphan. */
const YOUNG_MS = 3_600_000

/**
 * Removes what a batch that has ended, or was cancelled, left in the store and nobody needs. Nothing happens where that was
 * done already. May be repeated, and done by several at once.
 */
export async function removeFiles(stores: BatchStores, batchId: string): Promise<void> {
  const { pool } = stores.database
  const { rows } = await pool.query<{ at: string }>('select at::text from batch_cleanup where batch_id = $1', [batchId])
  if (!rows[0]) return
  const needed = await neededFiles(pool, batchId)
  for await (const page of pages(stores.blobs, batchPrefix(batchId))) {
    await deleteAll(
      stores.blobs,
      page.filter(({ key }) => !needed(key)),
    )
  }
  // Unless the batch has left files again meanwhile, as when it expires.
  await pool.query('delete from batch_cleanup where batch_id = $1 and at = $2::timestamptz', [batchId, rows[0].at])
}

interface Waiting {
  readonly id: string
  /** With all the digits that PostgreSQL has. */
  readonly at: string
}

/** Removals at once in one process, and milliseconds between looks for them: nobody waits for that. */
const REMOVALS_AT_ONCE = 2
const LOOK_MS = 2_000

interface RemovalEvents {
  /** Its files are left for {@link removeAllFiles}. */
  onFault(batchId: string, error: unknown): void
  /** After each look for batches, with the error if the database could not be asked. */
  onLook(error?: unknown): void
}

/** Removes the files of batches soon after they end, each by one process. What it fails to do, or dies at, is left for the housekeeping. */
export function startRemovingFiles(stores: BatchStores, { onFault, onLook }: RemovalEvents): ClaimLoop {
  return startClaimLoop({
    atOnce: REMOVALS_AT_ONCE,
    everyMs: LOOK_MS,
    claim: (most) => claimRemovals(stores.database.pool, most),
    work: (batchId) => removeFiles(stores, batchId).catch((error: unknown) => onFault(batchId, error)),
    onLook,
  })
}

/** Each end of a batch, which is its `at`, is claimed once. */
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
 * {@link removeFiles} for every batch that waits for it, the longest-waiting first. Returns how many there were.
 * @throws AggregateError of those that failed, after all others were done
 */
export async function removeAllFiles({ database, blobs }: BatchStores): Promise<number> {
  const trouble = collectErrors()
  let total = 0
  let last: Waiting | undefined = FIRST
  // From one place to the next: a row that stays, as its files cannot be removed, is not met again.
  while (last) {
    const { rows }: pg.QueryResult<Waiting> = await database.pool.query(
      `select batch_id as id, at::text from batch_cleanup where (at, batch_id) > ($1::timestamptz, $2::uuid)
        order by at, batch_id limit $3`,
      [last.at, last.id, SLICE],
    )
    for (const { id } of rows) await trouble.catch(() => removeFiles({ database, blobs }, id))
    total += rows.length
    last = rows.length === SLICE ? rows.at(-1) : undefined
  }
  trouble.throwAll('files of batches')
  return total
}

/**
 * Removes files of batches that do not exist or have no use for them: those of processes that died in between. The young are
 * left alone. Returns how many.
 * @throws AggregateError of those that could not be removed, after all others were
 */
export async function sweepOrphans({ database, blobs }: BatchStores, youngMs = YOUNG_MS): Promise<number> {
  const before = Date.now() - youngMs
  const trouble = collectErrors()
  let swept = 0
  for await (const page of pages(blobs, BATCH_FILES)) {
    const old = page.filter(({ modifiedAt }) => modifiedAt.getTime() < before)
    for (const [batchId, files] of Map.groupBy(old, batchOf)) {
      const needed = await neededFiles(database.pool, batchId)
      const orphans = files.filter(({ key }) => !needed(key))
      if (await trouble.catch(() => deleteAll(blobs, orphans))) swept += orphans.length
    }
  }
  trouble.throwAll('files of no batch')
  return swept
}

const batchOf = ({ key }: ListedBlob): string => key.slice(BATCH_FILES.length).split('/')[0] ?? ''

async function* pages(blobs: BlobStore, prefix: string): AsyncGenerator<readonly ListedBlob[]> {
  let cursor: string | undefined
  do {
    const page = await blobs.list(prefix, cursor)
    yield page.blobs
    cursor = page.cursor
  } while (cursor !== undefined)
}

/** @throws AggregateError of those that could not be deleted, after all others were */
async function deleteAll(blobs: BlobStore, files: readonly ListedBlob[]): Promise<void> {
  const trouble = collectErrors()
  const limited = semaphore(DELETES_AT_ONCE)
  await Promise.all(files.map(({ key }) => limited(() => trouble.catch(() => blobs.delete(key)))))
  trouble.throwAll('files')
}

/** Errors of things that are done one by one, where none shall stand in the way of the others. */
function collectErrors() {
  const errors: unknown[] = []
  return {
    /** Whether it was done. */
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

interface Standing {
  readonly active: boolean
  /** Converted images, where they are the batch's result. */
  readonly parts: readonly { readonly seq: number; readonly attempt: number }[]
}

const STANDING = `
  select b.finished_at is null as active, coalesce(
           (select jsonb_agg(jsonb_build_object('seq', i.seq, 'attempt', i.attempt)) from batch_item i
             where i.batch_id = b.id and b.status = 'completed' and i.state = 'converted'), '[]') as parts
    from batch b where b.id = $1`

/** Says of a file of a batch whether it is needed: all are while it is under way, and then those of its result until it expires. */
export async function neededFiles(pool: pg.Pool, batchId: string): Promise<(key: string) => boolean> {
  if (!isBatchId(batchId)) return () => false
  const { rows } = await pool.query<Standing>(STANDING, [batchId])
  const [standing] = rows
  if (!standing) return () => false
  if (standing.active) return () => true
  const needed = new Set(standing.parts.map((part) => partKey({ batchId, ...part })))
  return (key) => needed.has(key)
}
