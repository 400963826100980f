import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Buyer, openShop, type Shop, WEBHOOK_SECRET } from '../support/shop.ts'
import { bodyOf, completed, postEvent, signatureOf } from '../support/stripe-events.ts'

let shop: Shop
let buyer: Buyer
let body: string
before(async () => {
  shop = await openShop('embedded')
  buyer = await shop.buyer()
  body = bodyOf(completed(await shop.session(buyer)))
})
after(() => shop[Symbol.asyncDispose]())

const refusals: readonly (readonly [what: string, signature: () => string | undefined, sent?: () => string])[] = [
  ['no signature', () => undefined],
  ['an empty signature', () => ''],
  ['nonsense for a signature', () => 't=now,v1=yes'],
  ['a signature without a time', () => signatureOf(body, WEBHOOK_SECRET).replace(/^t=\d+,/, '')],
  ['the secret of another endpoint', () => signatureOf(body, 'whsec_other')],
  ['an empty secret', () => signatureOf(body, '')],
  ['a signature of 301 seconds ago', () => signatureOf(body, WEBHOOK_SECRET, 301)],
  ['a signature of last year', () => signatureOf(body, WEBHOOK_SECRET, 31_536_000)],
  [
    'an old signature with a new time',
    () => signatureOf(body, WEBHOOK_SECRET, 400).replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000)}`),
  ],
  ['the scheme of test events', () => signatureOf(body, WEBHOOK_SECRET).replace('v1=', 'v0=')],
  ['a body with more credits', () => signatureOf(body, WEBHOOK_SECRET), () => body.replace('900', '901')],
  ['a body with one space more', () => signatureOf(body, WEBHOOK_SECRET), () => `${body} `],
  ['no body', () => signatureOf(body, WEBHOOK_SECRET), () => ''],
]
for (const [what, signature, sent] of refusals) {
  test(`${what} is refused as invalid_signature`, async () => {
    const response = await postEvent(shop.servers[0].url, sent?.() ?? body, signature())
    assert.equal(response.status, 400)
    assert.equal(((await response.json()) as { statusMessage: string }).statusMessage, 'invalid_signature')
    assert.equal(await shop.credits(buyer), 0)
  })
}

test('a body beyond 256 KiB is refused before its signature is looked at', async () => {
  const response = await postEvent(shop.servers[0].url, 'x'.repeat(256 * 1024 + 1), 't=1,v1=00')
  assert.equal(((await response.json()) as { statusMessage: string }).statusMessage, 'invalid_params')
})

test('a signed body that is no event is our fault to look into', async () => {
  for (const odd of ['{}', '[]', 'null', '"event"', '{"id":7}']) {
    assert.equal((await postEvent(shop.servers[0].url, odd, signatureOf(odd, WEBHOOK_SECRET))).status, 500, odd)
  }
})

test('the bytes count, not what they mean: an event with other white space is good when it was signed so', async () => {
  const spaced = JSON.stringify(JSON.parse(body), null, 2)
  assert.equal((await postEvent(shop.servers[0].url, spaced, signatureOf(spaced, WEBHOOK_SECRET))).status, 200)
  assert.equal(await shop.credits(buyer), 1_000)
})

test('a signature of 290 seconds ago, and one of two secrets, are good', async () => {
  assert.equal((await postEvent(shop.servers[0].url, body, signatureOf(body, WEBHOOK_SECRET, 290))).status, 200)
  const rolled = `${signatureOf(body, WEBHOOK_SECRET)},v1=${'0'.repeat(64)}`
  assert.equal((await postEvent(shop.servers[0].url, body, rolled)).status, 200)
  assert.equal(await shop.credits(buyer), 1_000)
})
