import { z } from 'zod'
import { type Finding, metadataSchema, type Purchase, purchaseIn } from '../payment-event.ts'

/** What is read of Stripe's Checkout Session. Other programs' sessions leave out what ours have. */
export const checkoutSession = z.object({
  id: z.string(),
  client_reference_id: z.string().nullable(),
  metadata: metadataSchema,
  amount_total: z.int().nullable(),
  currency: z.string().nullable(),
  payment_status: z.string(),
  payment_intent: z.string().nullable(),
})

type CheckoutSession = z.output<typeof checkoutSession>

export const aboutSession = ({ metadata }: CheckoutSession) => purchaseIn(metadata)

/** A session is believed only where it agrees with what we offered for sale. */
export function compareSession(session: CheckoutSession, purchase: Purchase, finding: Finding): Finding {
  const { id, client_reference_id, amount_total, currency } = session
  if (purchase.session_id !== null && purchase.session_id !== id) return { mismatch: 'another session' }
  if (client_reference_id !== purchase.id) return { mismatch: 'another reference' }
  if (amount_total !== purchase.amount) return { mismatch: 'another amount' }
  if (currency !== purchase.currency) return { mismatch: 'another currency' }
  return finding
}

/** Paid, or on its way: a bank transfer completes the session days before the money comes. */
export function payment({ id, payment_status, payment_intent }: CheckoutSession): Finding {
  return {
    session_id: id,
    ...(payment_intent !== null && { payment_intent }),
    ...(payment_status === 'paid' && { paid: true }),
  }
}
