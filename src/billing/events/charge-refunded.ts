import { z } from 'zod'
import { definePaymentEvent, metadataSchema, purchaseIn } from '../payment-event.ts'

const charge = z.object({
  metadata: metadataSchema,
  payment_intent: z.string().nullable(),
  currency: z.string(),
  amount: z.int(),
  /** In all refunds of this charge so far. */
  amount_refunded: z.int(),
})

export const chargeRefunded = definePaymentEvent({
  type: 'charge.refunded',
  object: charge,
  about: ({ metadata }) => purchaseIn(metadata),
  compare(refunded, purchase) {
    const { payment_intent, amount, currency, amount_refunded } = refunded
    if (purchase.payment_intent !== null && purchase.payment_intent !== payment_intent) return { mismatch: 'another payment' }
    if (amount !== purchase.amount) return { mismatch: 'another amount' }
    if (currency !== purchase.currency) return { mismatch: 'another currency' }
    // An older event may come after a newer one.
    return { refunded_amount: Math.max(purchase.refunded_amount, amount_refunded) }
  },
})
