import { z } from 'zod'
import { checkoutOf, takeAttempt } from '../../../accounts/throttle.ts'
import type { Visitor } from '../../../admission/gate.ts'
import { invalidParam } from '../../../contract/api-error.ts'
import { jsonReply } from '../../../http/json-reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { loginOf } from '../login-of.ts'

/** The pages that Stripe leads back to. */
const returnPaths = { success: '/?checkout=success', cancel: '/?checkout=cancelled' } as const

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
  json: z.object({ packageId: z.string().describe('One of the packages of GET /api/v2/credits.') }),
  produces: ['application/json'],
  answer: z.object({ url: z.url().describe('Where to send the browser.') }),
  errors: ['rate_limited', 'billing_provider_error', 'billing_not_configured'],
  async handle({ body: { packageId }, visitor, services: { billing, config, database } }) {
    const { user } = loginOf(visitor)
    const { CREDIT_PACKAGES: packages, PUBLIC_URL: origin = originOf(visitor) } = config
    const chosen = packages.find(({ id }) => id === packageId)
    if (!chosen) throw invalidParam('packageId', 'invalid_value', `Must be one of ${packages.map(({ id }) => id).join(', ')}.`)
    await takeAttempt(database.kysely, checkoutOf(user.id))
    const addresses = { success: origin + returnPaths.success, cancel: origin + returnPaths.cancel }
    return jsonReply({ url: await billing.beginCheckout({ accountId: user.id, email: user.email }, chosen, addresses) })
  },
})
