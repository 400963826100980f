import { setTimeout as sleep } from 'node:timers/promises'
import { StorageFull } from 'pixelmill/bucket/blob-errors'
import type { BlobStore } from 'pixelmill/bucket/blob-store'

/** A check writes and syncs a file, or makes four requests to a bucket, so its result is cached for this long. */
const KEEP_MS = 5_000
const GIVE_UP_MS = 5_000

/** Whether a store is usable. A full one is, since blobs can be read and deleted. */
export function storeHealth(store: Pick<BlobStore, 'check'>): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(true)
  return () => {
    const now = performance.now()
    if (now - askedAt < KEEP_MS) return answer
    askedAt = now
    answer = Promise.race([works(store), sleep(GIVE_UP_MS, false, { ref: false })])
    return answer
  }
}

const works = (store: Pick<BlobStore, 'check'>): Promise<boolean> =>
  store.check().then(
    () => true,
    (error) => error instanceof StorageFull,
  )
