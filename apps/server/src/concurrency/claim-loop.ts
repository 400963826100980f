import { setTimeout as sleep } from 'node:timers/promises'

interface ClaimLoopSettings<Item> {
  /** Maximum number of items that this process works on at once. */
  readonly atOnce: number
  /** Milliseconds between two polls when nothing was found. */
  readonly everyMs: number
  /** Claims up to this many due items, so that no other process gets them. */
  claim(most: number): Promise<readonly Item[]>
  /** Must not reject: the worker function handles its own failures. */
  work(item: Item): Promise<void>
  /** Called after each claim, with the error if the query failed. */
  onLook(error?: unknown): void
}

export interface ClaimLoop {
  /** Looks for due items now, without waiting for the next poll; returns whether any was found. */
  look(): Promise<boolean>
  /** Stops claiming, and waits for items in flight, up to 20 s. */
  close(): Promise<void>
}

/** Less than the 30 s that a shutdown may take: `limits.shutdown`. */
const STOP_MS = 20_000

/**
 * Processes the due rows of a table, in any number of processes. The rows are the whole state and each process polls them: work
 * is scheduled as soon as its row is committed, and nothing is lost when a process dies.
 */
export function startClaimLoop<Item>({ atOnce, everyMs, claim, work, onLook }: ClaimLoopSettings<Item>): ClaimLoop {
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Set<Promise<void>>()

  function begin(item: Item): void {
    const run = work(item).finally(() => underWay.delete(run))
    underWay.add(run)
  }
  /** Returns whether any item was found. */
  async function look(): Promise<boolean> {
    const free = atOnce - underWay.size
    if (free === 0) return false
    try {
      const claimedItems = await claim(free)
      for (const item of claimedItems) begin(item)
      onLook()
      return claimedItems.length > 0
    } catch (error) {
      onLook(error)
      return false
    }
  }
  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      if (await look()) continue
      // An item that ends may free a slot for the next one.
      const pause = sleep(everyMs, undefined, { signal }).catch(() => {})
      await Promise.race([pause, ...underWay])
    }
  }
  const running = repeat()
  return {
    look,
    async close() {
      stopping.abort()
      await running
      await Promise.race([Promise.all(underWay), sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}
