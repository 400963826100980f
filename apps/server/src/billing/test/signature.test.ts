import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ErrorBody } from '../../../test/support/call.ts'
import { type Buyer, openShop, type Shop, WEBHOOK_SECRET } from '../../../test/support/shop.ts'
import { bodyOf, completedEvent, postEvent, signatureOf } from '../../../test/support/stripe-events.ts'

let shop: Shop
let buyer: Buyer
let body: string
before(async () => {
  shop = await openShop('embedded')
  buyer = await shop.buyer()
  body = bodyOf(completedEvent(await shop.session(buyer)))
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
  ['a signature of 400 seconds ahead', () => signatureOf(body, WEBHOOK_SECRET, -400)],
  ['a signature of next year', () => signatureOf(body, WEBHOOK_SECRET, -31_536_000)],
  [
    'an old signature with a new time',
    () => signatureOf(body, WEBHOOK_SECRET, 400).replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000)}`),
  ],
  ['the scheme of test events', () => signatureOf(body, WEBHOOK_SECRET).replace('v1=', 'v0=')],
  ['a body with more credits', () => signatureOf(body, WEBHOOK_SECRET), () => body.replace('900', '901')],
  ['a body with one space more', () => signatureOf(body, WEBHOOK_SECRET), () => `${body} `],
  ['no body', () => signatureOf(body, WEBHOOK_SECRET), () => ''],
]
for (const [what, signature, sentText] of refusals) {
  test(`${what} is refused as invalid_stripe_signature`, async () => {
    const response = await postEvent(shop.server.url, sentText?.() ?? body, signature())
    assert.equal(response.status, 400)
    assert.equal(((await response.json()) as { statusMessage: string }).statusMessage, 'invalid_stripe_signature')
    assert.equal(await shop.credits(buyer), 0)
  })
}

test('a body beyond 256 KiB is refused before its signature is looked at', async () => {
  const response = await postEvent(shop.server.url, 'x'.repeat(256 * 1024 + 1), 't=1,v1=00')
  assert.equal(((await response.json()) as { statusMessage: string }).statusMessage, 'invalid_params')
})

const malformedValue = {
  'an empty object': '{}',
  'a list': '[]',
  null: 'null',
  'a text': '"event"',
  'an id that is a number': '{"id":7}',
  'no JSON': 'event=1',
  'an event of the second version, which brings no object':
    '{"id":"evt_1","object":"v2.core.event","type":"v1.x","livemode":false}',
  'a session without what Stripe documents':
    '{"id":"evt_2","type":"checkout.session.completed","livemode":false,"data":{"object":{"id":"cs_1"}}}',
  'a refund that is no charge': '{"id":"evt_3","type":"charge.refunded","livemode":false,"data":{"object":null}}',
} as const
for (const [what, odd] of Object.entries(malformedValue)) {
  test(`signed, but ${what}: invalid_params, so that Stripe shows it as failed, and a warning in the log`, async () => {
    const { server } = shop
    const before = server.output().split('malformed: ').length
    const response = await postEvent(server.url, odd, signatureOf(odd, WEBHOOK_SECRET))
    const { statusMessage, issues = [], message } = (await response.json()) as ErrorBody
    assert.deepEqual([response.status, statusMessage], [400, 'invalid_params'])
    assert.ok(issues.length > 0)
    assert.doesNotMatch(message, /Invalid|expected|Unexpected token/)
    assert.equal(server.output().split('malformed: ').length, before + 1)
  })
}

test('signed, and of a type that nobody here knows: taken, whatever it holds', async () => {
  const other = '{"id":"evt_4","type":"invoice.paid","livemode":false,"data":{"object":7}}'
  assert.equal((await postEvent(shop.server.url, other, signatureOf(other, WEBHOOK_SECRET))).status, 200)
})

test('the bytes count, not what they mean: an event with other white space is good when it was signed so', async () => {
  const spacedText = JSON.stringify(JSON.parse(body), null, 2)
  assert.equal((await postEvent(shop.server.url, spacedText, signatureOf(spacedText, WEBHOOK_SECRET))).status, 200)
  assert.equal(await shop.credits(buyer), 1_000)
})

test('a signature of 290 seconds ago, and one of two secrets, are good', async () => {
  assert.equal((await postEvent(shop.server.url, body, signatureOf(body, WEBHOOK_SECRET, 290))).status, 200)
  const rolledText = `${signatureOf(body, WEBHOOK_SECRET)},v1=${'0'.repeat(64)}`
  assert.equal((await postEvent(shop.server.url, body, rolledText)).status, 200)
  assert.equal(await shop.credits(buyer), 1_000)
})
