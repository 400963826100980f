import { setTimeout as sleep } from 'node:timers/promises'
import { StorageFull, StorageUnavailable } from 'pixelmill/bucket/blob-errors'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import type { Outage } from '../concurrency/outage.ts'

/** Stops a worker while its store is full or unavailable, so that no image fails for that. */
export interface StoragePause {
  /** Resolves at once if there is no pause, else when a check shows that the store is writable. Rejects at the signal. */
  over(signal: AbortSignal): Promise<void>
  isOn(): boolean
  begin(error: unknown): void
  /** To be called when an image was stored. */
  end(): void
}

/** Each further pause without a success in between is twice as long, up to the limit for its cause. */
const FIRST_PAUSE_MS = 5_000
/** A full store needs an operator; one that is unavailable may be back at any moment. */
const LONGEST_PAUSE_MS = { full: 60_000, away: 10_000 } as const

export const isStorageError = (error: unknown): boolean => error instanceof StorageFull || error instanceof StorageUnavailable

export function storagePause(blobs: Pick<BlobStore, 'check'>, storage: Outage, firstMs = FIRST_PAUSE_MS): StoragePause {
  let pausedUntil: number | undefined
  let next = firstMs

  function begin(error: unknown): void {
    // Several images may meet the same error: only the first begins a pause.
    if (pausedUntil !== undefined && performance.now() < pausedUntil) return
    storage.failed(error)
    pausedUntil = performance.now() + next
    next = Math.min(LONGEST_PAUSE_MS[error instanceof StorageFull ? 'full' : 'away'], 2 * next)
  }
  return {
    async over(signal) {
      while (pausedUntil !== undefined) {
        await sleep(Math.max(0, pausedUntil - performance.now()), undefined, { signal })
        await blobs.check().then(() => {
          pausedUntil = undefined
        }, begin)
      }
    },
    isOn: () => pausedUntil !== undefined,
    begin,
    end() {
      next = firstMs
      storage.worked()
    },
  }
}
