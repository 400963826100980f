import { z } from 'zod'
import { checkoutOf, takeAttempt } from '../../accounts/throttle.ts'
import type { Visitor } from '../../admission/gate.ts'
import { findPurchase, type ReturnAddresses } from '../../billing/checkout.ts'
import { invalidParam } from '../../contract/api-error.ts'
import { jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { loginOf } from '../caller.ts'
import { price } from './credits.ts'

/** The page that Stripe leads back to. It waits for this very purchase: its visitor may have begun another one meanwhile. */
const returnAddresses = (origin: string): ReturnAddresses => ({
  success: (purchaseId) => `${origin}/credits?checkout=success&purchase=${purchaseId}`,
  cancel: `${origin}/credits?checkout=cancelled`,
})

/** The address under which the caller knows us. A caller may lie about it, and so lead whoever pays elsewhere: see PUBLIC_URL. */
const originOf = ({ secure, host = 'localhost' }: Visitor): string => `${secure ? 'https' : 'http'}://${host}`

export const checkout = defineRoute({
  method: 'POST',
  path: '/api/user/credits/checkout',
  name: 'buyCredits',
  tag: 'Credits',
  summary: 'Begin the purchase of a package of credits.',
  description:
    'Answers the address of a page at Stripe where the package is paid for; it is good for 24 hours. The credits are there as soon as Stripe reports the payment.',
  admission: 'login',
  idempotent: true,
  json: z.strictObject({ packageId: z.string().describe('One of the packages of GET /api/v2/credits.') }),
  produces: ['application/json'],
  answer: z.object({ url: z.url().describe('Where to send the browser.') }),
  errors: ['rate_limited', 'billing_provider_error', 'billing_not_configured'],
  async handle({ body: { packageId }, visitor, services: { billing, config, database } }) {
    const { user } = loginOf(visitor)
    const { CREDIT_PACKAGES: packages, PUBLIC_URL: origin = originOf(visitor) } = config
    const chosen = packages.find(({ id }) => id === packageId)
    if (!chosen) throw invalidParam('packageId', 'invalid_value', `Must be one of ${packages.map(({ id }) => id).join(', ')}.`)
    await takeAttempt(database.kysely, checkoutOf(user.id))
    const buyer = { accountId: user.id, email: user.email }
    return jsonReply({ url: await billing.beginCheckout(buyer, chosen, returnAddresses(origin)) })
  },
})

export const showPurchase = defineRoute({
  method: 'GET',
  path: '/api/user/credits/purchases/:id',
  name: 'showPurchase',
  tag: 'Credits',
  summary: 'See what became of a purchase.',
  description:
    "Stripe's success page leads back with the purchase's id in `purchase`. A card is booked within seconds, a bank transfer within days.",
  admission: 'login',
  produces: ['application/json'],
  answer: z.object({
    id: z.uuid(),
    packageId: z.string(),
    credits: z.int().min(1),
    price,
    status: z
      .enum(['pending', 'paid', 'failed', 'expired', 'refunded'])
      .describe('`pending`: Stripe has not yet said that it is paid; `paid`: the credits are there.'),
    createdAt: z.iso.datetime(),
  }),
  errors: ['not_found'],
  async handle({ path, visitor, services: { database } }) {
    return jsonReply(await findPurchase(database.kysely, loginOf(visitor).user.id, path.id ?? ''))
  },
})

/** A 2xx says that the event need not come again; anything else has Stripe send it again for three days. */
export const stripeWebhook = defineRoute({
  method: 'POST',
  path: '/api/stripe/webhook',
  name: 'stripeWebhook',
  tag: 'Credits',
  summary: 'Receive an event of Stripe.',
  description: 'For Stripe alone, which signs each event in the header Stripe-Signature. What is bought is credited here, once.',
  admission: 'open',
  rawBody: 'application/json',
  produces: ['application/json'],
  answer: z.object({ received: z.literal(true) }),
  errors: ['invalid_signature', 'billing_not_configured'],
  async handle({ raw, request, services }) {
    await services.billing.receive(raw, request.header('stripe-signature'))
    return jsonReply({ received: true })
  },
})
