import type { LaneState } from './lane.ts'
import type { Pool } from './pool.ts'
import { mayWait } from './queue.ts'

/** Capacity for interactive requests, in the queue and in memory: for images that are there, and those still uploading. */
export interface QueueCapacity {
  /** Whether one more would be refused when it arrives: of the account, or of one of which none waits. */
  full(account?: string): boolean
  /** Whether there is an account for which it is full. */
  fullForSome(): boolean
  /**
   * Reserves a place for an image whose upload begins; dispose of it once the image is in the queue or will not come.
   * @param account where it is known by then
   */
  reserve(account?: string): Disposable
}

/**
 * So long an upload keeps its place. Most have arrived by then; slower ones block nobody, and are refused, where the queue is full,
 * when they have arrived.
 */
const UPLOADING_MS = 1_000

type QueueState = Pick<Pool, 'full' | 'waiting' | 'accountsWaiting'> & { state(lane: 'sync'): Pick<LaneState, 'idle'> }

interface Uploading {
  readonly since: number
  readonly account: string | undefined
}

/**
 * @param queue images that may wait
 * @param now milliseconds on a clock that only goes forward
 */
export function queueCapacity(
  pool: QueueState,
  queue: number,
  isMemoryFull: () => boolean,
  now: () => number = () => performance.now(),
): QueueCapacity {
  /** The oldest first. */
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
    // Late uploads of others, whose places are taken, do not block an account that has no image here.
    if (account !== undefined && coming === 0) return false
    return !mayWait(coming, all + uploading.size, queue + pool.state('sync').idle)
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

/** One upload in memory. Dispose of it when its memory is free; more than once does no harm. */
export interface HeldUpload extends Disposable {
  add(bytes: number): void
  /** It is complete: from now on it is not evicted. */
  arrived(): void
}

/** Bounds the bytes of all uploads in memory: of those that arrive, wait for a renderer, or are being answered. */
export interface HeldUploads {
  /** Whether uploads fill it. */
  full(): boolean
  bytes(): number
  /** @param giveUp called, once at most, when memory is short and this upload has been arriving for longest */
  begin(giveUp: () => void): HeldUpload
}

/**
 * When memory is full, the upload that has been arriving for longest is evicted: otherwise a thousand slow uploads would block all
 * others.
 * @param most bytes
 */
export function heldUploads(most: number): HeldUploads {
  /** The oldest first. */
  const arriving = new Map<HeldUpload, () => void>()
  let total = 0

  function evictSlowest(): void {
    for (const [upload, giveUp] of arriving) {
      if (total <= most) return
      // Its chunks can be collected as soon as `giveUp` was called.
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
