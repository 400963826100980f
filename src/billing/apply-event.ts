import type { Transaction } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { paymentEvents } from './events/index.ts'
import type { Notice, Purchase, PurchaseReference } from './payment-event.ts'
import { type Settlement, settlePurchase } from './settle-purchase.ts'
import type { WebhookEvent } from './webhook-event.ts'

export type Outcome =
  | Settlement
  | 'not_ours'
  | 'other_mode'
  | 'repeated'
  | 'unknown_purchase'
  | `mismatch: ${string}`
  | `malformed: ${string}`

/** Whether money may have moved that nobody has credited. */
export const needsAttention = (outcome: Outcome): boolean => /^mismatch|^malformed|^unknown|^other_mode/.test(outcome)

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
  const outcome = 'mismatch' in finding ? (`mismatch: ${finding.mismatch}` as const) : await settlePurchase(tx, purchase, finding)
  await tx.insertInto('stripe_event').values({ id, type, purchase_id: purchase.id, outcome }).execute()
  return { outcome, purchaseId: purchase.id }
}

const lockPurchase = (tx: Transaction<Schema>, about: PurchaseReference): Promise<Purchase | undefined> =>
  tx
    .selectFrom('purchase')
    .selectAll()
    .where((is) => ('id' in about ? is('id', '=', about.id) : is('payment_intent', '=', about.paymentIntent)))
    .forUpdate()
    .executeTakeFirst()
