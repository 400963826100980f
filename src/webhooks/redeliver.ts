import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { type Actor, record } from '../accounts/audit.ts'
import { redeliveryOf, takeAttempt } from '../accounts/throttle.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { findDelivery, type WebhookDelivery } from './list-deliveries.ts'

/**
 * Has a delivery of an account attempted at once, whatever became of it before. If that fails it is tried again as the
 * schedule says, if that has something left. While an attempt is under way nothing changes.
 * @throws ApiError not_found; rate_limited
 */
export async function redeliver(
  { kysely, pool }: Pick<Database, 'kysely' | 'pool'>,
  actor: Actor,
  accountId: string,
  id: string,
): Promise<WebhookDelivery> {
  // PostgreSQL would refuse to compare anything else.
  if (!z.uuid().safeParse(id).success || !(await findDelivery(pool, accountId, id))) throw new ApiError('not_found')
  await takeAttempt(kysely, redeliveryOf(accountId))
  await kysely.transaction().execute((tx) => makeDue(tx, actor, accountId, id))
  const delivery = await findDelivery(pool, accountId, id)
  if (!delivery) throw new ApiError('not_found')
  return delivery
}

async function makeDue(tx: Parameters<typeof record>[0], actor: Actor, accountId: string, id: string): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  const row = await atRest(tx, accountId, id)
    .set({ status: 'pending', next_attempt_at: now })
    .returning('batch_id')
    .executeTakeFirst()
  if (row) await record(tx, actor, 'webhook_redelivered', accountId, { deliveryId: id, batchId: row.batch_id })
}

const atRest = (tx: Kysely<Schema>, accountId: string, id: string) =>
  tx
    .updateTable('webhook_delivery')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where((row) => row.or([row('claimed_until', 'is', null), row('claimed_until', '<=', sql<Date>`clock_timestamp()`)]))
