import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { BlobNotFound, StorageUnavailable } from 'pixelmill/bucket/blob-errors'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { BATCH_LIMITS } from '../../../test/support/archives.ts'
import { admitCall } from '../../../test/support/batches.ts'
import { FOLDER } from '../../../test/support/blob-targets.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { tableContents } from '../../../test/support/table-contents.ts'
import { DEFLATED, type ZipEntry, zipFile } from '../../../test/support/zip.ts'
import { isRefusal } from '../../contract/api-error.ts'
import { plans } from '../../contract/plans.ts'
import type { MeteredCall } from '../../metering/charge-call.ts'
import { statusBody, uploadKey } from '../batch.ts'
import { createBatch, type NewBatch, requireShare } from '../create-batch.ts'
import { cancelBatch } from '../end-batches.ts'
import { findBatch, listBatches, listItems } from '../find-batches.ts'
import { sweepOrphans } from '../remove-files.ts'

const png = await solid(8, 8, '#123456').png().toBuffer()
const image = (name: string): ZipEntry => ({ name, data: png })
const note: ZipEntry = { name: 'notes.txt', data: Buffer.from('nothing to see') }

const { store: blobs } = await FOLDER.start({ after: (end) => after(end as () => unknown) })

onEachDatabase(({ kind, skip, database }) => {
  type Given = Partial<Omit<NewBatch, 'id' | 'bytes' | 'call'>>

  /** Uploads an archive and makes a batch of it, as the route does. */
  async function upload(call: MeteredCall, archive: Buffer, givenValue: Given = {}, id = randomUUID(), limits = BATCH_LIMITS) {
    await blobs.put(uploadKey(id), Readable.from([archive]), { contentType: 'application/zip' })
    const batch = {
      id,
      bytes: archive.length,
      call,
      format: 'webp',
      name: null,
      quality: 75,
      webhookUrl: null,
      ...givenValue,
    } as const
    return createBatch({ database: database(), blobs }, limits, batch)
  }
  const clearStore = async () => void (await Promise.all((await storedKeys()).map((key) => blobs.delete(key))))
  const storedKeys = async () => (await blobs.list('batch/')).blobs.map(({ key }) => key)

  test(`${kind}: an upload that cannot be read is deleted, and the error is thrown`, { skip }, async () => {
    const { key } = await makeAccount(database(), 'team')
    const call = await admitCall(database(), key)
    const id = randomUUID()
    await blobs.put(uploadKey(id), Readable.from([zipFile([image('a.png')])]), { contentType: 'application/zip' })
    const failing = { ...blobs, openRandom: () => Promise.reject(new StorageUnavailable('the disk is away')) }
    const batch = { id, bytes: 1, call, format: 'webp', name: null, quality: 75, webhookUrl: null } as const
    await assert.rejects(createBatch({ database: database(), blobs: failing }, BATCH_LIMITS, batch), StorageUnavailable)
    await assert.rejects(blobs.head(uploadKey(id)), BlobNotFound)
    await call.giveBack()
  })

  test(`${kind}: entries with the first bytes or the name of an image are images; all others are listed as skipped`, {
    skip,
  }, async () => {
    const { id: account, key } = await makeAccount(database(), 'team')
    const call = await admitCall(database(), key)
    const archive = zipFile([
      image('holiday/one.png'),
      { name: 'holiday/', data: Buffer.alloc(0) },
      { name: 'no extension', data: png, method: DEFLATED },
      { name: 'broken.JPEG', data: Buffer.from('not a picture') },
      note,
      image('__MACOSX/holiday/._one.png'),
      image('.hidden.png'),
      { name: 'one.jpg', data: png, method: DEFLATED },
      image('one.gif'),
      { name: 'mistaken.bin', data: png, packed: Buffer.from([0xff, 0xff, 0xff]), method: DEFLATED, bytes: 4 },
    ])
    const batch = await upload(call, archive, { format: 'avif', webhookUrl: 'https://example.com/hook' })
    const items = await listItems(database().pool, batch.id)
    assert.deepEqual(
      items.map(({ seq, source, state }) => [seq, source, state]),
      [
        [0, 'holiday/one.png', 'pending'],
        [1, 'holiday', 'skipped'],
        [2, 'no extension', 'pending'],
        [3, 'broken.JPEG', 'pending'],
        [4, 'notes.txt', 'skipped'],
        [5, '__MACOSX/holiday/._one.png', 'skipped'],
        [6, '.hidden.png', 'skipped'],
        [7, 'one.jpg', 'pending'],
        [8, 'one.gif', 'pending'],
        [9, 'mistaken.bin', 'skipped'],
      ],
    )
    const { rows } = await database().pool.query(
      'select output from batch_item where batch_id = $1 and output is not null order by seq',
      [batch.id],
    )
    assert.deepEqual(
      rows.map(({ output }) => output),
      ['holiday/one.avif', 'no extension.avif', 'broken.avif', 'one.avif', 'one-2.avif'],
    )
    const { createdAt, ...body } = statusBody(batch)
    assert.deepEqual(body, {
      id: batch.id,
      status: 'queued',
      format: 'avif',
      quality: 75,
      progress: { total: 5, done: 0, succeeded: 0, failed: 0, percent: 0 },
    })
    assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 60_000)
    assert.deepEqual(await storedKeys(), [uploadKey(batch.id)])
    assert.deepEqual((await accountTotals(database(), account)).used, 5)
    assert.equal(call.allowance().month?.remaining, 49_995)
    // The answer of the request is no call of its own, and one that its client does not wait for takes nothing away.
    await call.settle()
    await call.giveBack()
    assert.deepEqual([(await accountTotals(database(), account)).used, call.isCharged()], [5, false])
    await blobs.delete(uploadKey(batch.id))
  })

  const refusals: readonly (readonly [what: string, archive: Buffer, code: string])[] = [
    ['no ZIP', Buffer.from('not a ZIP at all'), 'invalid_archive'],
    ['one that is cut off', zipFile([image('a.png')]).subarray(0, 90), 'invalid_archive'],
    ['without a file', zipFile([{ name: 'folder/' }]), 'archive_has_no_images'],
    ['without an image', zipFile([note, { name: 'data.bin', data: Buffer.from('BMX') }]), 'archive_has_no_images'],
    ['with too many files', zipFile(Array.from({ length: 1_001 }, (_, nth) => image(`${nth}.png`))), 'archive_too_large'],
    ['of more images than credits', zipFile(Array.from({ length: 11 }, (_, nth) => image(`${nth}.png`))), 'insufficient_credits'],
  ]
  for (const [what, archive, code] of refusals) {
    test(`${kind}: an archive ${what} is refused with ${code}, and leaves nothing`, { skip }, async () => {
      const { id, key } = await makeAccount(database(), 'free')
      await grant(database(), id, 10)
      const call = await admitCall(database(), key)
      const before = await tableContents(database())
      await assert.rejects(upload(call, archive), (error) => isRefusal(error) && error.code === code)
      assert.deepEqual(await tableContents(database()), before)
      assert.deepEqual(await storedKeys(), [])
      await call.giveBack()
      assert.deepEqual(await accountTotals(database(), id), { credits: 10, reserved: 0, booked: 10, open: 0, used: 0 })
    })
  }

  const share = (batches: number, bytes: number) => ({ ...BATCH_LIMITS, share: { batches, bytes } })
  const isTooMany = (error: unknown) => isRefusal(error) && error.code === 'too_many_batches'
  const archive = zipFile([image('a.png')])

  test(`${kind}: of ten concurrent batches an account gets as many as are allowed, and other accounts get theirs`, {
    skip,
  }, async () => {
    const one = await makeAccount(database(), 'team')
    const other = await makeAccount(database(), 'team')
    const make = async (key: string) => upload(await admitCall(database(), key), archive, {}, randomUUID(), share(3, 2 ** 30))
    const madeOutcomes = await Promise.allSettled(Array.from({ length: 10 }, () => make(one.key)))
    const refusedResults = madeOutcomes.filter((result) => result.status === 'rejected')
    assert.equal(refusedResults.length, 7)
    assert.ok(refusedResults.every(({ reason }) => isTooMany(reason) && /3 batches of this account/.test(reason.message)))
    await make(other.key)
    const batches = madeOutcomes.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []))
    assert.ok(await cancelBatch(database().pool, one.id, batches[0] ?? ''))
    await make(one.key)
    await assert.rejects(make(one.key), isTooMany)
    assert.equal((await storedKeys()).length, 5, 'what is refused is deleted')
    await clearStore()
  })

  test(`${kind}: the archives of an account are limited in total size, but the first may be larger`, { skip }, async () => {
    const { id: account, key } = await makeAccount(database(), 'team')
    const make = async (givenValue: Given, most: number) =>
      upload(await admitCall(database(), key), archive, givenValue, randomUUID(), share(100, most))
    const idempotency = { key: 'same', fingerprint: Buffer.alloc(32) }
    const first = await make({ idempotency }, 1)
    await assert.rejects(make({}, 2 * archive.length - 1), isTooMany)
    await make({}, 2 * archive.length)
    // What exists already needs no more space.
    assert.equal((await make({ idempotency }, 1)).id, first.id)
    const { pool } = database()
    await assert.rejects(requireShare(pool, account, { batches: 2, bytes: 2 ** 30 }, 0), isTooMany)
    await assert.rejects(requireShare(pool, account, { batches: 3, bytes: 3 * archive.length - 1 }, archive.length), isTooMany)
    await requireShare(pool, account, { batches: 3, bytes: 3 * archive.length }, archive.length)
    await clearStore()
  })

  test(`${kind}: a batch of more images than calls are left this month is refused, one of as many is not`, { skip }, async () => {
    const { id, key } = await makeAccount(database(), 'team')
    await database().pool.query(`insert into usage_month values ($1, date_trunc('month', now() at time zone 'utc'), 49997)`, [id])
    const archiveOf = (images: number) => zipFile(Array.from({ length: images }, (_, nth) => image(`${nth}.png`)))
    const call = await admitCall(database(), key)
    await assert.rejects(upload(call, archiveOf(4)), (error) => {
      assert.ok(isRefusal(error) && error.code === 'monthly_limit_exceeded')
      assert.match(error.message, /has 4 images, and 3 of this month's calls are left/)
      assert.ok(error.retryAfterSeconds !== undefined && error.retryAfterSeconds > 0)
      return true
    })
    const batch = await upload(call, archiveOf(3))
    assert.deepEqual([batch.total, (await accountTotals(database(), id)).used], [3, 50_000])
    assert.equal(call.allowance().month?.remaining, 0)
    await blobs.delete(uploadKey(batch.id))
  })

  test(`${kind}: when the month changes during the upload, the whole batch counts for the new month`, { skip }, async () => {
    const { id, key } = await makeAccount(database(), 'team')
    const archive = zipFile([image('a.png'), image('b.png')])
    const month = `date_trunc('month', now() at time zone 'utc')::date`
    const usedRemovals = async () => {
      const { rows } = await database().pool.query('select used from usage_month where account_id = $1 order by month', [id])
      return rows.map((row) => row.used)
    }
    const admittedCall = async () => {
      const call = await admitCall(database(), key)
      await database().pool.query(`update reservation set period = (${month} - interval '1 month') where id = $1`, [
        call.reservation.id,
      ])
      return call
    }
    await database().pool.query(`insert into usage_month values ($1, ${month} - interval '1 month', 50000)`, [id])
    const call = await admittedCall()
    await database().pool.query(`update usage_month set used = 0 where account_id = $1 and month = ${month}`, [id])
    const batch = await upload(call, archive)
    assert.deepEqual([await usedRemovals(), call.allowance().month?.remaining], [[49_999, 2], 49_998])
    assert.ok(await cancelBatch(database().pool, id, batch.id))
    assert.deepEqual(await usedRemovals(), [49_999, 0])
    const refusedCall = await admittedCall()
    await database().pool.query(`update usage_month set used = 49999 where account_id = $1`, [id])
    await assert.rejects(upload(refusedCall, archive), (error) => {
      assert.ok(isRefusal(error) && error.code === 'monthly_limit_exceeded')
      assert.match(error.message, /has 2 images, and 1 of this month's calls are left/)
      assert.ok(error.retryAfterSeconds !== undefined && error.retryAfterSeconds > 0)
      return true
    })
    await refusedCall.giveBack()
    assert.deepEqual(await usedRemovals(), [49_998, 49_999])
    await blobs.delete(uploadKey(batch.id))
  })

  test(`${kind}: a call that was given back meanwhile creates no batch, and its upload is left to the sweep`, {
    skip,
  }, async () => {
    const { id, key } = await makeAccount(database(), 'team')
    const call = await admitCall(database(), key)
    await call.giveBack()
    await assert.rejects(upload(call, zipFile([image('a.png')])), (error) => isRefusal(error) && error.code === 'internal_error')
    assert.equal((await accountTotals(database(), id)).used, 0)
    assert.equal((await storedKeys()).length, 1)
    assert.equal(await sweepOrphans({ database: database(), blobs }, -60_000), 1)
  })

  test(`${kind}: created again while the first request is running, it is the same batch, and keeps its upload`, {
    skip,
  }, async () => {
    const { id: account, key } = await makeAccount(database(), 'team')
    const call = await admitCall(database(), key)
    const id = randomUUID()
    const row = { id, account_id: account, key_id: call.reservation.keyId, format: 'webp', quality: 75, cost: 1 }
    const items = [{ seq: 0, source: 'a.png', output: 'a.webp', entry: {} }]
    const first = await database().connect()
    await first.query('begin')
    const { rows } = await first.query('select verdict from create_batch($1, $2, $3, $4, 86400)', [
      JSON.stringify(row),
      JSON.stringify(items),
      call.reservation.id,
      JSON.stringify(plans),
    ])
    assert.deepEqual(rows, [{ verdict: 'ok' }])
    const second = upload(call, zipFile([image('a.png')]), {}, id)
    const waiting = async () => {
      const { rowCount } = await database().pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%create_batch%'`,
      )
      return rowCount === 1
    }
    assert.ok(await until(waiting))
    await first.query('commit')
    await first.end()
    assert.deepEqual([(await second).id, await storedKeys()], [id, [uploadKey(id)]])
    assert.equal((await accountTotals(database(), account)).used, 1)
    await blobs.delete(uploadKey(id))
  })

  test(`${kind}: the same idempotency key gives the same batch for 24 hours, also to concurrent requests`, { skip }, async () => {
    const { id: account, key } = await makeAccount(database(), 'team')
    const idempotency = { key: 'once', fingerprint: Buffer.from('a request') }
    const archive = zipFile([image('a.png'), image('b.png')])
    const send = async (givenValue: Given = { idempotency }) => upload(await admitCall(database(), key), archive, givenValue)
    const batches = await Promise.all([1, 2, 3, 4].map(() => send()))
    const [first] = batches
    assert.ok(first)
    assert.equal(new Set(batches.map(({ id }) => id)).size, 1)
    assert.deepEqual(await storedKeys(), [uploadKey(first.id)])
    assert.equal((await accountTotals(database(), account)).used, 2)

    const other = { key: 'once', fingerprint: Buffer.from('another') }
    const call = await admitCall(database(), key)
    await assert.rejects(
      upload(call, archive, { idempotency: other }),
      (error) => isRefusal(error) && error.code === 'idempotency_key_reused',
    )
    await call.giveBack()
    await database().pool.query(`update batch set created_at = created_at - interval '24 hours' where id = $1`, [first.id])
    const next = await send({ idempotency: other })
    assert.notEqual(next.id, first.id)
    assert.equal((await accountTotals(database(), account)).used, 4)
    for (const id of [first.id, next.id]) await blobs.delete(uploadKey(id))
  })

  test(`${kind}: created again with its own id, as after a lost answer, it is created and charged once`, { skip }, async () => {
    const { id: account, key } = await makeAccount(database(), 'team')
    const archive = zipFile([image('a.png'), image('b.png')])
    const call = await admitCall(database(), key)
    const id = randomUUID()
    const both = [await upload(call, archive, {}, id), await upload(call, archive, {}, id)]
    assert.deepEqual(
      both.map((batch) => batch.id),
      [id, id],
    )
    assert.deepEqual([await storedKeys(), (await accountTotals(database(), account)).used], [[uploadKey(id)], 2])
    assert.equal(call.allowance().month?.remaining, 49_998)
    await blobs.delete(uploadKey(id))
  })

  test(`${kind}: an account's batches, newest first, page by page, without those of other accounts`, { skip }, async () => {
    const one = await makeAccount(database(), 'team')
    const other = await makeAccount(database(), 'team')
    const ids: string[] = []
    for (let nth = 0; nth < 5; nth++) {
      const { id } = await upload(await admitCall(database(), one.key), zipFile([image('a.png')]))
      ids.unshift(id)
      await blobs.delete(uploadKey(id))
    }
    // All of one moment: their ids decide, and none is missed or shown twice.
    await database().pool.query(
      `update batch set created_at = date_trunc('milliseconds', now()) where account_id = $1 and id = any($2)`,
      [one.id, ids.slice(0, 3)],
    )
    const seenTexts: string[] = []
    for (let before: { createdAt: Date; id: string } | undefined; ; ) {
      const page = await listBatches(database().pool, one.id, { before, limit: 2 })
      seenTexts.push(...page.map(({ id }) => id))
      before = page.at(-1)
      if (page.length < 2) break
    }
    assert.deepEqual([seenTexts.length, new Set(seenTexts), seenTexts.slice(3)], [5, new Set(ids), ids.slice(3)])
    assert.deepEqual(await listBatches(database().pool, other.id, { limit: 9 }), [])
    for (const id of [ids[0] ?? '', 'x', "'; drop table batch"])
      assert.equal(await findBatch(database().pool, other.id, id), undefined)
    assert.equal((await findBatch(database().pool, one.id, ids[0] ?? ''))?.id, ids[0])
  })
})
