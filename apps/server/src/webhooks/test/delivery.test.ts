import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { until } from '@pixelmill/engine/test/support/until'
import { Webhook } from 'standardwebhooks'
import { makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { endBatch, type Receiver, startDelivering, startReceiver } from '../../../test/support/webhooks.ts'
import { listDeliveries, type WebhookDelivery } from '../list-deliveries.ts'
import { rotateSecret, showSecret } from '../signing.ts'

const noAccount = { accountId: null, requestId: 'req_test', address: '127.0.0.1' }
const MiB = 1024 * 1024

onEachDatabase(({ kind, skip, database }) => {
  const listOf = async (account: string): Promise<readonly WebhookDelivery[]> =>
    (await listDeliveries(database().pool, account, { limit: 100 })).data
  const onlyOf = async (account: string): Promise<WebhookDelivery> => {
    const [delivery] = await listOf(account)
    return delivery ?? assert.fail('there is a delivery')
  }
  const untilSettled = (account: string, status: WebhookDelivery['status']) =>
    until(async () => (await onlyOf(account)).status === status)
  const untilAttempts = (account: string, times: number, ms?: number) =>
    until(async () => (await onlyOf(account)).attempts.filter(({ durationMs }) => durationMs !== undefined).length === times, ms)
  /** Lets the next attempt be due, as if time had passed. */
  const hasten = (account: string) =>
    database().pool.query(
      `update webhook_delivery set next_attempt_at = clock_timestamp() where account_id = $1 and status = 'pending'`,
      [account],
    )
  const verify = (secret: string, { headers, body }: Receiver['received'][number]): unknown =>
    new Webhook(secret).verify(body, headers as Record<string, string>)

  test(`${kind}: a receiver gets a request signed by the standard, with the batch as it ended`, { skip }, async () => {
    await using receiver = await startReceiver()
    const { id: account } = await makeAccount(database(), 'team')
    const url = `${receiver.url}/hooks?a=b`
    const batch = await endBatch(database(), account, url)
    // Removed before anybody could tell of it.
    await database().pool.query('delete from batch where id = $1', [batch])
    const dispatcher = startDelivering(database())
    assert.ok(await untilSettled(account, 'delivered'))
    await dispatcher.close()
    const [sentItem] = receiver.received
    assert.ok(sentItem)
    const { secret } = await showSecret(database().kysely, account)
    const payload = verify(secret, sentItem) as { type: string; timestamp: string; data: Record<string, unknown> }
    const { createdAt, ...delivery } = await onlyOf(account)
    assert.deepEqual([payload.type, payload.timestamp], ['batch.completed', createdAt])
    assert.deepEqual(Object.keys(payload), ['type', 'timestamp', 'data'])
    const progress = { total: 1, done: 1, succeeded: 1, failed: 0, percent: 100 }
    const { createdAt: _, startedAt, finishedAt, expiresAt, ...data } = payload.data
    assert.deepEqual(data, {
      id: batch,
      status: 'completed',
      format: 'webp',
      quality: 80,
      progress,
      resultUrl: `/api/v2/batch/${batch}/result`,
    })
    for (const time of [startedAt, finishedAt, expiresAt]) assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
    const { method, headers } = sentItem
    assert.deepEqual(
      [method, headers['content-type'], headers['user-agent'], headers['webhook-id']],
      ['POST', 'application/json', 'Pixelmill/test', delivery.id],
    )
    assert.deepEqual([delivery.batchId, delivery.url, delivery.attempts.length], [batch, url, 1])
    assert.deepEqual(
      [delivery.attempts[0]?.number, delivery.attempts[0]?.status, delivery.attempts[0]?.error],
      [1, 204, undefined],
    )
    assert.ok(delivery.deliveredAt && !delivery.nextAttemptAt)
    await assert.rejects(async () => verify(`whsec_${randomBytes(32).toString('base64')}`, sentItem), /No matching signature/)
  })

  test(`${kind}: a delivery that an internal error keeps from being sent is retried by the schedule, and fails after the last retry`, {
    skip,
  }, async () => {
    await using receiver = await startReceiver()
    const { id: account } = await makeAccount(database(), 'team')
    await endBatch(database(), account, receiver.url)
    const faults: unknown[] = []
    const dispatcher = startDelivering(database(), {
      dataOf: () => Promise.reject(new TypeError('on purpose')),
      onFault: (_, error) => faults.push(error),
    })
    assert.ok(await untilAttempts(account, 1))
    const first = await onlyOf(account)
    assert.deepEqual([first.status, first.attempts[0]?.status], ['pending', undefined])
    assert.match(first.attempts[0]?.error ?? '', /fault of this service/)
    const wait = Date.parse(first.nextAttemptAt ?? '') - Date.parse(first.attempts[0]?.at ?? '')
    assert.ok(wait >= 5_000 && wait < 7_000, `${wait} ms`)
    await database().pool.query(
      `update webhook_attempt set at = at - interval '1 day' where delivery_id in (select id from webhook_delivery where account_id = $1)`,
      [account],
    )
    await hasten(account)
    assert.ok(await untilSettled(account, 'failed'))
    await dispatcher.close()
    assert.deepEqual([faults.length, receiver.received.length], [2, 0])
  })

  test(`${kind}: a failed batch is reported as failed; one without an address is not reported, and none twice`, {
    skip,
  }, async () => {
    await using receiver = await startReceiver()
    const { id: account } = await makeAccount(database(), 'team')
    await endBatch(database(), account, null)
    const error = { code: 'invalid_image', message: 'None of the images could be converted.' }
    const batch = await endBatch(database(), account, receiver.url, error)
    for (const id of [batch, '00000000-0000-4000-8000-000000000000'])
      await database().pool.query(`select add_webhook_delivery($1, 'batch.failed')`, [id])
    const dispatcher = startDelivering(database())
    assert.ok(await untilSettled(account, 'delivered'))
    await dispatcher.close()
    assert.equal((await listOf(account)).length, 1)
    const { type, data } = JSON.parse(receiver.received[0]?.body ?? '')
    assert.deepEqual([type, data.status, data.error, data.resultUrl], ['batch.failed', 'failed', error, undefined])
    assert.equal(receiver.received.length, 1)
  })

  test(`${kind}: a secret that was rotated still signs, beside the new one, for 24 hours`, { skip }, async () => {
    await using receiver = await startReceiver()
    const { id: account } = await makeAccount(database(), 'team')
    const old = await showSecret(database().kysely, account)
    const rotatedValue = await rotateSecret(database().kysely, noAccount, account)
    const hours = (Date.parse(rotatedValue.previousExpiresAt ?? '') - Date.now()) / 3_600_000
    assert.ok(Math.abs(hours - 24) < 0.1, `it ends in ${hours} hours`)
    assert.deepEqual(await showSecret(database().kysely, account), rotatedValue)
    assert.match(rotatedValue.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const dispatcher = startDelivering(database())
    await endBatch(database(), account, receiver.url)
    assert.ok(await until(async () => receiver.received.length === 1))
    await database().pool.query('update webhook_secret set previous_until = clock_timestamp() where account_id = $1', [account])
    await endBatch(database(), account, receiver.url)
    assert.ok(await until(async () => receiver.received.length === 2))
    await dispatcher.close()
    const [both, one] = receiver.received
    assert.ok(both && one)
    for (const secret of [old.secret, rotatedValue.secret]) assert.ok(verify(secret, both))
    assert.ok(verify(rotatedValue.secret, one))
    assert.throws(() => verify(old.secret, one), /No matching signature/)
    assert.deepEqual(await showSecret(database().kysely, account), { secret: rotatedValue.secret })
  })

  test(`${kind}: many calls at once that need the first secret all get the same`, { skip }, async () => {
    const { id: account } = await makeAccount(database(), 'team')
    const shownValues = await Promise.all(Array.from({ length: 20 }, () => showSecret(database().kysely, account)))
    assert.equal(new Set(shownValues.map(({ secret }) => secret)).size, 1)
  })

  test(`${kind}: after a 500 a delivery is sent again within seconds, the same bytes under the same id`, { skip }, async () => {
    await using receiver = await startReceiver((_, nth) => (nth === 1 ? 500 : 200))
    const { id: account } = await makeAccount(database(), 'team')
    await endBatch(database(), account, receiver.url)
    const dispatcher = startDelivering(database())
    assert.ok(await until(async () => receiver.received.length === 2, 10_000))
    assert.ok(await untilSettled(account, 'delivered'))
    await dispatcher.close()
    const [first, second] = receiver.received
    assert.ok(first && second)
    assert.deepEqual([second.body, second.headers['webhook-id']], [first.body, first.headers['webhook-id']])
    assert.notEqual(second.headers['webhook-timestamp'], first.headers['webhook-timestamp'])
    const { attempts } = await onlyOf(account)
    assert.deepEqual(
      attempts.map(({ number, status, error }) => [number, status, error]),
      [
        [1, 500, 'The server answered 500.'],
        [2, 200, undefined],
      ],
    )
    const wait = Date.parse(attempts[1]?.at ?? '') - Date.parse(attempts[0]?.at ?? '')
    assert.ok(wait >= 5_000, `${wait} ms`)
  })

  const ends: readonly (readonly [what: string, status: number, headers: Record<string, string>, end: string, error: RegExp])[] =
    [
      ['410 stops a delivery for good', 410, {}, 'stopped', /410: it wants no more/],
      ['a redirect is not followed', 302, { location: '/elsewhere' }, 'pending', /302; redirects are not followed/],
      [
        'a redirect that keeps the method is not followed either',
        308,
        { location: '/elsewhere' },
        'pending',
        /308; redirects are not followed/,
      ],
      ['a delivery answered 404 is retried', 404, {}, 'pending', /answered 404/],
    ]
  for (const [what, status, headers, end, error] of ends)
    test(`${kind}: ${what}`, { skip }, async () => {
      await using receiver = await startReceiver((response) => {
        response.writeHead(status, headers).end()
        return undefined
      })
      const { id: account } = await makeAccount(database(), 'team')
      await endBatch(database(), account, receiver.url)
      const dispatcher = startDelivering(database())
      assert.ok(await untilAttempts(account, 1))
      assert.equal(await dispatcher.look(), false)
      await dispatcher.close()
      const delivery = await onlyOf(account)
      assert.deepEqual([delivery.status, delivery.attempts.length, receiver.received.length], [end, 1, 1])
      assert.match(delivery.attempts[0]?.error ?? '', error)
      assert.equal(delivery.nextAttemptAt !== undefined, end === 'pending')
    })

  test(`${kind}: Retry-After is followed, up to a day`, { skip }, async () => {
    await using receiver = await startReceiver((response, nth) => {
      response.writeHead(503, { 'retry-after': nth === 1 ? '7200' : '400000' }).end()
      return undefined
    })
    const { id: account } = await makeAccount(database(), 'team')
    await endBatch(database(), account, receiver.url)
    const dispatcher = startDelivering(database())
    const hours = async () => (Date.parse((await onlyOf(account)).nextAttemptAt ?? '') - Date.now()) / 3_600_000
    assert.ok(await untilAttempts(account, 1))
    assert.ok(Math.abs((await hours()) - 2) < 0.1)
    await hasten(account)
    assert.ok(await untilAttempts(account, 2))
    assert.ok(Math.abs((await hours()) - 24) < 0.1)
    // The day is over.
    await database().pool.query(
      `update webhook_attempt set at = at - interval '24 hours' where delivery_id = (select id from webhook_delivery where account_id = $1)`,
      [account],
    )
    await hasten(account)
    assert.ok(await untilSettled(account, 'failed'))
    await dispatcher.close()
    assert.equal((await onlyOf(account)).nextAttemptAt, undefined)
  })

  test(`${kind}: a receiver that does not answer in time is asked again`, { skip }, async () => {
    await using receiver = await startReceiver(() => undefined)
    const { id: account } = await makeAccount(database(), 'team')
    await endBatch(database(), account, receiver.url)
    const dispatcher = startDelivering(database(), { deadlineMs: 300 })
    assert.ok(await untilAttempts(account, 1))
    await dispatcher.close()
    const { status, attempts } = await onlyOf(account)
    assert.deepEqual(
      [status, attempts[0]?.error, attempts[0]?.status],
      ['pending', 'The server did not answer in time.', undefined],
    )
    assert.ok((attempts[0]?.durationMs ?? 0) >= 290)
  })

  const bomb = gzipSync(Buffer.alloc(64 * MiB))
  const bodies: readonly (readonly [name: string, answer: Parameters<typeof startReceiver>[0]])[] = [
    [
      'never ends its answer',
      (response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('more'), 10)
        response.once('close', () => clearInterval(timer))
        return undefined
      },
    ],
    [
      'answers with a gzip bomb',
      (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
        return undefined
      },
    ],
  ]
  for (const [name, answer] of bodies)
    test(`${kind}: of a receiver that ${name} only the status is read`, { skip }, async () => {
      await using receiver = await startReceiver(answer)
      const { id: account } = await makeAccount(database(), 'team')
      await endBatch(database(), account, receiver.url)
      const before = process.memoryUsage().rss
      const dispatcher = startDelivering(database())
      assert.ok(await untilSettled(account, 'delivered'))
      assert.ok(await until(async () => receiver.answering() === 0), 'the connection is closed')
      await dispatcher.close()
      assert.ok(process.memoryUsage().rss - before < 48 * MiB)
      assert.ok(((await onlyOf(account)).attempts[0]?.durationMs ?? 0) < 5_000)
    })
})
