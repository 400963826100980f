import type { BlobStore, ListedBlob } from '../blobs/blob-store.ts'
import { BATCH_FILES, batchPrefix } from './blob-keys.ts'
import type { BatchStores } from './create-batch.ts'
import { neededFiles } from './needed-files.ts'

/** A bucket deletes many at once in the time of one. */
const DELETES_AT_ONCE = 16

/** Rows of `batch_cleanup` in one look. */
const SLICE = 100

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

/** {@link removeFiles} for every batch that waits for it, the longest-waiting first. Returns how many there were. */
export async function removeAllFiles(stores: BatchStores): Promise<number> {
  for (let total = 0; ; total += SLICE) {
    const { rows } = await stores.database.pool.query<{ id: string }>(
      'select batch_id as id from batch_cleanup order by at limit $1',
      [SLICE],
    )
    for (const { id } of rows) await removeFiles(stores, id)
    if (rows.length < SLICE) return total + rows.length
  }
}

/**
 * Removes files of batches that do not exist or have no use for them: those of processes that died in between. The young are
 * left alone. Returns how many.
 */
export async function sweepOrphans({ database, blobs }: BatchStores, youngMs = YOUNG_MS): Promise<number> {
  const before = Date.now() - youngMs
  let swept = 0
  for await (const page of pages(blobs, BATCH_FILES)) {
    const old = page.filter(({ modifiedAt }) => modifiedAt.getTime() < before)
    for (const [batchId, files] of Map.groupBy(old, batchOf)) {
      const needed = await neededFiles(database.pool, batchId)
      const orphans = files.filter(({ key }) => !needed(key))
      await deleteAll(blobs, orphans)
      swept += orphans.length
    }
  }
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

async function deleteAll(blobs: BlobStore, files: readonly ListedBlob[]): Promise<void> {
  const queue = files.values()
  const remove = async () => {
    for (const { key } of queue) await blobs.delete(key)
  }
  await Promise.all(Array.from({ length: DELETES_AT_ONCE }, remove))
}
