import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Outage } from '../concurrency/outage.ts'
import type { ClaimKey } from './batch.ts'
import { type ItemResult, recordResults, releaseClaims } from './claim-images.ts'

interface RecorderEvents {
  /** Whether another result of the batch may follow soon. */
  expects(batchId: string): boolean
  onEnded(batchIds: readonly string[]): void
}

/** Writes a worker's results to the database, and retries while it is unavailable. */
export interface ResultRecorder {
  /** Whether the result was accepted. Rejects when the database refuses it, or after `close`. */
  write(result: ItemResult): Promise<boolean>
  /** Gives a claim back. Rejects as `write` does. */
  release(claim: ClaimKey): Promise<void>
  /** Writes what was collected, if a batch has no further results to wait for. */
  hurry(): void
  /** Stops retrying; the database will find that this worker is gone. */
  close(): void
}

/**
 * Results are collected for this long, or until there are so many: docs/design/batches.md has what groups save. The last results of a
 * batch are written at once.
 */
const GATHER_MS = 1_000
const GROUP = 200

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

/** SQLSTATE classes for errors in the statement itself: a retry would fail again. */
const REFUSED = /^(22|23|42|P0)/

const isRefusal = (error: unknown): boolean => error instanceof Error && 'code' in error && REFUSED.test(String(error.code))

export function openResultRecorder(
  pool: pg.Pool,
  server: number,
  database: Pick<Outage, 'failed' | 'worked'>,
  { expects, onEnded }: RecorderEvents,
): ResultRecorder {
  const closing = new AbortController()
  let sendNow = () => {}
  const collectedResults: ItemResult[] = []

  async function retryCall<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, 2 * wait)) {
      try {
        const answer = await call()
        database.worked()
        return answer
      } catch (error) {
        if (isRefusal(error) || closing.signal.aborted) throw error
        database.failed(error)
      }
      await sleep(wait * (0.5 + Math.random()), undefined, { signal: closing.signal })
    }
  }
  async function finish(results: readonly ItemResult[]): Promise<readonly boolean[]> {
    const { accepted, endedBatches } = await retryCall(() => recordResults(pool, server, results))
    if (endedBatches.length > 0) onEnded(endedBatches)
    const acceptedKeys = new Set(accepted.map(keyOf))
    return results.map((result) => acceptedKeys.has(keyOf(result)))
  }
  function collect(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS)
      sendNow = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
  function hurry(): void {
    if (!mayWait()) sendNow()
  }
  const mayWait = () => collectedResults.length < GROUP && collectedResults.every(({ batchId }) => expects(batchId))
  const finishTogether = batchCalls(
    (results: readonly ItemResult[]) => {
      collectedResults.length = 0
      return finish(results)
    },
    () => (mayWait() ? collect() : undefined),
  )
  const release = batchCalls(async (claims: readonly ClaimKey[]) => {
    await retryCall(() => releaseClaims(pool, server, claims))
    return claims
  })

  return {
    async write(result) {
      collectedResults.push(result)
      const writing = finishTogether(result)
      hurry()
      try {
        return (await writing) ?? false
      } catch (error) {
        if (!isRefusal(error)) throw error
        // Another result of the group may be the cause: each is written again separately.
        const [isAccepted = false] = await finish([result])
        return isAccepted
      }
    },
    release: async (claim) => void (await release(claim)),
    hurry,
    close: () => closing.abort(),
  }
}

const keyOf = ({ batchId, seq, attempt }: ClaimKey): string => `${batchId}/${seq}/${attempt}`

/**
 * Batches calls: items that arrive while a group is being sent wait and are sent together. There is no delay under low load, and
 * there are few round trips under high load. Each caller gets its own answer, or the error of its group.
 * @param gather is awaited before a group is sent, to let more items arrive; gets their number so far
 */
export function batchCalls<Item, Answer>(
  send: (group: readonly Item[]) => Promise<readonly Answer[]>,
  gather: (waiting: number) => Promise<void> | undefined = () => undefined,
): (item: Item) => Promise<Answer | undefined> {
  let waiting: { readonly item: Item; readonly call: PromiseWithResolvers<Answer | undefined> }[] = []
  let sending = false

  async function sendAll(): Promise<void> {
    sending = true
    while (waiting.length > 0) {
      // Not awaited if undefined, so that the first item is sent synchronously.
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
