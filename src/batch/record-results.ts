import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { ClaimKey } from './batch.ts'
import { finishItems, type ItemResult, releaseItems } from './claim-images.ts'
import type { Outage } from './outages.ts'

export interface RecorderEvents {
  /** Images of which a result may come. */
  inHand(): number
  onEnded(batchIds: readonly string[]): void
}

/** What a worker tells the database, which may be away: each is said until it is heard. */
export interface ResultRecorder {
  /** Whether the result counts. Rejects when the database refuses it, or after `close`. */
  write(result: ItemResult): Promise<boolean>
  /** Rejects as `write` does. */
  release(claim: ClaimKey): Promise<void>
  /** What the database has not heard by now it will not hear: it will see that this worker is gone. */
  close(): void
}

/** Results of so long go together while other images are in hand: one by one each costs PostgreSQL 4 ms, together 1. */
const GATHER_MS = 200

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

/** Classes of SQLSTATE that say that the statement is at fault: it would be refused again. */
const REFUSED = /^(22|23|42|P0)/

const isRefusal = (error: unknown): boolean => error instanceof Error && 'code' in error && REFUSED.test(String(error.code))

export function openResultRecorder(
  pool: pg.Pool,
  server: number,
  database: Outage,
  { inHand, onEnded }: RecorderEvents,
): ResultRecorder {
  const closed = new AbortController()

  async function untilHeard<Answer>(say: () => Promise<Answer>): Promise<Answer> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, 2 * wait)) {
      try {
        const answer = await say()
        database.worked()
        return answer
      } catch (error) {
        if (isRefusal(error) || closed.signal.aborted) throw error
        database.failed(error)
      }
      await sleep(wait * (0.5 + Math.random()), undefined, { signal: closed.signal })
    }
  }
  async function finish(results: readonly ItemResult[]): Promise<readonly boolean[]> {
    const { accepted, endedBatches } = await untilHeard(() => finishItems(pool, server, results))
    if (endedBatches.length > 0) onEnded(endedBatches)
    const counts = new Set(accepted.map(nameOf))
    return results.map((result) => counts.has(nameOf(result)))
  }
  const finishTogether = batched(finish, (waiting) => (inHand() > waiting ? sleep(GATHER_MS) : undefined))
  const release = batched(async (claims: readonly ClaimKey[]) => {
    await untilHeard(() => releaseItems(pool, server, claims))
    return claims
  })

  return {
    async write(result) {
      try {
        return (await finishTogether(result)) ?? false
      } catch (error) {
        if (!isRefusal(error)) throw error
        // It may be another's fault: alone, each is refused or written for itself.
        const [counts = false] = await finish([result])
        return counts
      }
    },
    release: async (claim) => void (await release(claim)),
    close: () => closed.abort(),
  }
}

const nameOf = ({ batchId, seq, attempt }: ClaimKey): string => `${batchId}/${seq}/${attempt}`

/**
 * Lets what comes while one group is under way wait, and go together: nothing is late when there is little to do, and
 * little is said when there is much. Each caller gets its own answer, or the error of its group.
 * @param gather is awaited before a group goes, to let more come; it is told how many there are
 */
export function batched<Item, Answer>(
  send: (group: readonly Item[]) => Promise<readonly Answer[]>,
  gather: (waiting: number) => Promise<void> | undefined = () => undefined,
): (item: Item) => Promise<Answer | undefined> {
  let waiting: { readonly item: Item; readonly call: PromiseWithResolvers<Answer | undefined> }[] = []
  let sending = false

  async function sendAll(): Promise<void> {
    sending = true
    while (waiting.length > 0) {
      // Not awaited where there is nothing to wait for: the first goes in the same turn.
      const more = gather(waiting.length)
      if (more) await more
      const group = waiting
      waiting = []
      try {
        const answers = await send(group.map(({ item }) => item))
        for (const [nth, { call }] of group.entries()) call.resolve(answers[nth])
      } catch (error) {
        for (const { call } of group) call.reject(error)
      }
    }
    sending = false
  }
  return (item) => {
    const call = Promise.withResolvers<Answer | undefined>()
    waiting.push({ item, call })
    if (!sending) void sendAll()
    return call.promise
  }
}
