import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { endBatch, startDelivering, startReceiver } from '../../../test/support/webhooks.ts'
import { isRefusal } from '../../contract/api-error.ts'
import { parseAllowList } from '../../outbound/allow-list.ts'
import { openOutbound } from '../../outbound/outbound.ts'
import { checkReceiver } from '../attempt.ts'
import { listDeliveries } from '../list-deliveries.ts'

/** A root server's: public, and tests may not connect to it. */
const PUBLIC = '198.41.0.4'
const names: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': [PUBLIC],
  'inside.example.com': ['10.0.0.7'],
  'nowhere.example.com': [],
}

test('what is given as a receiver is refused in the same words, whether its host is private or unknown', async (t) => {
  const outbound = openOutbound({ allow: parseAllowList('hooks.lan'), resolve: async (name) => names[name] ?? [] })
  t.after(() => outbound.close())
  await checkReceiver(outbound, 'webhook_url', 'https://hooks.example.com/in')
  const saidTexts = await Promise.all(
    ['http://127.0.0.1/', 'http://2130706433/', 'http://[::ffff:10.0.0.1]/', 'http://169.254.169.254/', 'http://localhost/']
      .concat('https://inside.example.com/', 'https://nowhere.example.com/')
      .map((url) => checkReceiver(outbound, 'webhook_url', url).then(() => 'kept', String)),
  )
  const alike = new Set(saidTexts.map((words) => words.replace(/ adding \S+ to /, ' adding … to ')))
  assert.equal(alike.size, 1, saidTexts.join('\n'))
  assert.match(saidTexts[0] ?? '', /webhook_url: The host has no public address .* adding 127\.0\.0\.1:80 to EGRESS_ALLOW\.$/)
  assert.match(saidTexts[2] ?? '', / adding \[::ffff:a00:1\]:80 to EGRESS_ALLOW/)
  assert.match(saidTexts[5] ?? '', / adding inside\.example\.com:443 to EGRESS_ALLOW/)
  const error = await checkReceiver(outbound, 'webhook_url', 'ftp://hooks.example.com/').catch(
    (thrownValue: unknown) => thrownValue,
  )
  assert.ok(isRefusal(error))
  assert.deepEqual([error.code, error.issues?.[0]?.path], ['invalid_params', ['webhook_url']])
})

onEachDatabase(({ kind, skip, database }) => {
  test(`${kind}: a name that was public when it was given, and leads inside when it is called, is not called`, {
    skip,
  }, async (t) => {
    await using receiver = await startReceiver()
    const answers = [[PUBLIC], ['127.0.0.1']]
    const resolve = async () => answers.shift() ?? ['127.0.0.1']
    const url = `http://rebind.example.com:${receiver.port}/`
    const outbound = openOutbound({ allow: parseAllowList(''), resolve })
    t.after(() => outbound.close())
    await checkReceiver(outbound, 'webhook_url', url)
    const { id: account } = await makeAccount(database(), 'team')
    await endBatch(database(), account, url)
    const reasons: unknown[] = []
    const dispatcher = startDelivering(database(), {
      allow: '',
      resolve,
      onAttempt: (_, { reason }) => reasons.push(reason),
    })
    assert.ok(await until(async () => reasons.length === 1))
    // It may lead elsewhere by the next time, so that it is tried again.
    await dispatcher.close()
    const [delivery] = (await listDeliveries(database().pool, account, { limit: 1 })).data
    const [attempt] = delivery?.attempts ?? []
    assert.deepEqual(
      [delivery?.status, attempt?.status, attempt?.error],
      [
        'pending',
        undefined,
        `The host has no public address that can be found. The operator of this server can allow it by adding rebind.example.com:${receiver.port} to EGRESS_ALLOW.`,
      ],
    )
    assert.deepEqual(reasons, ['loopback'])
    assert.equal(receiver.connections(), 0)
  })
})
