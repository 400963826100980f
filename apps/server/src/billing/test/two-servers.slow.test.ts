import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { TARGETS } from '../../../test/support/database-targets.ts'
import type { Server } from '../../../test/support/server.ts'
import { type Buyer, openShop, type Shop } from '../../../test/support/shop.ts'
import { completedEvent, paidLater, refundEvent } from '../../../test/support/stripe-events.ts'

/** Checkouts and events that reach two servers on one database at once. */
for (const { name: kind, skip } of TARGETS) {
  let shop: Shop
  let servers: readonly [Server, Server]
  before(async () => {
    if (skip) return
    shop = await openShop(kind)
    servers = [shop.server, await shop.another()]
  })
  after(() => shop?.[Symbol.asyncDispose]())

  const begin = async () => {
    const buyer = await shop.buyer()
    return { buyer, session: await shop.session(buyer) }
  }
  const purchases = async ({ id }: Buyer) =>
    (await shop.database.pool.query('select status from purchase where account_id = $1 order by created_at', [id])).rows.map(
      ({ status }) => status as string,
    )

  test(`${kind}: the same Idempotency-Key twenty times at once on two servers makes one session`, { skip }, async () => {
    const careful = await shop.buyer()
    const madeCount = shop.stripe.sessions.length
    const key = randomUUID()
    const at = (n: number) => shop.checkout(careful, { key, server: servers[n % 2] ?? servers[0] })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => at(n)))
    assert.equal(shop.stripe.sessions.length, madeCount + 1)
    const good = answers.filter(({ status }) => status === 200)
    assert.equal(new Set(good.map(({ body }) => body.url)).size, 1)
    assert.equal(good.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
    for (const { status, body, headers } of answers.filter((answer) => !good.includes(answer)))
      assert.deepEqual([status, body.statusMessage, headers.get('retry-after')], [409, 'idempotency_key_reused', '1'])
    const later = await at(1)
    assert.deepEqual([later.status, later.body, later.headers.get('idempotency-replayed')], [200, good[0]?.body, 'true'])
    assert.equal(later.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.notEqual(later.headers.get('x-request-id'), good[0]?.headers.get('x-request-id'))
    assert.deepEqual(await purchases(careful), ['pending'])
  })

  test(`${kind}: the same event twenty times at once on two servers is credited once`, { skip }, async () => {
    const { buyer, session } = await begin()
    const event = completedEvent(session)
    const sentNumbers = await Promise.all(Array.from({ length: 20 }, (_, n) => shop.send(event, servers[n % 2])))
    assert.deepEqual(new Set(sentNumbers), new Set([200]))
    assert.equal(await shop.credits(buyer), 1_000)
    assert.equal(await shop.send(event), 200)
    assert.equal(await shop.credits(buyer), 1_000)
  })

  test(`${kind}: two events that both say paid, at once on two servers, are credited once`, { skip }, async () => {
    const { buyer, session } = await begin()
    const events = [completedEvent(session), completedEvent(session), paidLater(session), paidLater(session)]
    await Promise.all(events.map((event, n) => shop.send(event, servers[n % 2])))
    assert.equal(await shop.credits(buyer), 1_000)
  })

  test(`${kind}: refunds that come at once on two servers with the payment take back the largest of their sums`, {
    skip,
  }, async () => {
    const { buyer, session } = await begin()
    const events = [
      completedEvent(session),
      refundEvent(session, 300),
      refundEvent(session, 450),
      refundEvent(session, 600),
      completedEvent(session),
    ]
    await Promise.all(events.map((event, n) => shop.send(event, servers[n % 2])))
    assert.equal(await shop.credits(buyer), 334)
  })
}
