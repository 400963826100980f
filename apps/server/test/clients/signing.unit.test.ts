import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { PixelmillError, signUrl, verifyWebhook } from 'pixelmill-client/src/index'
import { signText } from '../../src/delivery/address.ts'
import { signatureHeaders } from '../../src/webhooks/signing.ts'

/** What the client signs and verifies, against the server's own functions. */

test('a delivery URL has the signature that the server makes', async () => {
  for (let nth = 0; nth < 20; nth++) {
    const secret = randomBytes(32)
    for (const text of ['/i/shop/gr%C3%BCn.jpg', '/i/shop/a/b.jpg?w=400&h=300&g=subject'])
      assert.equal(await signUrl(text, secret.toString('base64url')), signText(text, secret))
  }
  const secret = randomBytes(32)
  const whole = await signUrl('https://images.example.com/i/shop/a.jpg?w=1', secret.toString('base64url'))
  assert.equal(whole, `https://images.example.com${signText('/i/shop/a.jpg?w=1', secret)}`)
})

const secretOf = () => `whsec_${randomBytes(32).toString('base64')}`
const body = JSON.stringify({ type: 'batch.completed', data: { name: 'grün' } })
const secret = secretOf()
const other = secretOf()
/** Signed when a test runs: verifyWebhook() compares the time with the clock. */
const signedNow = () => signatureHeaders({ id: 'a', at: new Date(), body }, [other, secret])
const isRefused = { name: 'PixelmillError', code: 'invalid_webhook' }

test('a webhook is verified, with its old or its new secret, from text, bytes and Headers', async () => {
  const headers = signedNow()
  assert.deepEqual(await verifyWebhook(secret, headers, body), JSON.parse(body))
  assert.deepEqual(await verifyWebhook(other, new Headers(headers), Buffer.from(body)), JSON.parse(body))
})

test('a webhook with another body, id, secret or time is refused', async () => {
  const headers = signedNow()
  await assert.rejects(verifyWebhook(secret, headers, `${body} `), isRefused)
  await assert.rejects(verifyWebhook(secret, { ...headers, 'webhook-id': 'b' }, body), isRefused)
  await assert.rejects(verifyWebhook(secretOf(), headers, body), isRefused)
  await assert.rejects(verifyWebhook(secret, headers, body, Date.now() + 301_000), isRefused)
  await assert.rejects(verifyWebhook(secret, { ...headers, 'webhook-timestamp': 'now' }, body), isRefused)
  await assert.rejects(verifyWebhook(secret, {}, body), PixelmillError)
})
