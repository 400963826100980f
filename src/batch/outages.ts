import { setTimeout as sleep } from 'node:timers/promises'
import { StorageFull, StorageUnavailable } from '../blobs/blob-errors.ts'
import type { BlobStore } from '../blobs/blob-store.ts'

/** Hears of every failure and success of something, and tells of the first failure and of its end: not of a thousand between. */
export interface Outage {
  failed(error: unknown): void
  worked(): void
}

export interface OutageEvents {
  onBegin(error: unknown): void
  onEnd(): void
}

export function outage({ onBegin, onEnd }: OutageEvents): Outage {
  let out = false
  return {
    failed(error) {
      if (!out) onBegin(error)
      out = true
    },
    worked() {
      if (out) onEnd()
      out = false
    },
  }
}

/** Stops a worker while its store is full or away: no image fails for that. */
export interface StoragePause {
  /** Resolves at once while there is no pause, else when the store has been asked and can be written. Rejects at the signal. */
  over(signal: AbortSignal): Promise<void>
  begin(error: unknown): void
  /** A part was stored. */
  end(): void
}

/** Of the first pause; each that follows without a success is twice as long, up to what its reason has. */
const FIRST_PAUSE_MS = 5_000
/** Somebody has to make room in a full store; one that is away may be back at any moment. */
const LONGEST_PAUSE_MS = { full: 60_000, away: 10_000 } as const

export const isStorageError = (error: unknown): boolean => error instanceof StorageFull || error instanceof StorageUnavailable

export function storagePause(blobs: Pick<BlobStore, 'check'>, storage: Outage, firstMs = FIRST_PAUSE_MS): StoragePause {
  let pausedUntil: number | undefined
  let next = firstMs

  function begin(error: unknown): void {
    // Of several images that meet the same trouble the first one counts.
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
    begin,
    end() {
      next = firstMs
      storage.worked()
    },
  }
}
