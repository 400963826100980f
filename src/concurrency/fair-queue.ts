import { ApiError } from '../contract/api-error.ts'

/** Runs a few pieces of work at once, the accounts in turn, none of them on more than half of the places. */
export interface FairQueue {
  /**
   * Runs the work when it is this account's turn; the work of one account keeps its order.
   * @throws the signal's reason where it aborts before the work has begun
   */
  run<Result>(accountId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
  /** Pieces of work that wait. */
  waiting(): number
}

interface Account {
  running: number
  readonly waiting: Set<() => void>
}

/** @param atOnce pieces of work under way at a time, at least 1 */
export function fairQueue(atOnce: number): FairQueue {
  const mostOfOne = Math.max(1, Math.floor(atOnce / 2))
  /** Accounts with work that runs or waits, the one whose turn is next in front. */
  const accounts = new Map<string, Account>()
  let running = 0

  function beginNext(): void {
    while (running < atOnce) {
      const next = [...accounts].find(([, { waiting, running }]) => waiting.size > 0 && running < mostOfOne)
      if (!next) return
      const [id, account] = next
      // Behind the others, as it has had its turn.
      accounts.delete(id)
      accounts.set(id, account)
      const [begin] = account.waiting
      if (!begin) return
      account.waiting.delete(begin)
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
        forgetIfIdle(id, account)
        reject(signal.reason)
      }
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      signal.addEventListener('abort', leave, { once: true })
      account.waiting.add(begin)
      beginNext()
    })
  }
  return {
    async run(id, signal, work) {
      signal.throwIfAborted()
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
    waiting: () => [...accounts.values()].reduce((total, { waiting }) => total + waiting.size, 0),
  }
}

export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Runs a few pieces of work at once, first come first served. Not cockatiel's bulkhead: there, who comes as a place gets free is
 * let in before those that wait, one of whom is then refused.
 * @throws ApiError server_busy when `mostWaiting` wait
 */
export function semaphore(atOnce: number, mostWaiting = Number.POSITIVE_INFINITY): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running++
    else if (waiting.length < mostWaiting) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw new ApiError('server_busy', { retryAfterSeconds: 1 })
    try {
      return await work()
    } finally {
      // The place is handed on, so that nobody else takes it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
