import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { z } from 'zod'
import { checkoutOf, takeAttempt } from '../../accounts/throttle.ts'
import type { Visitor } from '../../admission/visitor.ts'
import { loginOf } from '../../http/caller.ts'
import { jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { findPurchase, type ReturnAddresses } from '../checkout.ts'
import { price } from './credits.ts'

/** Where Stripe redirects to. The page waits for this purchase: its user may have started another one meanwhile. */
const returnAddresses = (origin: string): ReturnAddresses => ({
  success: (purchaseId) => `${origin}/credits?checkout=success&purchase=${purchaseId}`,
  cancel: `${origin}/credits?checkout=cancelled`,
})

/** The origin by the Host header. A client can forge it, and so redirect a buyer elsewhere: PUBLIC_URL prevents that. */
const originOf = ({ secure, host = 'localhost' }: Visitor): string => `${secure ? 'https' : 'http'}://${host}`

export const checkout = defineRoute({
  method: 'POST',
  path: '/api/user/credits/checkout',
  name: 'buyCredits',
  tag: 'Credits',
  summary: 'Start a purchase of credits.',
  description:
    'Returns the URL of a Stripe page for the payment; it is valid for 24 hours. The credits are added when Stripe reports the payment.',
  admission: 'login',
  idempotent: true,
  json: z.strictObject({ packageId: z.string().describe('Id of a package from GET /api/v2/credits.') }),
  produces: ['application/json'],
  answer: z.object({ url: z.url().describe('The URL to redirect the browser to.') }),
  errors: ['rate_limited', 'billing_provider_error', 'billing_not_configured'],
  async handle({ body: { packageId }, visitor, services: { billing, config, database } }) {
    const { user } = loginOf(visitor)
    const { CREDIT_PACKAGES: packages, PUBLIC_URL: origin = originOf(visitor) } = config
    const chosenPackage = packages.find(({ id }) => id === packageId)
    if (!chosenPackage)
      throw invalidParam('packageId', 'invalid_value', `Must be one of ${packages.map(({ id }) => id).join(', ')}.`)
    await takeAttempt(database.kysely, checkoutOf(user.id))
    const buyer = { accountId: user.id, email: user.email }
    return jsonReply({ url: await billing.beginCheckout(buyer, chosenPackage, returnAddresses(origin)) })
  },
})

export const showPurchase = defineRoute({
  method: 'GET',
  path: '/api/user/credits/purchases/:id',
  name: 'showPurchase',
  tag: 'Credits',
  summary: 'Show the state of a purchase.',
  description:
    'Stripe redirects back with the id of the purchase in `purchase`. A card payment is confirmed within seconds, a bank transfer within days.',
  admission: 'login',
  produces: ['application/json'],
  answer: z.object({
    id: z.uuid(),
    packageId: z.string(),
    credits: z.int().min(1),
    price,
    status: z
      .enum(['pending', 'paid', 'failed', 'expired', 'refunded'])
      .describe('`pending`: Stripe has not confirmed the payment yet; `paid`: the credits were added.'),
    createdAt: z.iso.datetime(),
  }),
  errors: ['not_found'],
  async handle({ path, visitor, services: { database } }) {
    return jsonReply(await findPurchase(database.kysely, loginOf(visitor).user.id, path.id ?? ''))
  },
})

/** A 2xx acknowledges the event; after anything else Stripe retries for three days. */
export const stripeWebhook = defineRoute({
  method: 'POST',
  path: '/api/stripe/webhook',
  name: 'stripeWebhook',
  tag: 'Credits',
  summary: 'Receive a Stripe event.',
  description:
    'For Stripe only, which signs each event in the header Stripe-Signature. Adds the credits of a paid purchase, once.',
  admission: 'open',
  rawBody: 'application/json',
  produces: ['application/json'],
  answer: z.object({ received: z.boolean().describe('Always true.') }),
  errors: ['invalid_stripe_signature', 'billing_not_configured'],
  async handle({ raw, request, services }) {
    await services.billing.receive(raw, request.header('stripe-signature'))
    return jsonReply({ received: true })
  },
})
