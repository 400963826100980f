import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openQueue } from '../../src/queue/queue.ts'
import { onEachDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'

const events = { onError: assert.ifError, onWarning() {} }

onEachDatabase(({ kind, skip, database }) => {
  test(`${kind}: of processes that start together on an empty database none fails`, { skip }, async () => {
    for (let round = 0; round < 2; round++) {
      await database().pool.query('drop schema if exists pgboss cascade')
      const started = await Promise.allSettled([1, 2, 3].map(() => openQueue(database(), false, events)))
      for (const one of started) if (one.status === 'fulfilled') await one.value.close()
      assert.deepEqual(
        started.map(({ status }) => status),
        Array(3).fill('fulfilled'),
      )
    }
  })

  test(`${kind}: a job exists when its transaction is committed, once for each key, and is done by one of two processes`, {
    skip,
  }, async (t) => {
    const [one, other] = await Promise.all([openQueue(database(), true, events), openQueue(database(), true, events)])
    t.after(() => Promise.all([one.close(), other.close()]))
    const done: string[] = []
    for (const queue of [one, other]) {
      await queue.work('remove-batch-files', { atOnce: 2, everySeconds: 0.5 }, async ({ batchId }) => void done.push(batchId))
    }
    const client = await database().connect()
    t.after(() => client.end())
    for (const [batchId, end] of [
      ['undone', 'rollback'],
      ['kept', 'commit'],
    ] as const) {
      await client.query('begin')
      await one.send('remove-batch-files', { batchId }, { key: batchId, within: client })
      await one.send('remove-batch-files', { batchId }, { key: batchId, within: client })
      await client.query(end)
    }
    await other.send('remove-batch-files', { batchId: 'later' }, { key: 'later', afterSeconds: 2 })
    assert.ok(await until(async () => done.includes('later')))
    assert.deepEqual(done, ['kept', 'later'])
  })

  test(`${kind}: jobs that wait are done one after the other, not one for each look`, { skip }, async (t) => {
    const queue = await openQueue(database(), true, events)
    t.after(() => queue.close())
    const waiting = ['1', '2', '3', '4', '5']
    for (const batchId of waiting) await queue.send('remove-batch-files', { batchId }, { key: batchId })
    const done: string[] = []
    await queue.work('remove-batch-files', { atOnce: 2, everySeconds: 60 }, async ({ batchId }) => void done.push(batchId))
    assert.ok(await until(async () => done.length === waiting.length, 20_000), `only ${done} are done`)
    assert.deepEqual(done.toSorted(), waiting)
  })

  test(`${kind}: a job whose handler throws is done again`, { skip }, async (t) => {
    const queue = await openQueue(database(), true, events)
    t.after(() => queue.close())
    let tries = 0
    await queue.work('remove-batch-files', { atOnce: 1, everySeconds: 0.5 }, async () => {
      if (++tries === 1) throw new Error('on purpose')
    })
    await queue.send('remove-batch-files', { batchId: 'again' }, { key: 'again' })
    assert.ok(await until(async () => tries === 2, 25_000))
  })

  test(`${kind}: the queue looks after itself without an error: jobs of workers that died are found so`, { skip }, async (t) => {
    const failures: Error[] = []
    const queue = await openQueue(database(), true, { onError: (error) => failures.push(error), onWarning() {} })
    t.after(() => queue.close())
    // As if its worker had died a minute ago.
    await queue.send('housekeeping', { job: 'lost' }, { key: 'lost' })
    await database().pool.query(
      `update pgboss.job set state = 'active', started_on = now() - interval '1 minute', heartbeat_on = now() - interval '1 minute'
        where name = 'housekeeping' and singleton_key = 'lost'`,
    )
    const state = async () =>
      (await database().pool.query(`select state::text from pgboss.job where singleton_key = 'lost'`)).rows[0].state
    assert.ok(await until(async () => (await state()) === 'failed', 40_000), await state())
    assert.deepEqual(failures, [])
  })

  test(`${kind}: a process that only sends works on nothing`, { skip }, async (t) => {
    const queue = await openQueue(database(), false, events)
    t.after(() => queue.close())
    await queue.check()
    await queue.send('remove-batch-files', { batchId: 'waits' }, { key: 'waits' })
    const { rows } = await database().pool.query(
      `select state::text from pgboss.job where name = 'remove-batch-files' and singleton_key = 'waits'`,
    )
    assert.deepEqual(rows, [{ state: 'created' }])
  })
})
