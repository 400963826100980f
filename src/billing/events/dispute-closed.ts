import { z } from 'zod'
import { definePaymentEvent } from '../payment-event.ts'

const dispute = z.object({
  payment_intent: z.string().nullable(),
  status: z.string(),
  currency: z.string(),
  amount: z.int(),
})

/** A dispute has no metadata of ours, and comes weeks after the payment: the payment intent is known by then. */
export const disputeClosed = definePaymentEvent({
  type: 'charge.dispute.closed',
  object: dispute,
  about: ({ payment_intent }) => (payment_intent === null ? undefined : { paymentIntent: payment_intent }),
  compare({ status, currency, amount }, purchase) {
    if (status !== 'lost') return {}
    // Stripe: "it can differ (usually because of currency fluctuation)". Then all of the purchase is taken to be lost.
    const lost = currency === purchase.currency ? Math.min(amount, purchase.amount) : purchase.amount
    // A payment may be disputed more than once: what was lost does not come back with a smaller loss.
    return { disputed_amount: Math.max(purchase.disputed_amount, lost) }
  },
})
