import type pg from 'pg'
import type { Outcome } from './deliver.ts'
import type { Source } from './source.ts'

/** Counts what is delivered from each source, and writes the sums every few seconds: no hit waits for the database. */
export interface DeliveryUsage {
  onAnswer(source: Pick<Source, 'name' | 'accountId'>, outcome: Outcome, bytes: number): void
  /** Writes what is left. */
  close(): Promise<void>
}

interface Sums {
  readonly account_id: string
  readonly source: string
  hits: number
  misses: number
  bytes: number
}

const FLUSH_MS = 5_000

const ADD = `
  insert into source_day as d (account_id, source, day, hits, misses, bytes)
  select account_id, source, (clock_timestamp() at time zone 'utc')::date, hits, misses, bytes
    from jsonb_to_recordset($1::jsonb) as t (account_id uuid, source text, hits bigint, misses bigint, bytes bigint)
   where exists (select from account a where a.id = t.account_id) order by account_id, source
  on conflict (account_id, source, day) do update
    set hits = d.hits + excluded.hits, misses = d.misses + excluded.misses, bytes = d.bytes + excluded.bytes`

/** @param onError called once for an outage; the numbers are kept, and written when the database works again */
export function deliveryUsage(pool: Pick<pg.Pool, 'query'>, onError: (error: unknown) => void): DeliveryUsage {
  let sums = new Map<string, Sums>()
  let timer: NodeJS.Timeout | undefined
  let isFailing = false

  function add({ account_id, source, hits, misses, bytes }: Sums): void {
    const key = `${account_id} ${source}`
    const sum = sums.get(key) ?? { account_id, source, hits: 0, misses: 0, bytes: 0 }
    sum.hits += hits
    sum.misses += misses
    sum.bytes += bytes
    sums.set(key, sum)
  }
  async function write(): Promise<void> {
    timer = undefined
    if (sums.size === 0) return
    const writtenSums = [...sums.values()]
    sums = new Map()
    try {
      await pool.query(ADD, [JSON.stringify(writtenSums)])
      isFailing = false
    } catch (error) {
      for (const sum of writtenSums) add(sum)
      if (!isFailing) onError(error)
      isFailing = true
      later()
    }
  }
  function later(): void {
    timer ??= setTimeout(() => void write(), FLUSH_MS).unref()
  }
  return {
    onAnswer({ accountId, name }, outcome, bytes) {
      const isMiss = outcome === 'miss'
      add({ account_id: accountId, source: name, hits: isMiss ? 0 : 1, misses: isMiss ? 1 : 0, bytes })
      later()
    },
    async close() {
      clearTimeout(timer)
      await write()
      clearTimeout(timer)
    },
  }
}
