import { setTimeout as sleep } from 'node:timers/promises'

interface ClaimLoopSettings<Item> {
  /** Items that this process works on at once. */
  readonly atOnce: number
  /** Milliseconds between two looks when nothing was found. */
  readonly everyMs: number
  /** Claims up to so many items that are due, so that no other process gets them. */
  claim(most: number): Promise<readonly Item[]>
  /** Must not reject: what a failure means is for whoever works on the item. */
  work(item: Item): Promise<void>
  /** Called after each claim, with the error if the database could not be asked. */
  onLook(error?: unknown): void
}

export interface ClaimLoop {
  /** Claims nothing more, and waits for what is under way, for 20 s at most. */
  close(): Promise<void>
}

/** Less than the 30 s that a stop may take: contract §9. */
const STOP_MS = 20_000

/**
 * Works on the rows of a table that are due, in any number of processes. The rows are the whole state and each process polls
 * them: work counts as soon as its row is committed, and nothing is lost with a process.
 */
export function startClaimLoop<Item>({ atOnce, everyMs, claim, work, onLook }: ClaimLoopSettings<Item>): ClaimLoop {
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Set<Promise<void>>()

  function begin(item: Item): void {
    const run = work(item).finally(() => underWay.delete(run))
    underWay.add(run)
  }
  /** Returns whether there was anything. */
  async function look(): Promise<boolean> {
    const free = atOnce - underWay.size
    if (free === 0) return false
    try {
      const claimed = await claim(free)
      for (const item of claimed) begin(item)
      onLook()
      return claimed.length > 0
    } catch (error) {
      onLook(error)
      return false
    }
  }
  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      if (await look()) continue
      // An item that ends may allow the next to be claimed.
      const pause = sleep(everyMs, undefined, { signal }).catch(() => {})
      await Promise.race([pause, ...underWay])
    }
  }
  const running = repeat()
  return {
    async close() {
      stopping.abort()
      await running
      await Promise.race([Promise.all(underWay), sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}
