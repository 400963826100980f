import { sql, type Transaction } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { Facts, Purchase } from './payment-event.ts'

export type Settlement = 'credited' | 'taken_back' | 'noted'

/**
 * Writes down facts about a purchase that the transaction has locked, and books what follows from all that is known by
 * now: so a refund that comes before the payment ends where one that comes after it ends.
 */
export async function settlePurchase(tx: Transaction<Schema>, before: Purchase, facts: Facts): Promise<Settlement> {
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

  const credited = before.paid_at === null && isPaid
  if (credited) await bookCredits(tx, before.account_id, 'purchase', before.credits, before.id)
  const back = due - before.credits_taken_back
  // The reference says how many in all: the same loss is never booked twice.
  if (back > 0) await bookCredits(tx, before.account_id, 'purchase_refund', -back, `${before.id}:${due}`)
  return back > 0 ? 'taken_back' : credited ? 'credited' : 'noted'
}

/** Credits that go with the money that went back: in proportion, in the buyer's favour, and all of them at the end. */
export function creditsLost({ credits, amount, refunded_amount, disputed_amount }: Purchase): number {
  const lost = BigInt(Math.min(amount, refunded_amount + disputed_amount))
  return Number((BigInt(credits) * lost) / BigInt(amount))
}

function statusOf(purchase: Purchase, isPaid: boolean, ended: Facts['ended']): Purchase['status'] {
  if (isPaid) return purchase.refunded_amount + purchase.disputed_amount >= purchase.amount ? 'refunded' : 'paid'
  return purchase.status === 'pending' ? (ended ?? 'pending') : purchase.status
}

/** Books once for each kind and reference: migration 0004. */
async function bookCredits(
  tx: Transaction<Schema>,
  accountId: string,
  kind: 'purchase' | 'purchase_refund',
  credits: number,
  reference: string,
): Promise<void> {
  await sql`select add_credits(${accountId}::uuid, ${kind}, ${credits}::bigint, ${reference})`.execute(tx)
}
