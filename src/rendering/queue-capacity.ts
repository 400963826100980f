import type { LaneState } from './lane.ts'
import type { Pool } from './pool.ts'
import { mayWait } from './queue.ts'

/** Capacity for interactive requests, in the queue and in memory: for images that have arrived, and those still uploading. */
export interface QueueCapacity {
  /** Whether a further image would be refused on arrival: of this account, or of one without waiting images. */
  full(account?: string): boolean
  /** Whether the queue is full for any account. */
  fullForSome(): boolean
  /**
   * Reserves a place for an image whose upload starts; dispose of it once the image is in the queue or will not come.
   * @param account if it is known by then
   */
  reserve(account?: string): Disposable
}

/**
 * How long an upload keeps its place. Most have arrived by then; slower ones do not block others, and are refused on arrival if
 * the queue is full.
 */
const UPLOADING_MS = 1_000

type QueueState = Pick<Pool, 'full' | 'waiting' | 'accountsWaiting'> & { state(lane: 'sync'): Pick<LaneState, 'free'> }

interface Uploading {
  readonly since: number
  readonly account: string | undefined
}

/**
 * @param queue maximum number of waiting images
 * @param now milliseconds on a monotonic clock
 */
export function queueCapacity(
  pool: QueueState,
  queue: number,
  isMemoryFull: () => boolean,
  now: () => number = () => performance.now(),
): QueueCapacity {
  /** Oldest first. */
  const uploading = new Map<Disposable, Uploading>()

  function forgetSlow(): void {
    const before = now() - UPLOADING_MS
    for (const [place, { since }] of uploading) {
      if (since > before) return
      uploading.delete(place)
    }
  }
  function full(account?: string): boolean {
    if (pool.full(account) || isMemoryFull()) return true
    forgetSlow()
    const { own, all } = pool.waiting(account ?? '')
    const coming =
      account === undefined
        ? 0
        : own +
          uploading
            .values()
            .filter((one) => one.account === account)
            .toArray().length
    // Late uploads of others, whose places are taken, do not block an account without an image here.
    if (account !== undefined && coming === 0) return false
    return !mayWait(coming, all + uploading.size, queue + pool.state('sync').free)
  }
  return {
    full,
    fullForSome() {
      const known = [...pool.accountsWaiting(), ...uploading.values().map(({ account }) => account)]
      return full() || new Set(known).values().some((account) => account !== undefined && full(account))
    },
    reserve(account) {
      const place = { [Symbol.dispose]: () => void uploading.delete(place) }
      uploading.set(place, { since: now(), account })
      return place
    },
  }
}

/** One upload in memory. Dispose of it when its memory is free; repeated disposal is harmless. */
export interface HeldUpload extends Disposable {
  add(bytes: number): void
  /** The upload is complete: from now on it is not evicted. */
  arrived(): void
}

/** Limits the bytes of all uploads in memory: those that are arriving, waiting for a renderer, or being answered. */
export interface HeldUploads {
  /** Whether uploads fill it. */
  full(): boolean
  bytes(): number
  /** @param giveUp called, at most once, when memory is short and this upload has been arriving for the longest time */
  begin(giveUp: () => void): HeldUpload
}

/**
 * When memory is full, the upload that has been arriving for the longest time is evicted: otherwise a thousand slow uploads would
 * block all others.
 * @param most bytes
 */
export function heldUploads(most: number): HeldUploads {
  /** Oldest first. */
  const arriving = new Map<HeldUpload, () => void>()
  let total = 0

  function evictSlowest(): void {
    for (const [upload, giveUp] of arriving) {
      if (total <= most) return
      // Its chunks can be collected as soon as `giveUp` has been called.
      upload[Symbol.dispose]()
      giveUp()
    }
  }
  return {
    full: () => total >= most,
    bytes: () => total,
    begin(giveUp) {
      let [bytes, isHeld] = [0, true]
      const upload: HeldUpload = {
        add(more) {
          if (!isHeld) return
          bytes += more
          total += more
          evictSlowest()
        },
        arrived: () => void arriving.delete(upload),
        [Symbol.dispose]() {
          if (!isHeld) return
          isHeld = false
          total -= bytes
          arriving.delete(upload)
        },
      }
      arriving.set(upload, giveUp)
      return upload
    },
  }
}
