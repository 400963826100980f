import type { LaneState } from './lane.ts'
import type { Pool } from './pool.ts'
import { mayWait } from './queue.ts'

/** Room for images that somebody waits for, in the queue and in memory: for those that are there, and those on their way. */
export interface Room {
  /** Whether one more would be turned away when it arrives: of the account, or of one of which none waits. */
  full(account?: string): boolean
  /** Whether there is an account for which it is full. */
  fullForSome(): boolean
  /**
   * A place for an image whose upload begins; to dispose of it, once it is in the queue or will not come, gives it back.
   * @param account where it is known by then
   */
  enter(account?: string): Disposable
}

/**
 * So long an upload keeps its place. Most are there by then; who sends more slowly keeps out nobody, and is told when the image
 * has come.
 */
const ON_ITS_WAY_MS = 1_000

type RoomPool = Pick<Pool, 'full' | 'waiting' | 'accountsWaiting'> & { state(lane: 'sync'): Pick<LaneState, 'idle'> }

interface OnItsWay {
  readonly since: number
  readonly account: string | undefined
}

/**
 * @param queue images that may wait
 * @param now milliseconds on a clock that only goes forward
 */
export function renderRoom(
  pool: RoomPool,
  queue: number,
  isMemoryFull: () => boolean,
  now: () => number = () => performance.now(),
): Room {
  /** The oldest first. */
  const onTheirWay = new Map<Disposable, OnItsWay>()

  function forgetSlow(): void {
    const before = now() - ON_ITS_WAY_MS
    for (const [place, { since }] of onTheirWay) {
      if (since > before) return
      onTheirWay.delete(place)
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
          onTheirWay
            .values()
            .filter((one) => one.account === account)
            .toArray().length
    // Uploads of others that arrive late, after their places were given on, keep out nobody of whom there is none.
    if (account !== undefined && coming === 0) return false
    return !mayWait(coming, all + onTheirWay.size, queue + pool.state('sync').idle)
  }
  return {
    full,
    fullForSome() {
      const known = [...pool.accountsWaiting(), ...onTheirWay.values().map(({ account }) => account)]
      return full() || new Set(known).values().some((account) => account !== undefined && full(account))
    },
    enter(account) {
      const place = { [Symbol.dispose]: () => void onTheirWay.delete(place) }
      onTheirWay.set(place, { since: now(), account })
      return place
    },
  }
}

/** One upload in memory. To dispose of it says that it is there no longer; that may be done more than once. */
export interface HeldUpload extends Disposable {
  add(bytes: number): void
  /** It is whole: from now on it is not given up. */
  arrived(): void
}

/** Bounds the bytes of all uploads in memory: of those that arrive, wait for a renderer, or are being answered. */
export interface HeldUploads {
  /** Whether those that are there fill it. */
  full(): boolean
  bytes(): number
  /** @param giveUp called, once at most, when memory is short and this is the upload that has been arriving for longest */
  begin(giveUp: () => void): HeldUpload
}

/**
 * When it is full, who has been sending for longest is given up for those who are quick: else a thousand uploads that hardly move
 * would keep everybody out.
 * @param most bytes
 */
export function heldUploads(most: number): HeldUploads {
  /** The oldest first. */
  const arriving = new Map<HeldUpload, () => void>()
  let total = 0

  function makeRoom(): void {
    for (const [upload, giveUp] of arriving) {
      if (total <= most) return
      // Its chunks are garbage as soon as its reader has heard of it.
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
          makeRoom()
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
