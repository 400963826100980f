import type pg from 'pg'
import type { Batch, BatchError, BatchItem } from './batch.ts'
import { isBatchId } from './batch-id.ts'

type BatchRow = Omit<Batch, 'error'> & { readonly errorCode: string | null; readonly errorMessage: string | null }
type ItemRow = Omit<BatchItem, 'error'> & { readonly errorCode: string | null; readonly errorMessage: string | null }

const COLUMNS = `
  id, account_id as "accountId", status, format, name, quality, webhook_url as "webhookUrl", total, succeeded, failed,
  created_at as "createdAt", started_at as "startedAt", finished_at as "finishedAt", expires_at as "expiresAt",
  coalesce(expires_at <= clock_timestamp(), false) as expired, error_code as "errorCode", error_message as "errorMessage"`

const FIND = `select ${COLUMNS} from batch where id = $1 and ($2::uuid is null or account_id = $2)`

/** Two batches of one moment are told apart by their ids. */
const LIST = `
  select ${COLUMNS}, sums.*
    from batch cross join lateral (
      select sum(i.input_bytes)::bigint as "inputBytes", sum(i.output_bytes)::bigint as "outputBytes"
        from batch_item i where i.batch_id = batch.id and i.state = 'converted'
    ) as sums
   where account_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
   order by created_at desc, id desc limit $4`

/** The row that `add_webhook_delivery()` kept. */
const AT_EVENT = `
  select ${COLUMNS}
    from (select b.* from webhook_delivery d cross join jsonb_populate_record(null::batch, d.facts) b where d.id = $1) as batch`

const ITEMS = `
  select seq, source, state, case when state = 'converted' then output end as output, attempt, input_bytes as "inputBytes",
         output_bytes as "outputBytes", crc32, width, height, case when state = 'failed' then error_code end as "errorCode",
         error_message as "errorMessage"
    from batch_item where batch_id = $1 order by seq`

function errorOf({ errorCode, errorMessage }: Pick<BatchRow, 'errorCode' | 'errorMessage'>): BatchError | null {
  return errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' }
}

function batchOf({ errorCode, errorMessage, ...batch }: BatchRow): Batch {
  return { ...batch, error: errorOf({ errorCode, errorMessage }) }
}

/** A batch of an account; of any account when that is null. Undefined for what is no id, or that of another account's. */
export async function findBatch(pool: pg.Pool, accountId: string | null, id: string): Promise<Batch | undefined> {
  if (!isBatchId(id)) return undefined
  const { rows } = await pool.query<BatchRow>(FIND, [id, accountId])
  return rows[0] && batchOf(rows[0])
}

/** A batch as it was at the event that a delivery tells of, though it may have been removed since. */
export async function batchAtEvent(pool: pg.Pool, deliveryId: string): Promise<Batch> {
  const { rows } = await pool.query<BatchRow>(AT_EVENT, [deliveryId])
  if (!rows[0]) throw new Error(`there is no delivery ${deliveryId}`)
  return { ...batchOf(rows[0]), expired: false }
}

/** Those of these batches that exist, by their ids. */
export async function findBatches(pool: pg.Pool, ids: readonly string[]): Promise<ReadonlyMap<string, Batch>> {
  const { rows } = await pool.query<BatchRow>(`select ${COLUMNS} from batch where id = any($1)`, [ids])
  return new Map(rows.map((row) => [row.id, batchOf(row)]))
}

/** With the bytes of its converted images; null while there are none, and once it has expired. */
export interface ListedBatch extends Batch {
  readonly inputBytes: number | null
  readonly outputBytes: number | null
}

/** An account's batches, newest first, after the place of `before`. */
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

/** All entries of a batch's archive, in its order; none once it has expired. */
export async function listItems(pool: pg.Pool, batchId: string): Promise<readonly BatchItem[]> {
  const { rows } = await pool.query<ItemRow>(ITEMS, [batchId])
  return rows.map(({ errorCode, errorMessage, ...item }) => ({ ...item, error: errorOf({ errorCode, errorMessage }) }))
}
