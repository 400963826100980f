import type { Kysely } from 'kysely'
import type { BlobStore, ListedBlob } from 'pixelmill/bucket/blob-store'
import type { Schema } from '../database/schema.ts'
import { CACHE_PREFIX } from './cache.ts'

/** Files that are removed at once: Node has four threads for files, and requests need some. */
const AT_ONCE = 2
/** It stops below the limit by this share, so that it does not start again with the next result. */
const MARGIN = 0.1
/** Uses are told apart by the hour: results in use are marked that often. */
const SLOT_MS = 3_600_000

export interface Evicted {
  readonly files: number
  readonly bytes: number
  /** Bytes that are left. */
  readonly left: number
}

/**
 * Removes the results that were used longest ago until the rest fits, in two passes over the list: a million files are not held in
 * memory.
 * @param signal ends it early, when the server stops
 */
export async function evict(blobs: BlobStore, mostBytes: number, signal?: AbortSignal): Promise<Evicted> {
  const bySlot = new Map<number, number>()
  let total = 0
  for await (const { size, modifiedAt } of cacheBlobs(blobs)) {
    const slot = slotOf(modifiedAt)
    bySlot.set(slot, (bySlot.get(slot) ?? 0) + size)
    total += size
    if (signal?.aborted) return { files: 0, bytes: 0, left: total }
  }
  if (total <= mostBytes) return { files: 0, bytes: 0, left: total }
  const tooMany = total - mostBytes * (1 - MARGIN)
  const last = lastSlot(bySlot, tooMany)
  let files = 0
  let bytes = 0
  for await (const group of groups(cacheBlobs(blobs), ({ modifiedAt }) => slotOf(modifiedAt) <= last)) {
    await Promise.all(group.map(({ key }) => blobs.delete(key)))
    files += group.length
    bytes += group.reduce((sum, { size }) => sum + size, 0)
    if (bytes >= tooMany || signal?.aborted) break
  }
  return { files, bytes, left: total - bytes }
}

/**
 * Removes the results of generations that no source has any more: it was purged, moved or removed.
 * @returns how many
 */
export async function sweepGenerations(db: Kysely<Schema>, blobs: BlobStore): Promise<number> {
  let removedCount = 0
  let after: string | undefined
  for (;;) {
    // The first of a generation; what the list has of it further on is skipped.
    const { blobs: page } = await blobs.list(CACHE_PREFIX, after)
    const [first] = page
    if (!first) return removedCount
    const [generation = ''] = first.key.slice(CACHE_PREFIX.length).split('/')
    // Read after the list: a generation that has results was committed before.
    const owner = await db.selectFrom('source').select('name').where('generation', '=', Number(generation)).executeTakeFirst()
    if (!owner) removedCount += await removeAll(blobs, `${CACHE_PREFIX}${generation}/`)
    after = `${CACHE_PREFIX}${generation}/~`
  }
}

async function removeAll(blobs: BlobStore, prefix: string): Promise<number> {
  let removedCount = 0
  for await (const group of groups(cacheBlobs(blobs, prefix), () => true)) {
    await Promise.all(group.map(({ key }) => blobs.delete(key)))
    removedCount += group.length
  }
  return removedCount
}

const slotOf = (at: Date): number => Math.floor(at.getTime() / SLOT_MS)

/** The latest slot that has to be emptied, at least in part, to remove so many bytes. */
function lastSlot(bySlot: ReadonlyMap<number, number>, bytes: number): number {
  let sum = 0
  for (const [slot, size] of [...bySlot].sort(([one], [other]) => one - other)) {
    sum += size
    if (sum >= bytes) return slot
  }
  return Number.POSITIVE_INFINITY
}

async function* cacheBlobs(blobs: BlobStore, prefix = CACHE_PREFIX): AsyncGenerator<ListedBlob> {
  let cursor: string | undefined
  do {
    const page = await blobs.list(prefix, cursor)
    yield* page.blobs
    cursor = page.cursor
  } while (cursor !== undefined)
}

async function* groups(
  all: AsyncIterable<ListedBlob>,
  isMeant: (blob: ListedBlob) => boolean,
): AsyncGenerator<readonly ListedBlob[]> {
  let group: ListedBlob[] = []
  for await (const blob of all) {
    if (!isMeant(blob)) continue
    if (group.push(blob) < AT_ONCE) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
