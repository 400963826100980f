import type { Transaction } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { paymentEvents } from './events/index.ts'
import type { Facts, Notice, Purchase, PurchaseReference } from './payment-event.ts'
import { type Settlement, settlePurchase } from './settle-purchase.ts'
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

/** Whether money may have moved for which nobody got credits that can be spent. */
export const needsAttention = (outcome: Outcome): boolean =>
  /^mismatch|^malformed|^unknown|^other_mode|deleted_account$/.test(outcome)

export interface Applied {
  readonly outcome: Outcome
  readonly purchaseId?: string
}

/**
 * Works an event off, once: the purchase is locked meanwhile, so that the same event on two servers is worked off in turn.
 * @throws ApiError invalid_params when the event's object is not what Stripe documents: Stripe then sends it again, and shows
 * it as failed
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
  // Without metadata of ours, it is a payment that another program took.
  if (!purchase) return { outcome: 'id' in about ? 'unknown_purchase' : 'not_ours' }
  const before = await tx.selectFrom('stripe_event').select('id').where('id', '=', id).executeTakeFirst()
  if (before) return { outcome: 'repeated', purchaseId: purchase.id }
  const finding = compare(purchase)
  const outcome = 'mismatch' in finding ? (`mismatch: ${finding.mismatch}` as const) : await settle(tx, purchase, finding)
  await tx.insertInto('stripe_event').values({ id, type, purchase_id: purchase.id, outcome }).execute()
  return { outcome, purchaseId: purchase.id }
}

/** A page of Stripe's may be paid up to 24 hours after it was opened, and its account be deleted meanwhile. */
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
