import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Buyer, openShop, type Shop } from '../support/shop.ts'
import { completed, sessionEvent } from '../support/stripe-events.ts'

let shop: Shop
before(async () => {
  shop = await openShop('embedded')
})
after(() => shop?.[Symbol.asyncDispose]())

async function purchaseOf({ token }: Buyer, id: string | null) {
  const answer = await fetch(`${shop.servers[0].url}/api/user/credits/purchases/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { status, statusMessage, packageId, credits, price } = (await answer.json()) as Record<string, unknown>
  return { code: answer.status, told: statusMessage ?? status, packageId, credits, price }
}

test('a purchase is told to whoever began it, from its beginning to its end, and to nobody else', async () => {
  const [buyer, stranger] = [await shop.buyer(), await shop.buyer()]
  const [paid, left] = [await shop.session(buyer, 'growth'), await shop.session(buyer)]
  const growth = { packageId: 'growth', credits: 10_000, price: { amount: 7_900, currency: 'usd' } }
  assert.deepEqual(await purchaseOf(buyer, paid.client_reference_id), { code: 200, told: 'pending', ...growth })
  await shop.send(completed(paid, { payment_status: 'unpaid' }))
  assert.equal((await purchaseOf(buyer, paid.client_reference_id)).told, 'pending')
  await shop.send(completed(paid))
  assert.deepEqual(await purchaseOf(buyer, paid.client_reference_id), { code: 200, told: 'paid', ...growth })
  await shop.send(sessionEvent('expired', left, { status: 'expired' }))
  assert.equal((await purchaseOf(buyer, left.client_reference_id)).told, 'expired')
  for (const id of [paid.client_reference_id, 'nonsense']) {
    const { code, told } = await purchaseOf(stranger, id)
    assert.deepEqual([code, told], [404, 'not_found'])
  }
})
