import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { mayWait } from './capacity.ts'

/** Runs a limited number of tasks at once, in round-robin order of the accounts, none of which gets all slots. */
export interface FairQueue {
  /**
   * Runs the task when this account is next; tasks of one account keep their order.
   * @throws the signal's reason if it aborts before the task has started; ImageError server_busy if the account has used up its share of
   * the queue
   */
  run<Result>(accountId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
  /** Whether a further task is refused: of this account, or of one without waiting tasks. */
  full(accountId?: string): boolean
  /** Whether the queue is full for any account. */
  fullForSome(): boolean
  /** Number of waiting tasks. */
  waiting(): number
}

export interface FairQueueSettings {
  /** Slots that an account may have while so many are free; by default half of all. */
  readonly mostOf?: (accountId: string, free: number) => number
  /** Tasks that may wait; by default any number. */
  readonly mostWaiting?: number
}

interface Account {
  running: number
  readonly waiting: Set<() => void>
}

/** @param atOnce number of concurrent tasks, at least 1 */
export function fairQueue(atOnce: number, settings: FairQueueSettings = {}): FairQueue {
  const half = Math.max(1, Math.floor(atOnce / 2))
  const { mostOf = () => half, mostWaiting = Number.POSITIVE_INFINITY } = settings
  /** Accounts with running or waiting tasks, the next one first. */
  const accounts = new Map<string, Account>()
  let running = 0
  let waiting = 0

  function beginNext(): void {
    while (running < atOnce) {
      const free = atOnce - running
      const next = [...accounts].find(([id, account]) => account.waiting.size > 0 && account.running < mostOf(id, free))
      if (!next) return
      const [id, account] = next
      // Moves to the end of the order, since it was just served.
      accounts.delete(id)
      accounts.set(id, account)
      const [begin] = account.waiting
      if (!begin) return
      account.waiting.delete(begin)
      waiting--
      running++
      account.running++
      begin()
    }
  }
  function forgetIfIdle(id: string, account: Account): void {
    if (account.running === 0 && account.waiting.size === 0) accounts.delete(id)
  }
  function turnOf(id: string, account: Account, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        account.waiting.delete(begin)
        waiting--
        forgetIfIdle(id, account)
        reject(signal.reason)
      }
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      signal.addEventListener('abort', leave, { once: true })
      account.waiting.add(begin)
      waiting++
      beginNext()
    })
  }
  const full = (id = '') => !mayWait(accounts.get(id)?.waiting.size ?? 0, waiting, mostWaiting)

  return {
    full,
    fullForSome: () => full() || [...accounts.keys()].some(full),
    waiting: () => waiting,
    async run(id, signal, work) {
      signal.throwIfAborted()
      if (full(id)) throw new ImageError('server_busy', { retryAfterSeconds: 1 })
      const account = accounts.get(id) ?? { running: 0, waiting: new Set<() => void>() }
      accounts.set(id, account)
      await turnOf(id, account, signal)
      try {
        return await work()
      } finally {
        running--
        account.running--
        beginNext()
        forgetIfIdle(id, account)
      }
    },
  }
}

/** For `mostOf`: an account may have all slots but one, which is kept for an account that has none. */
export const allButOne =
  (atOnce: number) =>
  (_accountId: string, free: number): number =>
    free > 1 ? atOnce : 1

export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Runs a limited number of tasks at once, first come, first served: a caller that arrives just as a slot becomes free waits behind
 * those who came before.
 */
export function semaphore(atOnce: number): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot passes directly to the next task, so that no other caller can take it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
