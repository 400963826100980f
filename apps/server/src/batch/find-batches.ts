import type { SourceFeatures } from '@pixelmill/engine/tasks/task'
import type pg from 'pg'
import type { EntryStatus } from '../contract/batch-status.ts'
import { type Batch, type BatchError, type BatchItem, isBatchId, outputName, storedRecipe } from './batch.ts'

type BatchRow = Omit<Batch, 'error'> & { readonly errorCode: string | null; readonly errorMessage: string | null }
type ItemRow = Omit<BatchItem, 'error'> & { readonly errorCode: string | null; readonly errorMessage: string | null }

const COLUMNS = `
  id, account_id as "accountId", status, format, recipe, name, quality, visual_quality as "visualQuality", max_bytes as "maxBytes",
  webhook_url as "webhookUrl", total, succeeded, failed,
  created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt", expires_at as "expiresAt",
  coalesce(expires_at <= clock_timestamp(), false) as expired, error_code as "errorCode", error_message as "errorMessage"`

const FIND = `select ${COLUMNS} from batch where id = $1 and ($2::uuid is null or account_id = $2)`

/** Batches with equal timestamps are ordered by their ids. */
const LIST = `
  select ${COLUMNS}, sums.*
    from batch cross join lateral (
      select sum(i.input_bytes)::bigint as "inputBytes", sum(i.output_bytes)::bigint as "outputBytes"
        from batch_item i where i.batch_id = batch.id and i.state = 'converted'
    ) as sums
   where account_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
   order by created_at desc, id desc limit $4`

/** The row that `add_webhook_delivery()` saved. */
const AT_EVENT = `
  select ${COLUMNS}
    from (select b.* from webhook_delivery d cross join jsonb_populate_record(null::batch, d.facts) b where d.id = $1) as batch`

const ITEMS = `
  select seq, source, state, case when state = 'converted' then output end as output, attempt, input_bytes as "inputBytes",
         output_bytes as "outputBytes", crc32, width, height, features, case when state = 'failed' then error_code end as "errorCode",
         error_message as "errorMessage"
    from batch_item where batch_id = $1 order by seq`

function errorOf({ errorCode, errorMessage }: Pick<BatchRow, 'errorCode' | 'errorMessage'>): BatchError | null {
  return errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' }
}

function batchOf({ errorCode, errorMessage, ...batch }: BatchRow): Batch {
  return { ...batch, recipe: storedRecipe(batch.recipe), error: errorOf({ errorCode, errorMessage }) }
}

/** A batch of an account, or of any account if that is null. Undefined for anything else, also for a malformed id. */
export async function findBatch(pool: pg.Pool, accountId: string | null, id: string): Promise<Batch | undefined> {
  if (!isBatchId(id)) return undefined
  const { rows } = await pool.query<BatchRow>(FIND, [id, accountId])
  return rows[0] && batchOf(rows[0])
}

/** A batch as it was at the event of a webhook delivery; it may have been deleted since. */
export async function batchAtEvent(pool: pg.Pool, deliveryId: string): Promise<Batch> {
  const { rows } = await pool.query<BatchRow>(AT_EVENT, [deliveryId])
  if (!rows[0]) throw new Error(`there is no delivery ${deliveryId}`)
  return { ...batchOf(rows[0]), expired: false }
}

/** The batches with these ids that exist, by id. */
export async function findBatches(pool: pg.Pool, ids: readonly string[]): Promise<ReadonlyMap<string, Batch>> {
  const { rows } = await pool.query<BatchRow>(`select ${COLUMNS} from batch where id = any($1)`, [ids])
  return new Map(rows.map((row) => [row.id, batchOf(row)]))
}

/** With the total bytes of its converted images; null while there are none, and after it has expired. */
export interface ListedBatch extends Batch {
  readonly inputBytes: number | null
  readonly outputBytes: number | null
}

