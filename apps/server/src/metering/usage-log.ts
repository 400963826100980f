import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { deleteInSlices } from '../database/delete-in-slices.ts'

/** The usage of an AI request, including failed questions. */
export interface AiUse {
  /** The operator's model, or the caller's own. */
  readonly provider: 'platform' | 'byok'
  /** As the operator or the caller names it. */
  readonly model: string
  /** Images answered successfully. */
  readonly images: number
  /** Questions to the model. */
  readonly questions: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** One answer to an admitted call. */
export interface UsageEvent {
  readonly accountId: string
  /** Null for a call with a session. */
  readonly keyId: string | null
  /** The route's path. */
  readonly endpoint: string
  readonly status: number
  /** The error's identifier. */
  readonly statusMessage: string | null
  readonly inputBytes: number
  readonly outputBytes: number
  readonly durationMs: number
  /** Of an AI request, which does not count as a call; null if it ended before it asked a model. */
  readonly ai?: AiSpent | null
}

export interface AiSpent extends AiUse {
  /** US dollars per million tokens, if the operator has set prices. */
  readonly prices?: { readonly input: number; readonly output: number }
}

/** Usage statistics, written in groups after the answers: no call waits for them. */
export interface UsageLog {
  record(event: UsageEvent): void
  /** Events not written yet. */
  waiting(): number
  /** Writes what is left. */
  close(): Promise<void>
}

export interface UsageLogEvents {
  /** This many events were dropped, since the database was unavailable for too long. */
  onLost(events: number): void
  /** Reported once; then retried each second. */
  onError(error: unknown): void
}

const FLUSH_MS = 100
const BATCH = 100
const RETRY_MS = 1_000
/** Some MB: a minute without the database at 160 calls a second. */
const MOST = 10_000

interface Waiting {
  /** Generated here, so that a repeated group counts once. */
  readonly id: string
  readonly event: UsageEvent
  /** performance.now() */
  readonly at: number
}

const REMOVAL = '/api/background-remove'

const rowOf = ({ id, event, at }: Waiting) => ({
  id,
  account_id: event.accountId,
  key_id: event.keyId,
  endpoint: event.endpoint,
  // Without a key the removal of a background uses no call.
  is_call: event.keyId !== null || event.endpoint !== REMOVAL,
  status: event.status,
  status_message: event.statusMessage,
  input_bytes: event.inputBytes,
  output_bytes: event.outputBytes,
  duration_ms: event.durationMs,
  age_ms: Math.round(performance.now() - at),
  ...(event.ai !== undefined && { ai: true, ...(event.ai && spentOf(event.ai)) }),
})

const spentOf = ({ inputTokens, outputTokens, prices, ...ai }: AiSpent) => ({
  ...ai,
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  input_price: prices?.input,
  output_price: prices?.output,
})

export function usageLog(pool: Pick<pg.Pool, 'query'>, { onLost, onError }: UsageLogEvents): UsageLog {
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<boolean> | undefined
  let failing = false

  function drop(events: number): void {
    if (events <= 0) return
    waiting = waiting.slice(events)
    onLost(events)
  }
  async function writeBatch(): Promise<boolean> {
    const batch = waiting.slice(0, BATCH)
    try {
      const events = JSON.stringify(batch.map(rowOf))
      await pool.query({ name: 'record_usage', text: 'select record_usage($1)', values: [events] })
      failing = false
    } catch (error) {
      if (!failing) onError(error)
      failing = true
      return false
    }
    // The oldest may have been dropped meanwhile.
    const writtenEvents = new Set(batch)
    waiting = waiting.filter((one) => !writtenEvents.has(one))
    return true
  }
  function schedule(ms: number): void {
    timer ??= setTimeout(() => void flush(), ms)
  }
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (writing) return
    writing = writeBatch()
    const writtenEvents = await writing
    writing = undefined
    if (waiting.length > 0) schedule(!writtenEvents ? RETRY_MS : waiting.length >= BATCH ? 0 : FLUSH_MS)
  }

  return {
    record(event) {
      waiting.push({ id: randomUUID(), event, at: performance.now() })
      drop(waiting.length - MOST)
      if (waiting.length === BATCH && !writing) void flush()
      else schedule(FLUSH_MS)
    },
    waiting: () => waiting.length,
    async close() {
      clearTimeout(timer)
      await writing
      while (waiting.length > 0 && (await writeBatch()));
      drop(waiting.length)
    },
  }
}

/** Days of the AI quota to which nothing can be given back any more: a request takes an hour at most. */
const PAST_DAYS = `(now() at time zone 'utc')::date - 7`

/** The first day of the oldest month that is kept; the current month is the thirteenth. */
const OLDEST = `(date_trunc('month', now() at time zone 'utc') - interval '12 months')`

export const oldUsage = [
  { table: 'usage_event', old: `at < ${OLDEST} at time zone 'utc'` },
  { table: 'usage_day', old: `day < ${OLDEST}` },
  { table: 'ai_usage_day', old: `day < ${OLDEST}` },
  { table: 'ai_day', old: `day < ${PAST_DAYS}` },
  { table: 'source_day', old: `day < ${OLDEST}` },
  { table: 'usage_month', old: `month < ${OLDEST}` },
  { table: 'background_month', old: `month < ${OLDEST}` },
] as const

/** Deletes events, days and months beyond the thirteenth, counting this month, and days of the AI quota after a week. Returns how many rows. */
export async function forgetOldUsage(pool: pg.Pool): Promise<number> {
  let total = 0
  for (const { table, old } of oldUsage) total += await deleteInSlices(pool, table, old)
  return total
}
