import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { endBatch, startDelivering, startReceiver } from '../../../test/support/webhooks.ts'
import { listDeliveries } from '../list-deliveries.ts'

onEachDatabase(({ kind, skip, database, target }) => {
  const listOf = async (account: string) => (await listDeliveries(database().pool, account, { limit: 100 })).data
  const forget = () => database().pool.query('delete from webhook_delivery')

  test(`${kind}: an attempt whose process was killed is made again when its lease has ended`, { skip }, async (t) => {
    await using receiver = await startReceiver((_, nth) => (nth === 1 ? undefined : 200))
    const { id: account } = await makeAccount(database(), 'team')
    const program = join(import.meta.dirname, 'programs/deliver.ts')
    const child = spawn(process.execPath, [program, JSON.stringify(target())], { stdio: 'inherit' })
    t.after(() => child.kill('SIGKILL'))
    await endBatch(database(), account, receiver.url)
    assert.ok(await until(async () => receiver.received.length === 1, 10_000), 'the process has begun')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const dispatcher = startDelivering(database())
    assert.equal(await dispatcher.look(), false)
    const [claimedOf] = await listOf(account)
    assert.deepEqual([claimedOf?.status, claimedOf?.attempts.length, receiver.received.length], ['pending', 1, 1])
    // As if the minute were over.
    await database().pool.query(`update webhook_delivery set claimed_until = clock_timestamp() where account_id = $1`, [account])
    assert.ok(await until(async () => (await listOf(account))[0]?.status === 'delivered'))
    await dispatcher.close()
    const [deliveredOf] = await listOf(account)
    assert.deepEqual(
      deliveredOf?.attempts.map(({ number, status, durationMs }) => [number, status, durationMs !== undefined]),
      [
        [1, undefined, false],
        [2, 200, true],
      ],
    )
    const [first, second] = receiver.received
    assert.deepEqual([second?.body, second?.headers['webhook-id']], [first?.body, first?.headers['webhook-id']])
  })

  test(`${kind}: receivers that hang occupy two places of their account, and do not delay other accounts`, { skip }, async () => {
    let open = 0
    let most = 0
    await using slow = await startReceiver((response) => {
      most = Math.max(most, ++open)
      response.once('close', () => open--)
      return undefined
    })
    await using quick = await startReceiver()
    const [hanging, other] = await Promise.all([1, 2].map(() => makeAccount(database(), 'team')))
    assert.ok(hanging && other)
    for (let nth = 0; nth < 20; nth++) await endBatch(database(), hanging.id, slow.url)
    const dispatchers = [1, 2].map(() => startDelivering(database(), { deadlineMs: 4_000, atOnce: 3 }))
    assert.ok(await until(async () => open === 2))
    const began = performance.now()
    for (let nth = 0; nth < 5; nth++) await endBatch(database(), other.id, quick.url)
    assert.ok(await until(async () => quick.received.length === 5, 3_900), `${performance.now() - began} ms`)
    // Both processes make further attempts.
    assert.ok(await until(async () => slow.received.length > 4))
    for (const dispatcher of dispatchers) await dispatcher.close()
    assert.equal(most, 2)
    await forget()
  })
})
