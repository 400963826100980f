import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { wayTo } from '../../../test/support/cuttable-database.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { readMetric } from '../../../test/support/read-metric.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import { serverOn } from '../../../test/support/server-on.ts'

const tellerOf = (server: Server) => (name: string, labels?: Readonly<Record<string, string>>) => readMetric(server, name, labels)

for (const target of TARGETS) {
  test(`what the database knows of all processes: ${target.name}`, { skip: target.skip }, async (t) => {
    const { server, database, another } = await serverOn(target, t)
    const toldNumber = tellerOf(server)
    const quiet = ['batches_unfinished', 'batch_images_waiting', 'batch_oldest_seconds', 'webhooks_due', 'reservations_open']
    assert.deepEqual(await Promise.all(['database_up', ...quiet].map((name) => toldNumber(name))), [1, 0, 0, 0, 0, 0])
    const { rows } = await database.pool.query<{ name: string }>('select max(name) as name from kysely_migration')
    assert.equal(await toldNumber('database_migration'), Number(rows[0]?.name.slice(0, 4)))
    for (const queue of ['housekeeping', 'remove-batch-files'])
      assert.ok(Number(await toldNumber('queue_oldest_seconds', { queue })) >= 0, queue)

    // A batch that no worker can process and a call that is held, as rows: a worker would take what is real.
    const { rows: people } = await database.pool.query<{ id: string }>('select id from account limit 1')
    const account = people[0]?.id
    await database.pool.query(
      `insert into batch (id, account_id, key_id, format, quality, total, pending, succeeded, created_at, idle_since)
       values (gen_random_uuid(), $1, gen_random_uuid(), 'webp', 75, 5, 3, 2, now() - interval '90 s', now() - interval '60 s')`,
      [account],
    )
    await database.pool.query(
      `insert into webhook_delivery (id, account_id, batch_id, event, url, facts, created_at, next_attempt_at)
       values (gen_random_uuid(), $1, gen_random_uuid(), 'batch.completed', 'http://127.0.0.1:1', '{}', now() - interval '9 min', now() + interval '1 h')`,
      [account],
    )
    const other = tellerOf(await another({ ROLE: 'api' }))
    const states = await Promise.all(
      ['batches_unfinished', 'batch_images_waiting', 'webhooks_waiting', 'webhooks_due'].map((name) => other(name)),
    )
    assert.deepEqual(states, [1, 3, 1, 0])
    assert.ok(Number(await other('batch_oldest_seconds')) >= 90)
    assert.ok(Number(await other('batch_idle_seconds')) < 90)
    assert.ok(Number(await other('webhook_oldest_seconds')) >= 540)
    assert.equal(await other('webhook_late_seconds'), 0)
    assert.deepEqual([await other('servers', { role: 'all' }), await other('servers', { role: 'api' })], [1, 1])
    assert.ok(
      await until(async () => (await toldNumber('servers', { role: 'api' })) === 1, 20_000),
      'the answer is kept for ten seconds',
    )
  })
}

test('a database that goes away costs gauges, never the answer', async (t) => {
  const target = await TARGETS[0].start(t)
  assert.ok('socketDir' in target)
  await using way = await wayTo(target.socketDir)
  await using server = await startServer({ DATABASE_URL: way.url, RENDERERS: '1' })
  const toldNumber = tellerOf(server)
  assert.deepEqual([await toldNumber('database_up'), await toldNumber('batch_images_waiting')], [1, 0])
  way.cut('silent')
  assert.ok(await until(async () => (await toldNumber('database_up')) === 0, 30_000))
  assert.equal(await toldNumber('batch_images_waiting'), undefined)
  assert.equal(await toldNumber('servers', { role: 'all' }), undefined)
  assert.equal(await toldNumber('renderers_ready', { lane: 'sync' }), 1)
  assert.ok(Number(await toldNumber('database_connections_limit')) > 0)
  assert.ok(await until(async () => Number(await toldNumber('database_connection_errors_total')) > 0, 30_000))
  await way.restore()
  assert.ok(await until(async () => (await toldNumber('database_up')) === 1, 40_000))
  assert.equal(await toldNumber('batch_images_waiting'), 0)
})
