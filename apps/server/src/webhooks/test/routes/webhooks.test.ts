import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { Webhook } from 'standardwebhooks'
import { makeAccount, makeLogin } from '../../../../test/support/accounts.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { serverOn } from '../../../../test/support/server-on.ts'
import { endBatch, startReceiver } from '../../../../test/support/webhooks.ts'
import type { WebhookDelivery } from '../../list-deliveries.ts'

interface Page {
  readonly data: readonly WebhookDelivery[]
  readonly nextCursor: string | null
}

for (const target of TARGETS) {
  const { name, skip } = target
  test(`${name}: the owner of an account sees and rotates the secret, lists deliveries and has them sent again, by login tokens only`, {
    skip,
  }, async (t) => {
    const { server, database } = await serverOn(target, t, { EGRESS_ALLOW: '127.0.0.1' })
    const person = async () => {
      const { id } = await makeAccount(database, 'team')
      return { id, token: await makeLogin(database, id) }
    }
    const ada = await person()
    const eve = await person()
    const call = <Body>(line: string, { token }: { readonly token: string } = ada) => send<Body>(server.url, line, { token })
    const list = async (query = '') => (await call<Page>(`GET /api/user/webhook-deliveries${query}`)).body

    const shownAnswer = await call<{ secret: string }>('GET /api/user/webhook-secret')
    assert.deepEqual([shownAnswer.status, Object.keys(shownAnswer.body)], [200, ['secret']])
    const rotatedAnswer = await call<{ secret: string; previousExpiresAt: string }>('PUT /api/user/webhook-secret')
    assert.notEqual(rotatedAnswer.body.secret, shownAnswer.body.secret)
    assert.deepEqual((await call('GET /api/user/webhook-secret')).body, rotatedAnswer.body)

    await using receiver = await startReceiver((_, nth) => (nth === 1 ? 410 : 200))
    const batch = await endBatch(database, ada.id, receiver.url)
    assert.ok(await until(async () => (await list()).data[0]?.status === 'stopped'))
    const [stoppedItem] = (await list()).data
    assert.ok(stoppedItem)

    const again = `POST /api/user/webhook-deliveries/${stoppedItem.id}/redeliver`
    for (const [line, caller] of [
      [again, eve],
      ['POST /api/user/webhook-deliveries/00000000-0000-4000-8000-000000000000/redeliver', ada],
      ['POST /api/user/webhook-deliveries/none/redeliver', ada],
    ] as const)
      assert.deepEqual((await call<never>(line, caller)).error?.statusMessage, 'not_found')
    const acceptedAnswer = await call<WebhookDelivery>(again)
    assert.deepEqual([acceptedAnswer.status, acceptedAnswer.body.id, acceptedAnswer.body.batchId], [202, stoppedItem.id, batch])
    assert.ok(await until(async () => (await list()).data[0]?.status === 'delivered'))
    const [first, second] = receiver.received
    assert.deepEqual([second?.headers['webhook-id'], second?.body], [stoppedItem.id, first?.body])
    for (const { secret } of [shownAnswer.body, rotatedAnswer.body])
      new Webhook(secret).verify(second?.body ?? '', second?.headers as Record<string, string>)
    assert.deepEqual(
      (await list()).data[0]?.attempts.map(({ status }) => status),
      [410, 200],
    )

    const { rows: log } = await database.pool.query(
      'select action, details, actor_id from audit_entry where account_id = $1 order by id',
      [ada.id],
    )
    assert.deepEqual(log, [
      {
        action: 'webhook_secret_rotated',
        details: { previousExpiresAt: rotatedAnswer.body.previousExpiresAt },
        actor_id: ada.id,
      },
      { action: 'webhook_redelivered', details: { deliveryId: stoppedItem.id, batchId: batch }, actor_id: ada.id },
    ])
    assert.ok(!JSON.stringify(log).includes('whsec_'))

    // Eleven of one transaction, so of one time, in pages.
    await database.pool.query(
      `insert into webhook_delivery (account_id, batch_id, event, url, facts, status, next_attempt_at)
       select $1, gen_random_uuid(), 'batch.completed', 'https://example.com/', '{}', 'failed', null from generate_series(1, 11)`,
      [ada.id],
    )
    const seenTexts: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await list(`?limit=5${cursor && `&cursor=${cursor}`}`)
      seenTexts.push(...page.data.map(({ id }) => id))
      cursor = page.nextCursor
    }
    assert.deepEqual([seenTexts.length, new Set(seenTexts).size, seenTexts.at(-1)], [12, 12, stoppedItem.id])
    assert.deepEqual(
      (await list(`?batch=${batch}`)).data.map(({ id }) => id),
      [stoppedItem.id],
    )
    assert.deepEqual((await call<Page>('GET /api/user/webhook-deliveries', eve)).body.data, [])

    for (let left = 9; left > 0; left--) assert.equal((await call(again)).status, 202)
    const refusedAnswer = await call(again)
    assert.deepEqual([refusedAnswer.status, refusedAnswer.error?.statusMessage], [429, 'rate_limited'])
    assert.ok(Number(refusedAnswer.headers.get('retry-after')) <= 60)

    for (const line of [
      'GET /api/user/webhook-secret',
      'PUT /api/user/webhook-secret',
      'GET /api/user/webhook-deliveries',
      'POST /api/user/webhook-deliveries/00000000-0000-4000-8000-000000000000/redeliver',
    ])
      for (const credentials of [{}, { token: server.key }])
        assert.equal((await send(server.url, line, credentials)).error?.statusMessage, 'missing_or_invalid_login_token', line)
  })
}
