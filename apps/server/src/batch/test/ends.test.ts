import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { makeAccount } from '../../../test/support/accounts.ts'
import { claimItems, convertedResult, makeBatch, notConverted, readBatch } from '../../../test/support/batches.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { registerInstance } from '../../metering/instance.ts'
import { statusBody } from '../batch.ts'
import { recordResults } from '../claim-images.ts'
import { cancelBatch, expireBatches, failStaleBatches, forgetOldBatches } from '../end-batches.ts'
import { findBatch, listItems } from '../find-batches.ts'

const webhookUrl = 'https://example.com/hook'

onEachDatabase(({ kind, skip, database }) => {
  let server = 0
  let isListening = false
  /** In the place of deliveries, which are tested by themselves: what would be delivered. */
  async function listen(): Promise<void> {
    if (isListening) return
    isListening = true
    await query('drop function add_webhook_delivery(uuid, text)')
    await query('create table delivered (batch uuid, event text)')
    await query(
      `create function add_webhook_delivery(batch uuid, event text) returns void language sql
       as $$ insert into delivered values (add_webhook_delivery.batch, add_webhook_delivery.event) $$`,
    )
  }

  const query = (text: string, values: unknown[] = []) => database().pool.query(text, values)
  const claim = (most: number) => claimItems(database(), server, most)
  const finish = async (how: typeof convertedResult, most = 100) =>
    recordResults(database().pool, server, (await claim(most)).map(how))
  const eventsOf = async (id: string) =>
    (await query('select event from delivered where batch = $1', [id])).rows.map(({ event }) => event)
  /** Lets time pass for a batch, or for all. */
  const idle = (minutes: number, id?: string) =>
    query(`update batch set idle_since = idle_since - make_interval(mins => $1) where $2::uuid is null or id = $2`, [
      minutes,
      id ?? null,
    ])

  /** Nothing is left of the test before; the last search for stale batches was a minute ago. */
  async function begin(t: TestContext, images: number) {
    await listen()
    const presence = await registerInstance(database(), assert.ifError)
    t.after(() => presence.close())
    server = presence.server
    await query('delete from batch')
    await query(
      `insert into batch_watch values (true, now()) on conflict (single) do update set at = now() - interval '1 minute'`,
    )
    const { id: account, key } = await makeAccount(database(), 'team')
    return { account, key, ...(await makeBatch(database(), key, images, { webhookUrl })) }
  }
  const statusOf = async (id: string) => (await readBatch(database(), id)).status

  test(`${kind}: a batch completes with its last image, although others failed, and sends one event`, { skip }, async (t) => {
    const { id } = await begin(t, 3)
    await finish(notConverted('failed'), 1)
    await finish(convertedResult, 1)
    assert.deepEqual([await statusOf(id), await eventsOf(id)], ['processing', []])
    assert.deepEqual((await finish(convertedResult)).endedBatches, [id])
    const batch = await readBatch(database(), id)
    const { finishedAt, expiresAt } = batch
    assert.ok(finishedAt && expiresAt)
    assert.equal(expiresAt.getTime() - finishedAt.getTime(), 24 * 3_600_000)
    const { status, progress, resultUrl, error } = statusBody(batch)
    assert.deepEqual([status, resultUrl, error], ['completed', `/api/v2/batch/${id}/result`, undefined])
    assert.deepEqual(progress, { total: 3, done: 3, succeeded: 2, failed: 1, percent: 100 })
    assert.deepEqual(await eventsOf(id), ['batch.completed'])
    const [failedItem, first] = await listItems(database().pool, id)
    const { attempt, error: why, output } = failedItem ?? assert.fail()
    assert.deepEqual([attempt, why, output], [1, { code: 'invalid_image', message: 'Image 0 is no image.' }, null])
    assert.deepEqual(first, {
      seq: 1,
      source: '1.png',
      state: 'converted',
      output: '1.webp',
      attempt: 1,
      inputBytes: 10,
      outputBytes: 5,
      crc32: 4_294_967_295,
      width: 3,
      height: 2,
      features: null,
      error: null,
    })
  })

  test(`${kind}: a batch without a converted image fails, with the error of the first image`, { skip }, async (t) => {
    const { id } = await begin(t, 3)
    await finish(notConverted('failed'))
    const { status, resultUrl, expiresAt, error } = statusBody(await readBatch(database(), id))
    assert.deepEqual([status, resultUrl, expiresAt], ['failed', undefined, undefined])
    assert.deepEqual(error, {
      code: 'invalid_image',
      message: 'None of the images could be converted; of the first: Image 0 is no image.',
    })
    assert.deepEqual(await eventsOf(id), ['batch.failed'])
  })

  test(`${kind}: a batch without a webhook sends no event, nor does a cancelled one`, { skip }, async (t) => {
    const { id: cancelledText, key, account } = await begin(t, 1)
    const silent = await makeBatch(database(), key, 1)
    await cancelBatch(database().pool, account, cancelledText)
    await finish(convertedResult)
    assert.equal(await statusOf(silent.id), 'completed')
    assert.deepEqual([await eventsOf(silent.id), await eventsOf(cancelledText)], [[], []])
  })

  test(`${kind}: after 30 minutes without progress a batch is failed, once, and nothing of it is charged`, {
    skip,
  }, async (t) => {
    const { id, account } = await begin(t, 3)
    await finish(convertedResult, 1)
    await idle(29)
    assert.deepEqual(await failStaleBatches(database().pool), [])
    await idle(2)
    const failedTexts = await Promise.all([1, 2].map(() => failStaleBatches(database().pool)))
    assert.deepEqual(failedTexts.flat(), [id])
    const { status, error } = await readBatch(database(), id)
    assert.deepEqual([status, error?.code, await eventsOf(id)], ['failed', 'stale', ['batch.failed']])
    assert.deepEqual(await claim(9), [])
    assert.deepEqual(await accountTotals(database(), account), { credits: 0, reserved: 0, booked: 0, open: 0, used: 0 })
  })

  test(`${kind}: each finished image is progress`, { skip }, async (t) => {
    await begin(t, 3)
    await idle(31)
    await finish(notConverted('failed'), 1)
    await idle(29)
    assert.deepEqual(await failStaleBatches(database().pool), [])
  })

  test(`${kind}: a batch that waits while others are converted is not stale`, { skip }, async (t) => {
    const { id, key } = await begin(t, 3)
    await idle(31)
    const young = await makeBatch(database(), key, 1)
    await query('update batch set turn = 1 where id = $1', [id])
    assert.deepEqual(
      (await finish(convertedResult, 1)).accepted.map(({ batchId }) => batchId),
      [young.id],
    )
    assert.deepEqual(await failStaleBatches(database().pool), [])
    await idle(31, young.id)
    assert.deepEqual(await failStaleBatches(database().pool), [id])
  })

  test(`${kind}: a batch that has just had its turn is not stale; one whose turn takes 30 minutes is`, { skip }, async (t) => {
    const { id } = await begin(t, 3)
    await idle(31)
    await claim(1)
    assert.deepEqual(await failStaleBatches(database().pool), [])
    await query(`update batch_item set claimed_at = claimed_at - interval '30 minutes'`)
    assert.deepEqual(await failStaleBatches(database().pool), [id])
  })

  test(`${kind}: time in which the service was down does not count`, { skip }, async (t) => {
    const { id } = await begin(t, 3)
    await idle(140)
    await query(`update batch_watch set at = at - interval '2 hours'`)
    assert.deepEqual(await failStaleBatches(database().pool), [])
    await idle(12)
    assert.deepEqual(await failStaleBatches(database().pool), [id])
  })

  test(`${kind}: a result expires to the second; then the rows of its images are deleted, and 30 days later its own`, {
    skip,
  }, async (t) => {
    const { id, account } = await begin(t, 2)
    await finish(convertedResult)
    const age = (interval: string) =>
      query('update batch set finished_at = finished_at - $1::interval, expires_at = expires_at - $1::interval', [interval])
    await age('23 hours 59 minutes')
    assert.deepEqual(await expireBatches(database().pool), [])
    assert.equal((await readBatch(database(), id)).expired, false)
    await age('1 minute')
    const batch = await readBatch(database(), id)
    assert.deepEqual([batch.expired, statusBody(batch).resultUrl], [true, undefined])
    assert.deepEqual(await expireBatches(database().pool), [id])
    assert.deepEqual(await expireBatches(database().pool), [])
    assert.deepEqual(await listItems(database().pool, id), [])
    assert.equal(await statusOf(id), 'completed')
    await age('28 days 23 hours')
    assert.deepEqual(await forgetOldBatches(database().pool), [])
    await age('1 hour')
    assert.deepEqual(await forgetOldBatches(database().pool), [id])
    assert.equal(await findBatch(database().pool, account, id), undefined)
  })
})
