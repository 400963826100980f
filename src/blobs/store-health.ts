import { setTimeout as sleep } from 'node:timers/promises'
import { StorageFull } from './blob-errors.ts'
import type { BlobStore } from './blob-store.ts'

/** A try writes a file and syncs it, or asks a bucket four times: whoever asks more often gets the last answer. */
const KEEP_MS = 5_000
const GIVE_UP_MS = 5_000

/** Whether a store can be used. One that is full can: what is in it is read, and deleted. */
export function storeHealth(store: Pick<BlobStore, 'check'>): () => Promise<boolean> {
  let asked = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(true)
  return () => {
    const now = performance.now()
    if (now - asked < KEEP_MS) return answer
    asked = now
    answer = Promise.race([works(store), sleep(GIVE_UP_MS, false, { ref: false })])
    return answer
  }
}

const works = (store: Pick<BlobStore, 'check'>): Promise<boolean> =>
  store.check().then(
    () => true,
    (error) => error instanceof StorageFull,
  )
