import { ApiError } from '../contract/api-error.ts'

/** Runs a limited number of tasks at once, in round-robin order of the accounts, each with at most half of the slots. */
export interface FairQueue {
  /**
   * Runs the task when this account is next; tasks of one account keep their order.
   * @throws the signal's reason if it aborts before the task has started
   */
  run<Result>(accountId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
  /** Number of waiting tasks. */
  waiting(): number
}

interface Account {
  running: number
  readonly waiting: Set<() => void>
}

/** @param atOnce number of concurrent tasks, at least 1 */
export function fairQueue(atOnce: number): FairQueue {
  const mostOfOne = Math.max(1, Math.floor(atOnce / 2))
  /** Accounts with running or waiting tasks, the next one first. */
  const accounts = new Map<string, Account>()
  let running = 0

  function beginNext(): void {
    while (running < atOnce) {
      const next = [...accounts].find(([, { waiting, running }]) => waiting.size > 0 && running < mostOfOne)
      if (!next) return
      const [id, account] = next
      // Moves to the end of the order, since it was just served.
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
 * Runs a limited number of tasks at once, first come, first served. cockatiel's bulkhead is not used: it admits a caller that
 * arrives just as a slot becomes free before those waiting, one of which is then refused.
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
      // The slot passes directly to the next task, so that no other caller can take it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
