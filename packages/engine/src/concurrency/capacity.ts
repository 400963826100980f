// What an account may take of a queue and of memory, before there is no more capacity.

/** An account may have this many times as many waiting tasks as there are free places. */
const TIMES_THE_FREE = 7

/**
 * Whether a further task of an account may wait: dynamic thresholds (Choudhury and Hahne, 1998). One account alone gets seven
 * eighths of the places, two get equal parts that leave a fifteenth free; an account without waiting tasks always gets a place.
 * @param own waiting tasks of the account
 * @param all waiting tasks of all accounts
 * @param places maximum number of waiting tasks
 */
export const mayWait = (own: number, all: number, places: number): boolean => own < TIMES_THE_FREE * (places - all)

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

/** The queue of a pool: rendering/pool.ts. */
interface QueueState {
  full(account?: string): boolean
  waiting(account: string): { readonly own: number; readonly all: number }
  accountsWaiting(): Iterable<string>
  state(lane: 'sync'): { readonly free: number }
}

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
  isMemoryFull: (account?: string) => boolean,
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
    if (pool.full(account) || isMemoryFull(account)) return true
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
      const accounts = [...pool.accountsWaiting(), ...uploading.values().map(({ account }) => account)]
      return full() || new Set(accounts).values().some((account) => account !== undefined && full(account))
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
  /** The upload is complete: from now on it is not given up. */
  arrived(): void
}

/** Limits the bytes of all uploads in memory: those that are arriving, waiting for a renderer, or being answered. */
export interface HeldUploads {
  /** Whether this account, or one without uploads, has used up its share. */
  full(account?: string): boolean
  bytes(): number
  /** @param giveUp called, at most once, when memory is short and this upload is the one to go */
  begin(account: string, giveUp: () => void): HeldUpload
}

/** Uploads of one account. */
interface Account {
  bytes: number
  /** The longest first. */
  readonly arriving: Map<HeldUpload, () => void>
  /** Uploads that are counted, arriving or not. */
  held: number
}

/**
 * When an account has used up its share, by the rule of `mayWait`, the upload that has been arriving for the longest time is given up:
 * of the account that holds most. Otherwise a thousand slow uploads would block all others.
 * @param most bytes
 */
export function heldUploads(most: number): HeldUploads {
  const accounts = new Map<string, Account>()
  let total = 0

  function accountOf(name: string): Account {
    const account = accounts.get(name) ?? { bytes: 0, arriving: new Map(), held: 0 }
    accounts.set(name, account)
    return account
  }
  const isFull = ({ bytes }: Pick<Account, 'bytes'>) => !mayWait(bytes, total, most)

  function giveUpSlowest(own: Account): void {
    while (isFull(own)) {
      const largest = accounts.values().reduce((most, one) => (one.arriving.size > 0 && one.bytes > most.bytes ? one : most), own)
      const [slowest] = largest.arriving
      if (!slowest) return
      const [upload, giveUp] = slowest
      // Its chunks can be collected as soon as `giveUp` has been called.
      upload[Symbol.dispose]()
      giveUp()
    }
  }
  return {
    full: (name = '') => isFull(accounts.get(name) ?? { bytes: 0 }),
    bytes: () => total,
    begin(name, giveUp) {
      const account = accountOf(name)
      account.held++
      let bytes = 0
      let isHeld = true
      const upload: HeldUpload = {
        add(more) {
          if (!isHeld) return
          bytes += more
          account.bytes += more
          total += more
          giveUpSlowest(account)
        },
        arrived: () => void account.arriving.delete(upload),
        [Symbol.dispose]() {
          if (!isHeld) return
          isHeld = false
          total -= bytes
          account.bytes -= bytes
          account.held--
          account.arriving.delete(upload)
          if (account.held === 0) accounts.delete(name)
        },
      }
      account.arriving.set(upload, giveUp)
      return upload
    },
  }
}
