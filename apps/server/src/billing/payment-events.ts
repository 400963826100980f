import { parseJson } from '@pixelmill/codecs/contract/parse'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { PurchaseTable } from '../database/schema.ts'

/** One type of event that Stripe sends. */
export interface PaymentEvent {
  readonly type: string
  /** @throws ApiError invalid_params when the object is not what Stripe documents */
  readonly read: (object: unknown) => Notice
}

/** An event whose object has been read, and which is not yet compared with the purchase it names. */
export interface Notice {
  /** Undefined for a payment that another program took. */
  readonly about: PurchaseReference | undefined
  readonly compare: (purchase: Purchase) => Finding
}

export type PurchaseReference = { readonly id: string } | { readonly paymentIntent: string }

export type Purchase = Readonly<Selectable<PurchaseTable>>

/** Facts, or why the event cannot be about this purchase. */
export type Finding = Facts | { readonly mismatch: string }

/** What an event says about a purchase. Events may come in any order and more than once. */
export interface Facts {
  readonly paid?: true
  /** How an unpaid purchase ended. A payment that arrives all the same takes precedence. */
  readonly ended?: 'failed' | 'expired'
  readonly session_id?: string
  readonly payment_intent?: string
  /** In all, in the purchase's currency. */
  readonly refunded_amount?: number
  readonly disputed_amount?: number
}

/** The key of our purchase in the metadata of Stripe's objects; other programs may use the same Stripe account. */
export const PURCHASE_KEY = 'pixelmill_purchase'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const metadataSchema = z.record(z.string(), z.string()).nullable()

/** The purchase that metadata name; undefined for what another program made. */
function purchaseIn(metadata: z.output<typeof metadataSchema>): PurchaseReference | undefined {
  const id = metadata?.[PURCHASE_KEY]
  return id !== undefined && UUID.test(id) ? { id } : undefined
}

/** What is read of Stripe's Checkout Session. Sessions of other programs lack some of what ours have. */
const checkoutSession = z.object({
  id: z.string(),
  client_reference_id: z.string().nullable(),
  metadata: metadataSchema,
  amount_total: z.int().nullable(),
  currency: z.string().nullable(),
  payment_status: z.string(),
  payment_intent: z.string().nullable(),
})

type CheckoutSession = z.output<typeof checkoutSession>

const charge = z.object({
  metadata: metadataSchema,
  payment_intent: z.string().nullable(),
  currency: z.string(),
  amount: z.int(),
  /** In all refunds of this charge so far. */
  amount_refunded: z.int(),
})

const dispute = z.object({
  payment_intent: z.string().nullable(),
  status: z.string(),
  currency: z.string(),
  amount: z.int(),
})

/** Pairs what is read of an event's object with what follows from it. */
function event<Schema extends z.ZodType>(row: {
  readonly type: string
  readonly object: Schema
  readonly about: (object: z.output<Schema>) => PurchaseReference | undefined
  readonly compare: (object: z.output<Schema>, purchase: Purchase) => Finding
}): PaymentEvent {
  return {
    type: row.type,
    read(raw) {
      const object = parseJson(row.object, raw)
      return { about: row.about(object), compare: (purchase) => row.compare(object, purchase) }
    },
  }
}

/** An event about a Checkout Session. A session is accepted only where it agrees with what we offered for sale. */
const sessionEvent = (type: string, factsOf: (session: CheckoutSession) => Facts): PaymentEvent =>
  event({
    type,
    object: checkoutSession,
    about: ({ metadata }) => purchaseIn(metadata),
    compare(session, purchase) {
      const { id, client_reference_id, amount_total, currency } = session
      if (purchase.session_id !== null && purchase.session_id !== id) return { mismatch: 'another session' }
      if (client_reference_id !== purchase.id) return { mismatch: 'another reference' }
      if (amount_total !== purchase.amount) return { mismatch: 'another amount' }
      if (currency !== purchase.currency) return { mismatch: 'another currency' }
      return factsOf(session)
    },
  })

/** Paid, or not yet: a bank transfer completes the session days before the money arrives. */
const payment = ({ id, payment_status, payment_intent }: CheckoutSession): Facts => ({
  session_id: id,
  ...(payment_intent !== null && { payment_intent }),
  ...(payment_status === 'paid' && { paid: true }),
})

/** Every event that changes a purchase; docs/billing.md tells operators to send these. All others are ignored. */
export const paymentEvents: readonly PaymentEvent[] = [
  sessionEvent('checkout.session.completed', payment),
  sessionEvent('checkout.session.async_payment_succeeded', payment),
  sessionEvent('checkout.session.async_payment_failed', ({ id }) => ({ session_id: id, ended: 'failed' })),
  sessionEvent('checkout.session.expired', ({ id }) => ({ session_id: id, ended: 'expired' })),
  event({
    type: 'charge.refunded',
    object: charge,
    about: ({ metadata }) => purchaseIn(metadata),
    compare({ payment_intent, amount, currency, amount_refunded }, purchase) {
      if (purchase.payment_intent !== null && purchase.payment_intent !== payment_intent) return { mismatch: 'another payment' }
      if (amount !== purchase.amount) return { mismatch: 'another amount' }
      if (currency !== purchase.currency) return { mismatch: 'another currency' }
      // An older event may come after a newer one.
      return { refunded_amount: Math.max(purchase.refunded_amount, amount_refunded) }
    },
  }),
  // A dispute has no metadata of ours, and comes weeks after the payment: the payment intent is known by then.
  event({
    type: 'charge.dispute.closed',
    object: dispute,
    about: ({ payment_intent }) => (payment_intent === null ? undefined : { paymentIntent: payment_intent }),
    compare({ status, currency, amount }, purchase) {
      if (status !== 'lost') return {}
      // Stripe: "it can differ (usually because of currency fluctuation)". Then the whole purchase counts as lost.
      const lostAmount = currency === purchase.currency ? Math.min(amount, purchase.amount) : purchase.amount
      // A payment may be disputed more than once: a smaller loss does not undo a larger one.
      return { disputed_amount: Math.max(purchase.disputed_amount, lostAmount) }
    },
  }),
]
