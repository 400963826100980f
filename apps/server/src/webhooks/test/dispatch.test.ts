import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { endBatch, startDelivering, startReceiver } from '../../../test/support/webhooks.ts'
import { claimDeliveries, finishAttempt, forgetOldDeliveries } from '../delivery.ts'
import { listDeliveries } from '../list-deliveries.ts'

onEachDatabase(({ kind, skip, database }) => {
  const listOf = async (account: string) => (await listDeliveries(database().pool, account, { limit: 100 })).data
  const forget = () => database().pool.query('delete from webhook_delivery')

  test(`${kind}: two processes make each attempt once`, { skip }, async () => {
    await using receiver = await startReceiver()
    const accounts = await Promise.all(Array.from({ length: 10 }, () => makeAccount(database(), 'team')))
    const dispatchers = [startDelivering(database()), startDelivering(database())]
    await Promise.all(accounts.flatMap(({ id }) => Array.from({ length: 10 }, () => endBatch(database(), id, receiver.url))))
    assert.ok(await until(async () => receiver.received.length >= 100, 15_000))
    for (const dispatcher of dispatchers) assert.equal(await dispatcher.look(), false)
    for (const dispatcher of dispatchers) await dispatcher.close()
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.deepEqual([ids.length, new Set(ids).size], [100, 100])
    const all = (await Promise.all(accounts.map(({ id }) => listOf(id)))).flat()
    assert.ok(all.every(({ status, attempts }) => status === 'delivered' && attempts.length === 1))
    await forget()
  })

  test(`${kind}: an attempt that ends after its lease decides nothing about the one that another makes`, { skip }, async () => {
    const { id: account } = await makeAccount(database(), 'team')
    await endBatch(database(), account, 'http://127.0.0.1:9/')
    const claim = async () => {
      const claimedDeliveries = await claimDeliveries(database().pool, 10, 2)
      return claimedDeliveries.find(({ accountId }) => accountId === account) ?? assert.fail('it was due')
    }
    const late = await claim()
    assert.deepEqual(await claimDeliveries(database().pool, 10, 2), [])
    await database().pool.query(`update webhook_delivery set claimed_until = clock_timestamp() where account_id = $1`, [account])
    const current = await claim()
    assert.deepEqual([late.number, current.number], [1, 2])
    await finishAttempt(database().pool, late, { durationMs: 70_000, status: 410, outcome: { status: 'stopped' } })
    assert.equal((await listOf(account))[0]?.status, 'pending')
    await finishAttempt(database().pool, current, { durationMs: 5, status: 200, outcome: { status: 'delivered' } })
    const [delivery] = await listOf(account)
    assert.deepEqual([delivery?.status, delivery?.attempts.map(({ status }) => status)], ['delivered', [410, 200]])
  })

  test(`${kind}: where all places are taken, accounts alternate: the last one waits for one attempt of each other`, {
    skip,
  }, async () => {
    const order: string[] = []
    await using receiver = await startReceiver((response, nth) => {
      setTimeout(() => response.writeHead(200).end(), 20)
      return nth < 0 ? 0 : undefined
    })
    const [first, second, last] = await Promise.all([1, 2, 3].map(() => makeAccount(database(), 'team')))
    assert.ok(first && second && last)
    for (const { id } of [first, second]) for (let nth = 0; nth < 15; nth++) await endBatch(database(), id, receiver.url)
    await endBatch(database(), last.id, receiver.url)
    const dispatcher = startDelivering(database(), { atOnce: 1, onAttempt: ({ accountId }) => order.push(accountId) })
    assert.ok(await until(async () => order.length === 31, 15_000))
    await dispatcher.close()
    assert.ok(order.indexOf(last.id) < 3, `it was number ${order.indexOf(last.id) + 1}`)
    assert.ok(order.slice(0, 10).filter((id) => id === first.id).length >= 4)
    await forget()
  })

  test(`${kind}: no delivery is lost while the database fails for a moment`, { skip }, async () => {
    await using receiver = await startReceiver()
    const { id: account } = await makeAccount(database(), 'team')
    await endBatch(database(), account, receiver.url)
    await database().pool.query('alter function claim_webhook_deliveries rename to away')
    const looks: unknown[] = []
    const dispatcher = startDelivering(database(), { onLook: (error) => looks.push(error) })
    assert.ok(await until(async () => looks.filter((error) => error instanceof Error).length > 1))
    await database().pool.query('alter function away rename to claim_webhook_deliveries')
    assert.ok(await until(async () => receiver.received.length === 1))
    await dispatcher.close()
  })

  test(`${kind}: a stop waits for the running attempt, and starts no other`, { skip }, async () => {
    await using receiver = await startReceiver((response) => {
      setTimeout(() => response.writeHead(200).end(), 300)
      return undefined
    })
    const { id: account } = await makeAccount(database(), 'team')
    const dispatcher = startDelivering(database(), { atOnce: 1 })
    for (let nth = 0; nth < 3; nth++) await endBatch(database(), account, receiver.url)
    assert.ok(await until(async () => receiver.received.length === 1))
    await dispatcher.close()
    const statuses = (await listOf(account)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), ['delivered', 'pending', 'pending'])
    assert.equal(receiver.received.length, 1)
    await forget()
  })

  test(`${kind}: deliveries and their attempts are deleted after 30 days`, { skip }, async () => {
    await forget()
    const { id: account } = await makeAccount(database(), 'team')
    for (const days of [29, 31]) {
      const batch = await endBatch(database(), account, 'http://127.0.0.1:9/')
      await database().pool.query(
        `with aged as (update webhook_delivery set created_at = created_at - $2 * interval '1 day' where batch_id = $1 returning id)
         insert into webhook_attempt (delivery_id, number) select id, 1 from aged`,
        [batch, days],
      )
    }
    assert.equal(await forgetOldDeliveries(database().pool), 1)
    const { rows } = await database().pool.query('select count(*)::int as left from webhook_attempt')
    assert.deepEqual([(await listOf(account)).length, rows[0].left], [1, 1])
    await forget()
  })
})
