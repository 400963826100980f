import { z } from 'zod'
import { checkoutOf, takeAttempt } from '../../../accounts/throttle.ts'
import type { Visitor } from '../../../admission/gate.ts'
import type { ReturnAddresses } from '../../../billing/checkout.ts'
import { invalidParam } from '../../../contract/api-error.ts'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { loginOf } from '../login-of.ts'

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
