import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { z } from 'zod'
import { ofKind } from '../../../test/deploy/files.ts'
import { makeAccount } from '../../../test/support/accounts.ts'
import { claimItems, convertedResult, makeBatch } from '../../../test/support/batches.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { recordResults } from '../../batch/claim-images.ts'
import { cancelBatch } from '../../batch/end-batches.ts'
import { registerInstance } from '../../metering/instance.ts'

const trigger = z.object({ type: z.string(), metadata: z.object({ query: z.string(), targetQueryValue: z.coerce.number() }) })
const scaler = z.object({ spec: z.object({ triggers: z.array(z.unknown()) }) })

/** What KEDA asks, and for how many pixels it runs a worker. */
const { query, targetQueryValue: perWorker } = trigger.parse(
  ofKind('autoscaling.yaml', 'ScaledObject')
    .flatMap((document) => scaler.parse(document).spec.triggers)
    .find((one) => z.looseObject({ type: z.string() }).parse(one).type === 'postgresql'),
).metadata

const MEGAPIXEL = 1_000_000

onEachDatabase(({ kind, skip, database }) => {
  async function waiting(client: Pick<pg.Pool, 'query'> = database().pool): Promise<number> {
    const { rows, fields } = await client.query<Record<string, unknown>>(query)
    assert.deepEqual([rows.length, fields.length], [1, 1])
    return Number(Object.values(rows[0] ?? assert.fail())[0])
  }
  async function withJob(dueIn: string): Promise<void> {
    await database().pool.query('delete from housekeeping_job')
    await database().pool.query("insert into housekeeping_job (name, due_at) values ('test', clock_timestamp() + $1::interval)", [
      dueIn,
    ])
  }

  test(`${kind}: without work no pixels wait; a batch counts until its last image is recorded`, { skip }, async () => {
    await withJob('1 minute')
    const { id: account, key } = await makeAccount(database(), 'enterprise')
    const { server, close } = await registerInstance(database(), assert.ifError)
    assert.equal(await waiting(), 0)
    const { id } = await makeBatch(database(), key, 10)
    await database().pool.query('update batch set upload_bytes = 40000000 where id = $1', [id])
    assert.equal(await waiting(), 120 * MEGAPIXEL)
    const images = await claimItems(database(), server, 10)
    assert.equal(await waiting(), 120 * MEGAPIXEL)
    await recordResults(database().pool, server, images.slice(0, 5).map(convertedResult))
    assert.equal(await waiting(), 60 * MEGAPIXEL)
    await recordResults(database().pool, server, images.slice(5).map(convertedResult))
    // Files of the upload are to be removed.
    assert.equal(await waiting(), 1)
    await database().pool.query('delete from batch_cleanup')
    assert.equal(await waiting(), 0)

    // Small files count as images too, and each output of a recipe.
    const small = await makeBatch(database(), key, 10)
    assert.equal(await waiting(), MEGAPIXEL)
    await database().pool.query(
      `update batch set upload_bytes = 40000000, format = null, recipe = '{"outputs": [{}, {}]}' where id = $1`,
      [small.id],
    )
    assert.equal(await waiting(), 240 * MEGAPIXEL)
    await cancelBatch(database().pool, account, small.id)
    await database().pool.query('delete from batch_cleanup')
    await close()
  })

  test(`${kind}: due webhooks and late housekeeping start one worker`, { skip }, async () => {
    await withJob('1 minute')
    const { id } = await makeAccount(database(), 'team')
    await database().pool.query(
      `insert into webhook_delivery (account_id, batch_id, event, url, facts, next_attempt_at)
       select $1, gen_random_uuid(), 'batch.completed', 'https://example.com', '{}', clock_timestamp() + n * interval '1 hour'
         from generate_series(-2, 3) n`,
      [id],
    )
    assert.equal(await waiting(), 3)
    await database().pool.query('delete from webhook_delivery')
    await withJob('-29 minutes')
    assert.equal(await waiting(), 0)
    await withJob('-31 minutes')
    assert.equal(await waiting(), 1)
    // No worker was ever there.
    await database().pool.query('delete from housekeeping_job')
    assert.equal(await waiting(), 1)
    assert.ok(perWorker > 1_000 * 3)
  })

  test(`${kind}: a role that may do nothing else can ask`, { skip }, async () => {
    await withJob('1 minute')
    const owner = await database().connect()
    const role = `autoscaler_${process.pid}`
    try {
      await owner.query(`create role ${role} login`)
      await owner.query(`grant execute on function pixels_waiting() to ${role}`)
      await owner.query(`set role ${role}`)
      // Its own tables do not stand in for ours.
      await owner.query('create temporary table batch as select 1 as id').catch(() => {})
      assert.equal(await waiting(owner as unknown as pg.Pool), 0)
      await assert.rejects(owner.query('select from public.batch'), { code: '42501' })
    } finally {
      await owner.query('reset role')
      await owner.query(`drop owned by ${role}; drop role ${role}`)
      await owner.end()
    }
  })

  test(`${kind}: thousands of batches are counted in milliseconds`, { skip }, async () => {
    await withJob('1 minute')
    const { id } = await makeAccount(database(), 'team')
    await database().pool.query(
      `insert into batch (id, account_id, format, total, pending, upload_bytes)
       select gen_random_uuid(), $1, 'webp', 100, 100, 100000000 from generate_series(1, 5000)`,
      [id],
    )
    const times: number[] = []
    for (let n = 0; n < 5; n++) {
      const began = performance.now()
      assert.equal(await waiting(), 5_000 * 300 * MEGAPIXEL)
      times.push(performance.now() - began)
    }
    await database().pool.query('delete from batch')
    assert.ok(Math.min(...times) < 200, String(times))
  })
})
