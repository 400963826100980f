import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { openServerDatabase } from '../../../test/support/accounts.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { startFakeStripe } from '../../../test/support/fake-stripe.ts'
import { shareServer } from '../../../test/support/shared-server.ts'
import { type Buyer, openShop, type Shop, shopOf, WEBHOOK_SECRET } from '../../../test/support/shop.ts'
import { completedEvent, postEvent, sessionEvent } from '../../../test/support/stripe-events.ts'

for (const { name: kind, skip } of TARGETS) {
  let shop: Shop
  let buyer: Buyer
  before(async () => {
    if (skip) return
    shop = await openShop(kind)
    buyer = await shop.buyer()
  })
  after(() => shop?.[Symbol.asyncDispose]())
  const purchases = async ({ id }: Buyer) =>
    (await shop.database.pool.query('select status from purchase where account_id = $1 order by created_at', [id])).rows.map(
      ({ status }) => status as string,
    )

  test(`${kind}: a checkout of a package that is not sold is invalid_params, and the error lists those that are`, {
    skip,
  }, async () => {
    const { status, body } = await shop.checkout(buyer, { packageId: 'toString' })
    assert.deepEqual([status, body.statusMessage], [400, 'invalid_params'])
    assert.match(body.message ?? '', /starter, growth, scale/)
    assert.deepEqual(body.issues?.[0]?.path, ['packageId'])
  })

  test(`${kind}: a checkout without a login is refused`, { skip }, async () => {
    const { status, body } = await shop.checkout({ ...buyer, token: '' })
    assert.deepEqual([status, body.statusMessage], [401, 'missing_or_invalid_login_token'])
  })

  /** Stripe keeps a 500 under its idempotency key, so that only the next checkout has another chance. */
  const failures = [
    ['refuses', [402]],
    ['fails', [500]],
    ['is busy', [429]],
    ['hangs up, three times', ['hang_up', 'hang_up', 'hang_up']],
  ] as const
  for (const [what, faults] of failures) {
    test(`${kind}: Stripe ${what}: billing_provider_error, nothing bought, and no detail of it in the answer`, {
      skip,
    }, async () => {
      const other = await shop.buyer()
      shop.stripe.fail(...faults)
      const { status, body } = await shop.checkout(other)
      assert.deepEqual([status, body.statusMessage], [502, 'billing_provider_error'])
      assert.doesNotMatch(JSON.stringify(body), /As the test wanted|127\.0\.0\.1|sk_test/)
      assert.deepEqual(await purchases(other), ['failed'])
      assert.equal((await shop.checkout(other)).status, 200)
      assert.deepEqual(await purchases(other), ['failed', 'pending'])
    })
  }

  test(`${kind}: the log has why Stripe failed, and neither key nor secret`, { skip }, async () => {
    shop.stripe.fail(402)
    await shop.checkout(buyer)
    const { server } = shop
    assert.ok(await until(async () => server.output().includes('As the test wanted')))
    assert.doesNotMatch(server.output(), new RegExp(`${shop.stripe.key}|${WEBHOOK_SECRET}`))
  })

  test(`${kind}: a request to Stripe whose connection breaks once is sent again, and one session is made`, { skip }, async () => {
    const madeCount = shop.stripe.sessions.length
    shop.stripe.fail('hang_up')
    assert.equal((await shop.checkout(buyer)).status, 200)
    assert.equal(shop.stripe.sessions.length, madeCount + 1)
  })

  test(`${kind}: 30 checkouts of an account in an hour, and no more`, { skip }, async () => {
    const eager = await shop.buyer()
    const seventeen = () => Promise.all(Array.from({ length: 17 }, () => shop.checkout(eager)))
    const answers = [...(await seventeen()), ...(await seventeen())]
    assert.equal(answers.filter(({ status }) => status === 200).length, 30)
    const refusedAnswers = answers.filter(({ body }) => body.statusMessage === 'rate_limited')
    assert.equal(refusedAnswers.length, 4)
    for (const { headers } of refusedAnswers) assert.ok(Number(headers.get('retry-after')) > 3_500)
  })

  test(`${kind}: the same Idempotency-Key ten times at once makes one session`, { skip }, async () => {
    const careful = await shop.buyer()
    const madeCount = shop.stripe.sessions.length
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.checkout(careful, { key })))
    assert.equal(shop.stripe.sessions.length, madeCount + 1)
    const good = answers.filter(({ status }) => status === 200)
    assert.equal(new Set(good.map(({ body }) => body.url)).size, 1)
    assert.equal(good.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
    for (const { status, body, headers } of answers.filter((answer) => !good.includes(answer)))
      assert.deepEqual([status, body.statusMessage, headers.get('retry-after')], [409, 'idempotency_key_reused', '1'])
    const later = await shop.checkout(careful, { key })
    assert.deepEqual([later.status, later.body, later.headers.get('idempotency-replayed')], [200, good[0]?.body, 'true'])
    assert.equal(later.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.notEqual(later.headers.get('x-request-id'), good[0]?.headers.get('x-request-id'))
    assert.deepEqual(await purchases(careful), ['pending'])
  })

  test(`${kind}: a key with another package is refused; the same key of another buyer is another key`, { skip }, async () => {
    const key = 'my key, with "quotes"'
    const first = await shop.checkout(buyer, { key })
    const reusedAnswer = await shop.checkout(buyer, { key, packageId: 'growth' })
    assert.deepEqual(
      [reusedAnswer.status, reusedAnswer.body.statusMessage, reusedAnswer.headers.get('retry-after')],
      [409, 'idempotency_key_reused', null],
    )
    const foreign = await shop.checkout(await shop.buyer(), { key })
    assert.equal(foreign.status, 200)
    assert.notEqual(foreign.body.url, first.body.url)
  })

  test(`${kind}: errors are not kept: the same key may try again`, { skip }, async () => {
    const key = randomUUID()
    shop.stripe.fail(500)
    assert.equal((await shop.checkout(buyer, { key })).status, 502)
    assert.equal((await shop.checkout(buyer, { key, packageId: 'none' })).status, 400)
    const good = await shop.checkout(buyer, { key })
    assert.deepEqual([good.status, good.headers.get('idempotency-replayed')], [200, null])
  })

  test(`${kind}: a client that stopped waiting gets its first session with the same key`, { skip }, async () => {
    const madeCount = shop.stripe.sessions.length
    const key = randomUUID()
    shop.stripe.fail('slow')
    await assert.rejects(shop.checkout(buyer, { key, signal: AbortSignal.timeout(200) }), { name: 'TimeoutError' })
    let answer = await shop.checkout(buyer, { key })
    assert.equal(answer.status, 409)
    const isAnswered = async () => {
      answer = await shop.checkout(buyer, { key })
      return answer.status !== 409
    }
    assert.ok(await until(isAnswered))
    assert.deepEqual([answer.status, answer.headers.get('idempotency-replayed')], [200, 'true'])
    assert.equal(shop.stripe.sessions.length, madeCount + 1)
  })

  for (const key of ['', 'x'.repeat(256), 'schlüssel', 'tab\there']) {
    test(`${kind}: the Idempotency-Key ${JSON.stringify(key.slice(0, 20))} is invalid_params`, { skip }, async () => {
      const { status, body } = await shop.checkout(buyer, { key })
      assert.deepEqual([status, body.issues?.[0]?.path], [400, ['Idempotency-Key']])
    })
  }

  const purchaseOf = async ({ token }: Buyer, id: string | null) => {
    const answer = await fetch(`${shop.server.url}/api/user/credits/purchases/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { status, statusMessage, packageId, credits, price } = (await answer.json()) as Record<string, unknown>
    return { code: answer.status, told: statusMessage ?? status, packageId, credits, price }
  }
  test(`${kind}: a buyer can read the state of a purchase from its start to its end, and no other account can`, {
    skip,
  }, async () => {
    const buyer = await shop.buyer()
    const otherAccount = await shop.buyer()
    const paidSession = await shop.session(buyer, 'growth')
    const left = await shop.session(buyer)
    const growth = { packageId: 'growth', credits: 10_000, price: { amount: 7_900, currency: 'usd' } }
    assert.deepEqual(await purchaseOf(buyer, paidSession.client_reference_id), { code: 200, told: 'pending', ...growth })
    await shop.send(completedEvent(paidSession, { payment_status: 'unpaid' }))
    assert.equal((await purchaseOf(buyer, paidSession.client_reference_id)).told, 'pending')
    await shop.send(completedEvent(paidSession))
    assert.deepEqual(await purchaseOf(buyer, paidSession.client_reference_id), { code: 200, told: 'paid', ...growth })
    await shop.send(sessionEvent('expired', left, { status: 'expired' }))
    assert.equal((await purchaseOf(buyer, left.client_reference_id)).told, 'expired')
    for (const id of [paidSession.client_reference_id, 'nonsense']) {
      const { code, told } = await purchaseOf(otherAccount, id)
      assert.deepEqual([code, told], [404, 'not_found'])
    }
  })

  test(`${kind}: packages, currency and PUBLIC_URL are settings, and another price does not change a purchase that has begun`, {
    skip,
  }, async () => {
    const buyer = await shop.buyer()
    const earlier = await shop.buyer()
    const begunSession = await shop.session(earlier)
    const other = await shop.another({
      CREDIT_PACKAGES: 'starter=1@900.00USD, klein=50@500JPY, gross=7000@12.340KWD',
      PUBLIC_URL: 'https://bilder.example.com/',
    })
    const soldPackageId = async (packageId: string) => {
      const { body } = await shop.checkout(buyer, { packageId, server: other })
      return shop.stripe.sessions.find(({ url }) => url === body.url) ?? assert.fail()
    }
    const small = await soldPackageId('klein')
    const large = await soldPackageId('gross')
    assert.deepEqual([small.amount_total, small.currency, large.amount_total, large.currency], [500, 'jpy', 12_340, 'kwd'])
    assert.equal(small.success_url, `https://bilder.example.com/credits?checkout=success&purchase=${small.client_reference_id}`)
    await shop.send(completedEvent(large), other)
    assert.equal(await shop.credits(buyer), 7_000)
    await shop.send(completedEvent(begunSession), other)
    assert.equal(await shop.credits(earlier), 1_000)
  })
}

test('a server without a Stripe key sells nothing, and everything else works', async () => {
  await using server = await shareServer({ RENDERERS: '1' })
  await using stripe = await startFakeStripe()
  await using database = await openServerDatabase(server.dir).then((open) => ({ ...open, [Symbol.asyncDispose]: open.close }))
  const shop = shopOf(stripe, server, database)
  const buyer = await shop.buyer()
  const { status, body, headers } = await shop.checkout(buyer)
  assert.deepEqual([status, body.statusMessage, headers.get('retry-after')], [503, 'billing_not_configured', '3600'])
  const event = await postEvent(server.url, '{}', 't=1,v1=00')
  assert.equal(event.status, 503)
  assert.equal(await shop.credits(buyer), 0)
})
