import type { Selectable } from 'kysely'
import { z } from 'zod'
import { parseJson } from '../contract/parse.ts'
import type { PurchaseTable } from '../database/schema.ts'

export type Purchase = Readonly<Selectable<PurchaseTable>>

/** Under which our purchase stands in the metadata of Stripe's objects; other programs may use the same Stripe account. */
export const PURCHASE_KEY = 'pixelmill_purchase'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const metadataSchema = z.record(z.string(), z.string()).nullable()

export type PurchaseReference = { readonly id: string } | { readonly paymentIntent: string }

/** The purchase that metadata name; undefined for what another program made. */
export function purchaseIn(metadata: z.output<typeof metadataSchema>): PurchaseReference | undefined {
  const id = metadata?.[PURCHASE_KEY]
  return id !== undefined && UUID.test(id) ? { id } : undefined
}

/** What an event says, as facts about a purchase: they may come in any order and more than once. */
export interface Facts {
  readonly paid?: true
  /** How an unpaid purchase ended; money that arrived all the same wins. */
  readonly ended?: 'failed' | 'expired'
  readonly session_id?: string
  readonly payment_intent?: string
  /** In all, in the purchase's currency. */
  readonly refunded_amount?: number
  readonly disputed_amount?: number
}

/** Facts, or why the event cannot be about this purchase. */
export type Finding = Facts | { readonly mismatch: string }

/** An event whose object has been read, and which has yet to be compared with the purchase it names. */
export interface Notice {
  readonly about: PurchaseReference | undefined
  readonly compare: (purchase: Purchase) => Finding
}

/** One type of event that Stripe sends. */
export interface PaymentEvent {
  readonly type: string
  /** @throws ApiError invalid_params when the object is not what Stripe documents */
  readonly read: (object: unknown) => Notice
}

/** Pairs what is read of the event's object with what follows from it. */
export function definePaymentEvent<Schema extends z.ZodType>(event: {
  readonly type: string
  readonly object: Schema
  readonly about: (object: z.output<Schema>) => PurchaseReference | undefined
  readonly compare: (object: z.output<Schema>, purchase: Purchase) => Finding
}): PaymentEvent {
  return {
    type: event.type,
    read(raw) {
      const object = parseJson(event.object, raw)
      return { about: event.about(object), compare: (purchase) => event.compare(object, purchase) }
    },
  }
}

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

export const sessionCompleted = definePaymentEvent({
  type: 'checkout.session.completed',
  object: checkoutSession,
  about: aboutSession,
  compare: (session, purchase) => compareSession(session, purchase, payment(session)),
})

export const sessionPaidLater = definePaymentEvent({
  type: 'checkout.session.async_payment_succeeded',
  object: checkoutSession,
  about: aboutSession,
  compare: (session, purchase) => compareSession(session, purchase, payment(session)),
})

export const sessionPaymentFailed = definePaymentEvent({
  type: 'checkout.session.async_payment_failed',
  object: checkoutSession,
  about: aboutSession,
  compare: (session, purchase) => compareSession(session, purchase, { session_id: session.id, ended: 'failed' }),
})

export const sessionExpired = definePaymentEvent({
  type: 'checkout.session.expired',
  object: checkoutSession,
  about: aboutSession,
  compare: (session, purchase) => compareSession(session, purchase, { session_id: session.id, ended: 'expired' }),
})

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

/** Every event that changes a purchase; docs/billing.md tells operators to send these. All others are ignored. */
export const paymentEvents: readonly PaymentEvent[] = [
  sessionCompleted,
  sessionPaidLater,
  sessionPaymentFailed,
  sessionExpired,
  chargeRefunded,
  disputeClosed,
]
