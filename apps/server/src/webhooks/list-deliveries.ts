import { component } from '@pixelmill/codecs/contract/component'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { z } from 'zod'
import { type Actor, record } from '../accounts/audit.ts'
import { redeliveryOf, takeAttempt } from '../accounts/throttle.ts'
import { ApiError } from '../contract/api-error.ts'
import { pageOf, readCursor } from '../contract/cursor.ts'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'

/** Attempts shown for each delivery, the latest; the schedule has eleven. */
const ATTEMPTS_SHOWN = 20

const deliveryAttempt = z
  .object({
    number: z.int().min(1),
    at: z.iso.datetime(),
    status: z.int().optional().describe('HTTP status of the response; absent if there was none.'),
    error: z.string().optional().describe('Why the attempt failed.'),
    durationMs: z.int().optional().describe('Absent while the attempt is in progress, or if the server process ended during it.'),
  })
  .meta(component('WebhookAttempt'))

/** A delivery as its owner sees it. */
export const webhookDelivery = z
  .object({
    id: z.uuid().describe('The `webhook-id` header, the same at every attempt.'),
    batchId: z.uuid(),
    type: z.string().describe('`batch.completed` or `batch.failed`.'),
    url: z.string(),
    status: z
      .enum(['pending', 'delivered', 'failed', 'stopped'])
      .describe('`failed`: no attempt is left; `stopped`: the server answered 410.'),
    attempts: z.array(deliveryAttempt).describe(`Oldest first; only the latest ${ATTEMPTS_SHOWN}.`),
    nextAttemptAt: z.iso.datetime().optional(),
    createdAt: z.iso.datetime(),
    deliveredAt: z.iso.datetime().optional().describe('When it was first accepted.'),
  })
  .meta(component('WebhookDelivery'))

export type WebhookDelivery = z.output<typeof webhookDelivery>

interface DeliveryRow {
  readonly id: string
  readonly batchId: string
  readonly type: string
  readonly url: string
  readonly status: WebhookDelivery['status']
  readonly nextAttemptAt: Date | null
  readonly createdAt: Date
  /** A Date has milliseconds only, with which rows would be lost between two pages. */
  readonly createdMicros: number
  readonly deliveredAt: Date | null
}

interface AttemptRow {
  readonly deliveryId: string
  readonly number: number
  readonly at: Date
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number | null
}

const COLUMNS = `
  id, batch_id as "batchId", event as type, url, status, next_attempt_at as "nextAttemptAt", created_at as "createdAt",
  (extract(epoch from created_at) * 1000000)::bigint as "createdMicros", delivered_at as "deliveredAt"`

const LIST = `
  select ${COLUMNS} from webhook_delivery
   where account_id = $1 and ($2::uuid is null or batch_id = $2)
     and ($3::bigint is null or (created_at, id) < (timestamptz 'epoch' + $3 * interval '1 microsecond', $4::uuid))
   order by created_at desc, id desc limit $5`

const ATTEMPTS = `
  select a.delivery_id as "deliveryId", a.number, a.at, a.http_status as status, a.error, a.duration_ms as "durationMs"
    from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id
   where d.id = any($1) and a.number > d.attempts - ${ATTEMPTS_SHOWN} order by a.number`

const cursorKey = z.tuple([z.int().min(0), z.uuid()])

export interface DeliveriesWanted {
  /** Only those of this batch. */
  readonly batch?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

/**
 * Deliveries of an account, newest first.
 * @throws ApiError invalid_params for a cursor that is none
 */
export async function listDeliveries(pool: pg.Pool, accountId: string, { batch, cursor, limit }: DeliveriesWanted) {
  const [micros = null, id = null] = readCursor(cursorKey, cursor) ?? []
  const { rows } = await pool.query<DeliveryRow>(LIST, [accountId, batch ?? null, micros, id, limit + 1])
  const page = pageOf(rows, limit, (row) => [row.createdMicros, row.id])
  return { data: await withAttempts(pool, page.data), nextCursor: page.nextCursor }
}

/** One delivery of an account; undefined when it has none of this id. */
async function findDelivery(pool: pg.Pool, accountId: string, id: string): Promise<WebhookDelivery | undefined> {
  const { rows } = await pool.query<DeliveryRow>(`select ${COLUMNS} from webhook_delivery where account_id = $1 and id = $2`, [
    accountId,
    id,
  ])
  const [delivery] = await withAttempts(pool, rows)
  return delivery
}

async function withAttempts(pool: pg.Pool, deliveries: readonly DeliveryRow[]): Promise<readonly WebhookDelivery[]> {
  const { rows } = await pool.query<AttemptRow>(ATTEMPTS, [deliveries.map(({ id }) => id)])
  const attemptsOf = Map.groupBy(rows, ({ deliveryId }) => deliveryId)
  return deliveries.map((row) => ({
    id: row.id,
    batchId: row.batchId,
    type: row.type,
    url: row.url,
    status: row.status,
    attempts: (attemptsOf.get(row.id) ?? []).map(toAttempt),
    ...(row.nextAttemptAt && { nextAttemptAt: row.nextAttemptAt.toISOString() }),
    createdAt: row.createdAt.toISOString(),
    ...(row.deliveredAt && { deliveredAt: row.deliveredAt.toISOString() }),
  }))
}

const toAttempt = ({ number, at, status, error, durationMs }: AttemptRow): WebhookDelivery['attempts'][number] => ({
  number,
  at: at.toISOString(),
  ...(status !== null && { status }),
  ...(error !== null && { error }),
  ...(durationMs !== null && { durationMs }),
})

/**
 * Makes a delivery of an account due at once, whatever its status. If the attempt fails, the rest of the schedule applies. While
 * an attempt is in progress nothing changes.
 * @throws ApiError not_found; rate_limited
 */
export async function redeliver(
  { kysely, pool }: Pick<Database, 'kysely' | 'pool'>,
  actor: Actor,
  accountId: string,
  id: string,
): Promise<WebhookDelivery> {
  // PostgreSQL compares nothing else with a uuid.
  if (!z.uuid().safeParse(id).success || !(await findDelivery(pool, accountId, id))) throw new ApiError('not_found')
  await takeAttempt(kysely, redeliveryOf(accountId))
  await kysely.transaction().execute((tx) => makeDue(tx, actor, accountId, id))
  const delivery = await findDelivery(pool, accountId, id)
  if (!delivery) throw new ApiError('not_found')
  return delivery
}

async function makeDue(tx: Parameters<typeof record>[0], actor: Actor, accountId: string, id: string): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  const row = await notUnderWay(tx, accountId, id)
    .set({ status: 'pending', next_attempt_at: now })
    .returning('batch_id')
    .executeTakeFirst()
  if (row) await record(tx, actor, 'webhook_redelivered', accountId, { deliveryId: id, batchId: row.batch_id })
}

const notUnderWay = (tx: Kysely<Schema>, accountId: string, id: string) =>
  tx
    .updateTable('webhook_delivery')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where((row) => row.or([row('claimed_until', 'is', null), row('claimed_until', '<=', sql<Date>`clock_timestamp()`)]))