/** An account's batches, newest first, continuing after `before`. */
export async function listBatches(
  pool: pg.Pool,
  accountId: string,
  { before, limit }: { readonly before?: Pick<Batch, 'createdAt' | 'id'> | undefined; readonly limit: number },
): Promise<readonly ListedBatch[]> {
  const { rows } = await pool.query<BatchRow & ListedBatch>(LIST, [
    accountId,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
  return rows.map(({ inputBytes, outputBytes, ...row }) => ({ ...batchOf(row), inputBytes, outputBytes }))
}

/** All entries of a batch's archive, in their order there; none after it has expired. */
export async function listItems(pool: pg.Pool, batchId: string): Promise<readonly BatchItem[]> {
  const { rows } = await pool.query<ItemRow>(ITEMS, [batchId])
  return rows.map(({ errorCode, errorMessage, ...item }) => ({ ...item, error: errorOf({ errorCode, errorMessage }) }))
}

const ITEM = `select seq, attempt, case when state = 'converted' then output end as output, output_bytes as "outputBytes"
  from batch_item where batch_id = $1 and seq = $2`

/** One entry of a batch's archive, with what its file needs; undefined where there is none. */
export async function findItem(
  pool: pg.Pool,
  batchId: string,
  seq: number,
): Promise<Pick<BatchItem, 'seq' | 'attempt' | 'output' | 'outputBytes'> | undefined> {
  const { rows } = await pool.query(ITEM, [batchId, seq])
  return rows[0]
}

/** The current state of an entry of a batch's archive. */
export interface ListedEntry extends SourceFeatures {
  /** Its index in the archive, from 0. */
  readonly seq: number
  readonly source: string
  /** Where the batch has several. */
  readonly outputName?: string
  /** Null unless converted. */
  readonly output: string | null
  readonly status: EntryStatus
  readonly inputBytes: number | null
  readonly outputBytes: number | null
  readonly width: number | null
  readonly height: number | null
  /** Only if it failed. */
  readonly error?: BatchError
}

/** Number of entries in each state, and the bytes of the converted ones. */
export interface EntryTotals extends Readonly<Record<EntryStatus, number>> {
  readonly inputBytes: number
  readonly outputBytes: number
}

/** Callers do not see whether a worker has claimed an image. */
const STATUS = `case when state = 'claimed' then 'pending' else state end`

const LIST_ENTRIES = `
  select seq, source, case when state = 'converted' then output end as output, ${STATUS} as status, input_bytes as "inputBytes",
         output_bytes as "outputBytes", width, height, features,
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
  /** Index of the last entry of the previous page. */
  readonly after?: number | undefined
  readonly status?: EntryStatus | undefined
  readonly limit: number
}

type EntryRow = Omit<ListedEntry, 'error'> & Pick<BatchItem, 'features' | 'error'>

/** A page of entries, in the archive's order; none after the batch has expired. */
export async function listEntries(
  pool: pg.Pool,
  batch: Pick<Batch, 'id' | 'recipe'>,
  { after = -1, status, limit }: EntryPage,
): Promise<readonly ListedEntry[]> {
  const { rows } = await pool.query<EntryRow>(LIST_ENTRIES, [batch.id, after, status ?? null, limit])
  return rows.map(({ features, error, ...entry }) => {
    const name = outputName(batch, entry.seq)
    return { ...entry, ...(name !== undefined && { outputName: name }), ...features, ...(error && { error }) }
  })
}

/** All 0 after the batch has expired. */
export async function totalEntries(pool: pg.Pool, batchId: string): Promise<EntryTotals> {
  const { rows } = await pool.query<EntryTotals>(TOTALS, [batchId])
  if (!rows[0]) throw new Error('the totals query returned no row')
  return rows[0]
}

export interface RunningBatches {
  readonly running: number
  /** Their images that no worker has claimed. */
  readonly imagesWaiting: number
}

const RUNNING = `
  select count(*) as running, coalesce(sum(pending), 0)::bigint as "imagesWaiting"
    from batch where account_id = $1 and finished_at is null`

/** Counts an account's unfinished batches. */
export async function runningBatches(pool: pg.Pool, accountId: string): Promise<RunningBatches> {
  const { rows } = await pool.query<RunningBatches>(RUNNING, [accountId])
  const [row] = rows
  if (!row) throw new Error('the count query returned no row')
  return row
}
