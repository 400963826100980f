import type pg from 'pg'
import type { EntryStatus } from '../contract/batch-status.ts'
import type { BatchError } from './batch.ts'

/** An entry of a batch's archive as it is now. */
export interface ListedEntry {
  /** Its place in the archive, from 0. */
  readonly seq: number
  readonly source: string
  /** Null unless converted. */
  readonly output: string | null
  readonly status: EntryStatus
  readonly inputBytes: number | null
  readonly outputBytes: number | null
  readonly width: number | null
  readonly height: number | null
  /** Only of what failed. */
  readonly error?: BatchError
}

/** How many entries are in which state, and the bytes of those that were converted. */
export interface EntryTotals extends Readonly<Record<EntryStatus, number>> {
  readonly inputBytes: number
  readonly outputBytes: number
}

/** Who works on an image is no business of the caller's. */
const STATUS = `case when state = 'claimed' then 'pending' else state end`

const LIST = `
  select seq, source, case when state = 'converted' then output end as output, ${STATUS} as status, input_bytes as "inputBytes",
         output_bytes as "outputBytes", width, height,
         case when state = 'failed' then jsonb_build_object('code', error_code, 'message', coalesce(error_message, '')) end as error
    from batch_item
   where batch_id = $1 and seq > $2 and ($3::text is null or ${STATUS} = $3)
   order by seq limit $4`

const TOTALS = `
  select count(*) filter (where state in ('pending', 'claimed'))::int as pending,
         count(*) filter (where state = 'converted')::int as converted,
         count(*) filter (where state = 'failed')::int as failed,
         count(*) filter (where state = 'skipped')::int as skipped,
         coalesce(sum(input_bytes) filter (where state = 'converted'), 0)::bigint as "inputBytes",
         coalesce(sum(output_bytes) filter (where state = 'converted'), 0)::bigint as "outputBytes"
    from batch_item where batch_id = $1`

interface EntryPage {
  /** The place of the last entry of the page before. */
  readonly after?: number | undefined
  readonly status?: EntryStatus | undefined
  readonly limit: number
}

/** Entries in the archive's order; none once the batch has expired. */
export async function listEntries(
  pool: pg.Pool,
  batchId: string,
  { after = -1, status, limit }: EntryPage,
): Promise<readonly ListedEntry[]> {
  const { rows } = await pool.query<Omit<ListedEntry, 'error'> & { readonly error: BatchError | null }>(LIST, [
    ...[batchId, after],
    ...[status ?? null, limit],
  ])
  return rows.map(({ error, ...entry }) => ({ ...entry, ...(error && { error }) }))
}

/** All of them 0 once the batch has expired. */
export async function totalEntries(pool: pg.Pool, batchId: string): Promise<EntryTotals> {
  const { rows } = await pool.query<EntryTotals>(TOTALS, [batchId])
  if (!rows[0]) throw new Error('a count has a row')
  return rows[0]
}
