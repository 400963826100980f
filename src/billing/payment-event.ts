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
