/** Whose work is next, questions to models or trials of formats: a few pieces at once, the accounts in turn, and none with more than half of the places. */
export interface AccountTurns {
  /**
   * Does the work when it is this account's turn; its pieces keep their order.
   * @throws the signal's reason where it aborts before the turn has come
   */
  take<Result>(accountId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
  /** Pieces of work that wait. */
  waiting(): number
}

interface Line {
  running: number
  readonly waiting: Set<() => void>
}

/** @param atOnce pieces of work under way at a time, at least 1 */
export function accountTurns(atOnce: number): AccountTurns {
  const mostOfOne = Math.max(1, Math.floor(atOnce / 2))
  /** Of the accounts that work or wait, whose turn is next in front. */
  const lines = new Map<string, Line>()
  let running = 0

  function giveTurns(): void {
    while (running < atOnce) {
      const next = [...lines].find(([, line]) => line.waiting.size > 0 && line.running < mostOfOne)
      if (!next) return
      const [account, line] = next
      // Behind the others, as it has had its turn.
      lines.delete(account)
      lines.set(account, line)
      const [begin] = line.waiting
      if (!begin) return
      line.waiting.delete(begin)
      running++
      line.running++
      begin()
    }
  }
  function forgetIfIdle(account: string, line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) lines.delete(account)
  }
  function turnOf(account: string, line: Line, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.waiting.delete(begin)
        forgetIfIdle(account, line)
        reject(signal.reason)
      }
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      signal.addEventListener('abort', leave, { once: true })
      line.waiting.add(begin)
      giveTurns()
    })
  }
  return {
    async take(accountId, signal, work) {
      signal.throwIfAborted()
      const line = lines.get(accountId) ?? { running: 0, waiting: new Set<() => void>() }
      lines.set(accountId, line)
      await turnOf(accountId, line, signal)
      try {
        return await work()
      } finally {
        running--
        line.running--
        giveTurns()
        forgetIfIdle(accountId, line)
      }
    },
    waiting: () => [...lines.values()].reduce((total, { waiting }) => total + waiting.size, 0),
  }
}
