import type { Kysely } from 'kysely'
import type Stripe from 'stripe'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import type { CreditPackage } from './packages.ts'
import { PURCHASE_KEY } from './payment-events.ts'

export interface Buyer {
  readonly accountId: string
  readonly email: string
}

/** Where Stripe redirects the browser afterwards. */
export interface ReturnAddresses {
  success(purchaseId: string): string
  readonly cancel: string
}

/** For all attempts together: a browser waits for the answer. */
const DEADLINE_MS = 25_000

/**
 * Starts a purchase and returns the URL where the buyer pays. Credits are added when Stripe's event arrives.
 * @throws ApiError billing_provider_error when Stripe refuses, fails or takes too long
 */
export async function beginCheckout(
  { kysely }: Pick<Database, 'kysely'>,
  stripe: Stripe,
  buyer: Buyer,
  chosenPackage: CreditPackage,
  addresses: ReturnAddresses,
): Promise<string> {
  const { credits, price } = chosenPackage
  // Before the request to Stripe: an event may arrive before its response.
  const { id } = await kysely
    .insertInto('purchase')
    .values({ account_id: buyer.accountId, package_id: chosenPackage.id, credits, ...price })
    .returning('id')
    .executeTakeFirstOrThrow()
  const session = await createSession(stripe, id, sessionFor(id, buyer, chosenPackage, addresses)).catch(
    async (cause: unknown) => {
      await kysely
        .updateTable('purchase')
        .set({ status: 'failed' })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .execute()
      throw new ApiError('billing_provider_error', { cause })
    },
  )
  await kysely.updateTable('purchase').set({ session_id: session.id }).where('id', '=', id).execute()
  return session.url
}

async function createSession(stripe: Stripe, idempotencyKey: string, parameters: Stripe.Checkout.SessionCreateParams) {
  const { id, url } = await inTime(stripe.checkout.sessions.create(parameters, { idempotencyKey }))
  if (url === null) throw new Error(`Stripe's session ${id} has no address`)
  return { id, url }
}

function sessionFor(
  id: string,
  { email }: Buyer,
  { credits, price: { amount, currency } }: CreditPackage,
  { success, cancel }: ReturnAddresses,
): Stripe.Checkout.SessionCreateParams {
  const name = `${credits.toLocaleString('en')} credits`
  const metadata = { [PURCHASE_KEY]: id }
  return {
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name } } }],
    customer_email: email,
    client_reference_id: id,
    metadata,
    // Charges get a copy of their payment intent's metadata (support.stripe.com, "How metadata works with related
    // objects"): this identifies the purchase of a refund.
    payment_intent_data: { metadata, description: name },
    // With a converted price the event would have another amount than ours.
    adaptive_pricing: { enabled: false },
    success_url: success(id),
    cancel_url: cancel,
  }
}

async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`Stripe did not answer within ${DEADLINE_MS} ms`)), DEADLINE_MS)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

export interface FoundPurchase {
  readonly id: string
  readonly packageId: string
  readonly credits: number
  readonly price: { readonly amount: number; readonly currency: string }
  readonly status: 'pending' | 'paid' | 'failed' | 'expired' | 'refunded'
  readonly createdAt: Date
}

/** @throws ApiError not_found when the account has no such purchase */
export async function findPurchase(db: Kysely<Schema>, accountId: string, id: string): Promise<FoundPurchase> {
  // PostgreSQL refuses to compare anything else with a UUID.
  const row = z.uuid().safeParse(id).success ? await rowOf(db, accountId, id) : undefined
  if (!row) throw new ApiError('not_found')
  const { package_id: packageId, credits, amount, currency, status, created_at: createdAt } = row
  return { id, packageId, credits, price: { amount, currency }, status, createdAt }
}

const rowOf = (db: Kysely<Schema>, accountId: string, id: string) =>
  db
    .selectFrom('purchase')
    .select(['package_id', 'credits', 'amount', 'currency', 'status', 'created_at'])
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
