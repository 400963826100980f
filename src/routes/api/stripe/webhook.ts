import { z } from 'zod'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'

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
