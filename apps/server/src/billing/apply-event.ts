import { sql, type Transaction } from 'kysely'
import type pg from 'pg'
import type { Database } from '../database/database.ts'
import { deleteInSlices } from '../database/delete-in-slices.ts'
import type { Schema } from '../database/schema.ts'
import { type Facts, type Notice, type Purchase, type PurchaseReference, paymentEvents } from './payment-events.ts'
import type { WebhookEvent } from './webhook-event.ts'

export type Outcome =
  | Settlement
  | 'credited_to_deleted_account'
  | 'not_ours'
  | 'other_mode'
  | 'repeated'
  | 'unknown_purchase'
  | `mismatch: ${string}`
  | `malformed: ${string}`

/** Whether money may have moved without spendable credits. */
export const needsAttention = (outcome: Outcome): boolean =>
  /^mismatch|^malformed|^unknown|^other_mode|deleted_account$/.test(outcome)

export interface Applied {
  readonly outcome: Outcome
  readonly purchaseId?: string
}

/**
 * Processes an event exactly once: the purchase is locked meanwhile, so that two servers do not process the same event concurrently.
 * @throws ApiError invalid_params when the event's object is not what Stripe documents; Stripe then retries it, and shows it as failed
 */
export async function applyEvent({ kysely }: Pick<Database, 'kysely'>, event: WebhookEvent): Promise<Applied> {
  const notice = paymentEvents.find(({ type }) => type === event.type)?.read(event.data.object)
  if (!notice?.about) return { outcome: 'not_ours' }
  const { about } = notice
  return kysely.transaction().execute((tx) => applyNotice(tx, event, about, notice.compare))
}

async function applyNotice(
  tx: Transaction<Schema>,
  { id, type }: WebhookEvent,
  about: PurchaseReference,
  compare: Notice['compare'],
): Promise<Applied> {
  const purchase = await lockPurchase(tx, about)
  // Without our metadata, it is a payment of another program.
  if (!purchase) return { outcome: 'id' in about ? 'unknown_purchase' : 'not_ours' }
  const before = await tx.selectFrom('stripe_event').select('id').where('id', '=', id).executeTakeFirst()
  if (before) return { outcome: 'repeated', purchaseId: purchase.id }
  const finding = compare(purchase)
  const outcome = 'mismatch' in finding ? (`mismatch: ${finding.mismatch}` as const) : await settle(tx, purchase, finding)
  await tx.insertInto('stripe_event').values({ id, type, purchase_id: purchase.id, outcome }).execute()
  return { outcome, purchaseId: purchase.id }
}

/** A checkout may be paid up to 24 hours after it was opened; its account may be deleted meanwhile. */
async function settle(tx: Transaction<Schema>, purchase: Purchase, facts: Facts): Promise<Outcome> {
  const settlement = await settlePurchase(tx, purchase, facts)
  if (settlement !== 'credited') return settlement
  const account = await tx.selectFrom('account').select('deleted_at').where('id', '=', purchase.account_id).executeTakeFirst()
  return account?.deleted_at ? 'credited_to_deleted_account' : settlement
}

const lockPurchase = (tx: Transaction<Schema>, about: PurchaseReference): Promise<Purchase | undefined> =>
  tx
    .selectFrom('purchase')
    .selectAll()
    .where((is) => ('id' in about ? is('id', '=', about.id) : is('payment_intent', '=', about.paymentIntent)))
    .forUpdate()
    .executeTakeFirst()

export type Settlement = 'credited' | 'taken_back' | 'noted'

/**
 * Saves facts about a purchase that the transaction has locked, and adds the ledger entries that follow from all known facts. The
 * result does not depend on the order of events: a refund may arrive before its payment.
 */
async function settlePurchase(tx: Transaction<Schema>, before: Purchase, facts: Facts): Promise<Settlement> {
  const { paid, ended, ...known } = facts
  const after = { ...before, ...known }
  const isPaid = before.paid_at !== null || paid === true
  const due = isPaid ? creditsLost(after) : 0
  await tx
    .updateTable('purchase')
    .set({
      ...known,
      status: statusOf(after, isPaid, ended),
      credits_taken_back: due,
      ...(before.paid_at === null && isPaid && { paid_at: sql<Date>`clock_timestamp()` }),
    })
    .where('id', '=', before.id)
    .execute()

  const isCredited = before.paid_at === null && isPaid
  if (isCredited) await addCredits(tx, before.account_id, 'purchase', before.credits, before.id)
  const back = due - before.credits_taken_back
  // The reference contains the total: the same loss is never entered twice.
  if (back > 0) await addCredits(tx, before.account_id, 'purchase_refund', -back, `${before.id}:${due}`)
  return back > 0 ? 'taken_back' : isCredited ? 'credited' : 'noted'
}

/** Credits to take back for refunded money: proportional, rounded in the buyer's favour, and all of them for a full refund. */
function creditsLost({ credits, amount, refunded_amount, disputed_amount }: Purchase): number {
  const lostAmount = BigInt(Math.min(amount, refunded_amount + disputed_amount))
  return Number((BigInt(credits) * lostAmount) / BigInt(amount))
}

function statusOf(purchase: Purchase, isPaid: boolean, endReason: Facts['ended']): Purchase['status'] {
  if (isPaid) return purchase.refunded_amount + purchase.disputed_amount >= purchase.amount ? 'refunded' : 'paid'
  return purchase.status === 'pending' ? (endReason ?? 'pending') : purchase.status
}

/** Adds a ledger entry, once for each kind and reference. */
async function addCredits(
  tx: Transaction<Schema>,
  accountId: string,
  kind: 'purchase' | 'purchase_refund',
  credits: number,
  reference: string,
): Promise<void> {
  await sql`select add_credits(${accountId}::uuid, ${kind}, ${credits}::bigint, ${reference})`.execute(tx)
}

/** Deletes the ids of events that were processed more than 90 days ago; returns how many. */
export const forgetOldEvents = (pool: pg.Pool): Promise<number> =>
  deleteInSlices(pool, 'stripe_event', "at < now() - interval '90 days'")
