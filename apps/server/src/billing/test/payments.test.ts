import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { caller } from '../../../test/support/call.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import type { FakeSession } from '../../../test/support/fake-stripe.ts'
import { send } from '../../../test/support/json-call.ts'
import { signUp } from '../../../test/support/person.ts'
import { type Buyer, openShop, type Shop } from '../../../test/support/shop.ts'
import {
  completedEvent,
  disputeClosed,
  neverPaid,
  paidLater,
  paymentOf,
  refundEvent,
  type StripeEvent,
  sessionEvent,
} from '../../../test/support/stripe-events.ts'
import { makeApiKey, saveApiKey } from '../../accounts/api-keys.ts'
import { forgetOldEvents } from '../apply-event.ts'

const image = await solid(8, 8, '#123456').png().toBuffer()

/** Events of payments in every order, on both kinds of database: 1,000 credits for 9.00 USD. */
for (const { name: kind, skip } of TARGETS) {
  let shop: Shop
  before(async () => {
    if (!skip) shop = await openShop(kind)
  })
  after(() => shop?.[Symbol.asyncDispose]())

  const begin = async (packageId = 'starter') => {
    const buyer = await shop.buyer()
    return { buyer, session: await shop.session(buyer, packageId) }
  }
  const statusOf = async (session: FakeSession) => {
    const { rows } = await shop.database.pool.query('select status from purchase where session_id = $1', [session.id])
    return rows[0]?.status as string
  }
  const ledgerOf = async ({ id }: Buyer) => {
    const text = 'select kind, credits, balance from credit_entry where account_id = $1 order by id'
    return (await shop.database.pool.query(text, [id])).rows.map(({ kind, credits, balance }) => [kind, credits, balance])
  }
  const convert = async ({ id }: Buyer) => {
    const key = makeApiKey()
    await saveApiKey(shop.database.kysely, id, 'test', key)
    return (await caller({ url: shop.server.url, key }).post('convert', { format: 'png' }, { image })).error
  }
  const outcomeOf = async ({ id }: StripeEvent) =>
    (await shop.database.pool.query('select outcome from stripe_event where id = $1', [id])).rows[0]?.outcome as
      | string
      | undefined

  test(`${kind}: a paid checkout is credited, and its session has what is sold`, { skip }, async () => {
    const { buyer, session } = await begin('growth')
    assert.deepEqual([session.amount_total, session.currency, session.customer_email], [7900, 'usd', buyer.email])
    assert.deepEqual(session.metadata, { pixelmill_purchase: session.client_reference_id })
    assert.deepEqual(shop.stripe.paymentMetadata.get(session.id), session.metadata)
    const back = `${shop.server.url}/credits?checkout`
    assert.equal(session.success_url, `${back}=success&purchase=${session.client_reference_id}`)
    assert.equal(session.cancel_url, `${back}=cancelled`)
    assert.equal(await shop.credits(buyer), 0)
    assert.equal(await shop.send(completedEvent(session)), 200)
    assert.equal(await shop.credits(buyer), 10_000)
    assert.deepEqual(await ledgerOf(buyer), [['purchase', 10_000, 10_000]])
    assert.equal(await statusOf(session), 'paid')
  })

  test(`${kind}: payments and refunds for an account that was deleted are recorded, with their outcome`, {
    skip,
  }, async () => {
    const { url } = shop.server
    for (const paidFirst of [true, false]) {
      const { user, token, password } = await signUp(url)
      const buyer = { id: user.id, email: user.email, token }
      const session = await shop.session(buyer)
      const paidEvent = completedEvent(session)
      if (paidFirst) assert.equal(await shop.send(paidEvent), 200)
      assert.equal((await send(url, 'DELETE /api/user', { token, body: { password } })).status, 200)
      if (!paidFirst) assert.equal(await shop.send(paidEvent), 200)
      assert.equal(await outcomeOf(paidEvent), paidFirst ? 'credited' : 'credited_to_deleted_account')
      const back = refundEvent(session, 900)
      assert.equal(await shop.send(back), 200)
      assert.deepEqual([await outcomeOf(back), await statusOf(session)], ['taken_back', 'refunded'])
      assert.deepEqual(await ledgerOf(buyer), [
        ['purchase', 1_000, 1_000],
        ['purchase_refund', -1_000, 0],
      ])
    }
  })

  test(`${kind}: the same event ten times at once is credited once`, { skip }, async () => {
    const { buyer, session } = await begin()
    const event = completedEvent(session)
    const sentNumbers = await Promise.all(Array.from({ length: 10 }, () => shop.send(event)))
    assert.deepEqual(new Set(sentNumbers), new Set([200]))
    assert.equal(await shop.credits(buyer), 1_000)
    assert.equal(await shop.send(event), 200)
    assert.equal(await shop.credits(buyer), 1_000)
  })

  /** Each row has the events in one order of many, and the credits and the status at the end. */
  type Row = readonly [what: string, events: (session: FakeSession) => readonly StripeEvent[], credits: number, status: string]
  const transfer = (session: FakeSession) => completedEvent(session, { payment_status: 'unpaid' })
  const rows: readonly Row[] = [
    ['a bank transfer that has not come', (s) => [transfer(s)], 0, 'pending'],
    ['a bank transfer that came', (s) => [transfer(s), paidLater(s)], 1_000, 'paid'],
    ['a bank transfer whose arrival is reported first', (s) => [paidLater(s), transfer(s)], 1_000, 'paid'],
    ['a bank transfer that never came', (s) => [transfer(s), neverPaid(s)], 0, 'failed'],
    ['its failure reported first', (s) => [neverPaid(s), transfer(s)], 0, 'failed'],
    ['a failure, but the money came after all', (s) => [neverPaid(s), paidLater(s)], 1_000, 'paid'],
    ['a failure, then an expiry', (s) => [neverPaid(s), sessionEvent('expired', s)], 0, 'failed'],
    ['no payment', (s) => [sessionEvent('expired', s, { status: 'expired', url: null })], 0, 'expired'],
    ['an expiry that is reported after the payment', (s) => [completedEvent(s), sessionEvent('expired', s)], 1_000, 'paid'],
    ['a full refund', (s) => [completedEvent(s), refundEvent(s, 900)], 0, 'refunded'],
    ['a full refund that is reported before the payment', (s) => [refundEvent(s, 900), completedEvent(s)], 0, 'refunded'],
    ['a third refunded: 333.3 credits, rounded for the buyer', (s) => [completedEvent(s), refundEvent(s, 300)], 667, 'paid'],
    ['a third, reported before the payment', (s) => [refundEvent(s, 300), completedEvent(s)], 667, 'paid'],
    ['a third, then all', (s) => [completedEvent(s), refundEvent(s, 300), refundEvent(s, 900)], 0, 'refunded'],
    ['all, then the older news of a third', (s) => [completedEvent(s), refundEvent(s, 900), refundEvent(s, 300)], 0, 'refunded'],
    ['news of refunds around the payment', (s) => [refundEvent(s, 900), completedEvent(s), refundEvent(s, 300)], 0, 'refunded'],
    ['one cent refunded: 1.1 credits', (s) => [completedEvent(s), refundEvent(s, 1)], 999, 'paid'],
    ['a refund of what was never paid', (s) => [refundEvent(s, 900)], 0, 'pending'],
    ['a dispute that was lost', (s) => [completedEvent(s), disputeClosed(s, 'lost')], 0, 'refunded'],
    ['a dispute that was won', (s) => [completedEvent(s), disputeClosed(s, 'won')], 1_000, 'paid'],
    ['a dispute over a part', (s) => [completedEvent(s), disputeClosed(s, 'lost', { amount: 450 })], 500, 'paid'],
    [
      'a dispute in another currency',
      (s) => [completedEvent(s), disputeClosed(s, 'lost', { amount: 5, currency: 'eur' })],
      0,
      'refunded',
    ],
    [
      'a dispute over all, then one over a part, then news of a refund',
      (s) => [completedEvent(s), disputeClosed(s, 'lost'), disputeClosed(s, 'lost', { amount: 450 }), refundEvent(s, 270)],
      0,
      'refunded',
    ],
    ['a refund and a dispute', (s) => [completedEvent(s), refundEvent(s, 450), disputeClosed(s, 'lost')], 0, 'refunded'],
  ]
  for (const [what, events, credits, status] of rows) {
    test(`${kind}: ${what}`, { skip }, async () => {
      const { buyer, session } = await begin()
      // Each twice, since Stripe promises "at least once".
      for (const event of events(session)) for (const _ of [1, 2]) assert.equal(await shop.send(event), 200)
      assert.deepEqual([await shop.credits(buyer), await statusOf(session)], [credits, status])
    })
  }

  test(`${kind}: a refund of spent credits makes the balance negative, and calls are refused until more are bought`, {
    skip,
  }, async () => {
    const { buyer, session } = await begin()
    await shop.send(completedEvent(session))
    await shop.database.pool.query(`select add_credits($1, 'call', -900, $2)`, [buyer.id, session.id])
    await shop.send(refundEvent(session, 900))
    assert.equal(await shop.credits(buyer), -900)
    assert.deepEqual((await ledgerOf(buyer)).at(-1), ['purchase_refund', -1_000, -900])
    assert.equal((await convert(buyer))?.statusMessage, 'insufficient_credits')
    await shop.send(completedEvent(await shop.session(buyer)))
    assert.equal(await shop.credits(buyer), 100)
    assert.equal(await convert(buyer), undefined)
    assert.equal(await shop.credits(buyer), 99)
  })

  /** A signed event that differs from what was sold: nothing is credited, and Stripe need not send it again. */
  const lies: readonly (readonly [what: string, event: (session: FakeSession, other: FakeSession) => StripeEvent])[] = [
    ['another amount', (s) => completedEvent(s, { amount_total: 1 })],
    ['another currency', (s) => completedEvent(s, { currency: 'jpy' })],
    ['another session', (s, other) => completedEvent(s, { id: other.id })],
    ['another reference', (s, other) => completedEvent(s, { client_reference_id: other.client_reference_id })],
    ['another reference', (s) => completedEvent(s, { client_reference_id: null })],
  ]
  for (const [mismatch, event] of lies) {
    test(`${kind}: a payment with ${mismatch} is not credited`, { skip }, async () => {
      const { buyer, session } = await begin()
      const { buyer: otherBuyer, session: other } = await begin('scale')
      const lie = event(session, other)
      assert.equal(await shop.send(lie), 200)
      assert.deepEqual([await shop.credits(buyer), await shop.credits(otherBuyer)], [0, 0])
      assert.equal(await outcomeOf(lie), `mismatch: ${mismatch}`)
      // The purchase is still good for the real payment.
      await shop.send(completedEvent(session))
      assert.equal(await shop.credits(buyer), 1_000)
    })
  }

  test(`${kind}: a refund of another payment, amount or currency takes nothing back`, { skip }, async () => {
    const { buyer, session } = await begin()
    await shop.send(completedEvent(session))
    for (const changes of [{ payment_intent: 'pi_other' }, { amount: 1_800 }, { currency: 'eur' }])
      assert.equal(await shop.send(refundEvent(session, 900, changes)), 200)
    assert.equal(await shop.credits(buyer), 1_000)
    await shop.send(disputeClosed({ ...session, id: 'another' }, 'lost'))
    assert.equal(await shop.credits(buyer), 1_000)
  })

  test(`${kind}: events of other purchases are answered 200, and change nothing`, { skip }, async () => {
    const { buyer, session } = await begin()
    const foreign: readonly StripeEvent[] = [
      { id: 'evt_foreign_1', type: 'customer.created', object: { id: 'cus_1' } },
      completedEvent(session, { metadata: {} }),
      completedEvent(session, { metadata: { pixelmill_purchase: '00000000-0000-4000-8000-000000000000' } }),
      completedEvent(session, { metadata: { pixelmill_purchase: "'; drop table purchase; --" } }),
      { ...completedEvent(session), livemode: true },
    ]
    for (const event of foreign) assert.equal(await shop.send(event), 200)
    assert.equal(await shop.credits(buyer), 0)
  })

  test(`${kind}: an event that differs from what Stripe documents is refused, so that Stripe shows it and sends it again`, {
    skip,
  }, async () => {
    const { buyer, session } = await begin()
    assert.equal(await shop.send({ ...completedEvent(session), object: { ...session, payment_status: 7 } }), 400)
    assert.equal(await shop.credits(buyer), 0)
  })

  test(`${kind}: an event that meets a database error is credited when Stripe sends it again`, { skip }, async () => {
    const { buyer, session } = await begin()
    const event = completedEvent(session)
    await shop.database.pool.query('alter table stripe_event rename to away')
    assert.equal(await shop.send(event), 500)
    await shop.database.pool.query('alter table away rename to stripe_event')
    assert.equal(await shop.credits(buyer), 0)
    assert.equal(await shop.send(event), 200)
    assert.equal(await shop.credits(buyer), 1_000)
  })

  test(`${kind}: events are kept for 90 days, purchases without a limit`, { skip }, async () => {
    const { buyer, session } = await begin()
    const old = completedEvent(session)
    const recent = refundEvent(session, 450)
    for (const event of [old, recent]) await shop.send(event)
    await shop.database.pool.query("update stripe_event set at = at - interval '90 days 1 second' where id = $1", [old.id])
    assert.equal(await forgetOldEvents(shop.database.pool), 1)
    assert.deepEqual([await outcomeOf(old), await outcomeOf(recent)], [undefined, 'taken_back'])
    await shop.send(old)
    assert.equal(await shop.credits(buyer), 500)
  })

  test(`${kind}: an event that comes before Stripe's answer to the checkout is credited all the same`, { skip }, async () => {
    const { buyer, session } = await begin()
    await shop.database.pool.query('update purchase set session_id = null where session_id = $1', [session.id])
    await shop.send(completedEvent(session))
    assert.equal(await shop.credits(buyer), 1_000)
    const { rows } = await shop.database.pool.query('select session_id, payment_intent from purchase where account_id = $1', [
      buyer.id,
    ])
    assert.deepEqual(rows, [{ session_id: session.id, payment_intent: paymentOf(session) }])
  })
}
