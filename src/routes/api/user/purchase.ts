import { z } from 'zod'
import { findPurchase } from '../../../billing/find-purchase.ts'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { loginOf } from '../login-of.ts'
import { price } from '../v2/ledger-entry.ts'

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
