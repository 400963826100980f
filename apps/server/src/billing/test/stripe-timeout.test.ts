import assert from 'node:assert/strict'
import { test } from 'node:test'
import type Stripe from 'stripe'
import { startFakeStripe } from '../../../test/support/fake-stripe.ts'
import { openStripe } from '../billing.ts'

const session: Stripe.Checkout.SessionCreateParams = { mode: 'payment', success_url: 'https://example.com' }

test('a Stripe that never answers is given up, after three attempts', async () => {
  await using stripe = await startFakeStripe()
  stripe.fail('hang', 'hang', 'hang', 'hang')
  const client = await openStripe({ secretKey: stripe.key, apiBase: stripe.url, timeoutMs: 100 })
  await assert.rejects(client.checkout.sessions.create(session), { type: 'StripeConnectionError' })
  assert.equal(stripe.requests(), 3)
})

test('a wrong key is one attempt', async () => {
  await using stripe = await startFakeStripe()
  const client = await openStripe({ secretKey: 'sk_test_other', apiBase: stripe.url, timeoutMs: 1_000 })
  await assert.rejects(client.checkout.sessions.create(session), { type: 'StripeAuthenticationError' })
  assert.equal(stripe.requests(), 1)
})
