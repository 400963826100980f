import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount } from '../../../test/support/accounts.ts'
import { claimItems, convertedResult, makeBatch, notConverted, readBatch } from '../../../test/support/batches.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { INSTANCE_LOCK, type Instance, registerInstance } from '../../metering/instance.ts'
import type { ClaimedImage } from '../batch.ts'
import { recordResults, releaseClaims, renewLeases } from '../claim-images.ts'
import { listItems } from '../find-batches.ts'
import { openResultRecorder } from '../record-results.ts'

onEachDatabase(({ kind, skip, database }) => {
  /** In the order of the archive: a claim promises which images it has, and no order. */
  const claim = async (server: number, most: number) =>
    (await claimItems(database(), server, most)).toSorted((a, b) => a.seq - b.seq)
  const finish = (server: number, items: readonly ClaimedImage[], how = convertedResult) =>
    recordResults(database().pool, server, items.map(how))
  const keys = (items: readonly { readonly batchId: string; readonly seq: number }[]) =>
    items.map(({ batchId, seq }) => `${batchId}/${seq}`).sort()

  /** As if so long had passed since the claims: within 5 s after a claim no server is taken for dead. */
  const age = (seconds: number) =>
    database().pool.query(`update batch_item set claimed_at = claimed_at - $1 * interval '1 second' where state = 'claimed'`, [
      seconds,
    ])

  /** Servers that are there; those that the test does not end are gone with it. */
  async function withServers(count: number, work: (servers: readonly Instance[]) => Promise<void>): Promise<void> {
    const servers = await Promise.all(Array.from({ length: count }, () => registerInstance(database(), assert.ifError)))
    await work(servers).finally(async () => {
      await database().pool.query('delete from batch')
      for (const server of servers) await server.close()
    })
  }
  const makeKey = async () => (await makeAccount(database(), 'enterprise')).key

  test(`${kind}: a claim contains what a worker needs, and changes the status`, { skip }, async () => {
    await withServers(1, async ([one]) => {
      const { server } = one ?? assert.fail()
      const { id, key } = await makeAccount(database(), 'team')
      const batch = await makeBatch(database(), key, 3)
      assert.equal((await readBatch(database(), batch.id)).status, 'queued')
      const [first, ...rest] = await claim(server, 2)
      assert.equal(rest.length, 1)
      const { keyId, entry, ...claimed } = first ?? assert.fail()
      assert.deepEqual(claimed, {
        batchId: batch.id,
        accountId: id,
        format: 'webp',
        quality: 80,
        seq: 0,
        attempt: 1,
        source: '0.png',
        visualQuality: null,
        maxBytes: null,
        recipe: null,
        losses: 0,
      })
      assert.equal(keyId, batch.call.reservation.keyId)
      assert.deepEqual(entry.packed, { headerAt: 0, endsBefore: 100, method: 0, crc32: 0, rawName: '' })
      const { status, startedAt, succeeded, failed } = await readBatch(database(), batch.id)
      assert.ok(startedAt instanceof Date)
      assert.deepEqual([status, succeeded, failed], ['processing', 0, 0])
    })
  })

  test(`${kind}: eight workers at once claim 400 images, each once`, { skip }, async () => {
    await withServers(8, async (servers) => {
      const key = await makeKey()
      const batches = [await makeBatch(database(), key, 300), await makeBatch(database(), await makeKey(), 100)]
      const claimedImages: ClaimedImage[] = []
      const work = async ({ server }: Instance) => {
        for (let items = await claim(server, 7); items.length > 0; items = await claim(server, 7)) {
          claimedImages.push(...items)
          await finish(server, items)
        }
      }
      await Promise.all(servers.map(work))
      assert.equal(claimedImages.length, 400)
      assert.equal(new Set(keys(claimedImages)).size, 400)
      for (const { id } of batches) assert.equal((await readBatch(database(), id)).status, 'completed')
    })
  })

  test(`${kind}: images of a dead worker are claimed again; its late results are not accepted`, {
    skip,
  }, async () => {
    await withServers(2, async ([goneInstance, stays]) => {
      assert.ok(goneInstance && stays)
      const { id } = await makeBatch(database(), await makeKey(), 4)
      const lostImages = await claim(goneInstance.server, 3)
      const own = await claim(stays.server, 9)
      assert.deepEqual(keys(own), [`${id}/3`])
      await goneInstance.close()
      assert.deepEqual(await claim(stays.server, 9), [])
      await age(6)
      // Not beside its own: should it die too, they would be suspected as well.
      assert.deepEqual(await claim(stays.server, 9), [])
      await finish(stays.server, own)
      const again = await claim(stays.server, 9)
      assert.deepEqual(keys(again), keys(lostImages))
      assert.ok(again.every(({ attempt }) => attempt === 2))
      assert.deepEqual(await finish(goneInstance.server, lostImages), { accepted: [], endedBatches: [] })
      assert.equal((await finish(stays.server, again)).accepted.length, 3)
    })
  })

  test(`${kind}: one search for images of dead workers is enough for all workers for a while`, { skip }, async () => {
    await withServers(1, async ([stays]) => {
      assert.ok(stays)
      const lookedAt = (moment: string) => database().pool.query(`update lost_look set at = ${moment}`)
      const claimPatiently = () => claimItems(database(), stays, 9, { lookEveryMs: 60_000 })
      for (const moment of ["clock_timestamp() - interval '61 seconds'", "clock_timestamp() + interval '1 hour'"]) {
        const { id } = await makeBatch(database(), await makeKey(), 2)
        const announcedInstance = await registerInstance(database(), assert.ifError)
        await claim(announcedInstance.server, 9)
        await announcedInstance.close()
        await age(6)
        await lookedAt('clock_timestamp()')
        assert.deepEqual(await claimPatiently(), [])
        await lookedAt(moment)
        const again = await claimPatiently()
        assert.deepEqual(keys(again), [`${id}/0`, `${id}/1`])
        await finish(stays.server, again)
      }
    })
  })

  test(`${kind}: images with an expired lease are claimed again, those with a renewed one are not`, { skip }, async () => {
    await withServers(2, async ([slow, other]) => {
      assert.ok(slow && other)
      const { id } = await makeBatch(database(), await makeKey(), 2)
      const [first, second] = await claim(slow.server, 2)
      assert.ok(first && second)
      await database().pool.query(`update batch_item set lease_until = clock_timestamp() - interval '1 second'`)
      assert.deepEqual(keys(await renewLeases(database().pool, slow.server, [first])), [`${id}/0`])
      assert.deepEqual(keys(await claim(other.server, 9)), [`${id}/1`])
      // It learns that one is no longer its own, and only the other counts.
      assert.deepEqual(keys(await renewLeases(database().pool, slow.server, [first, second])), [`${id}/0`])
      assert.deepEqual(keys((await finish(slow.server, [first, second])).accepted), [`${id}/0`])
    })
  })

  test(`${kind}: a server that others cannot see claims nothing, keeps its images, and they are counted as lost only once`, {
    skip,
  }, async () => {
    await withServers(1, async ([stays]) => {
      assert.ok(stays)
      assert.ok(stays.held())
      const broken = await registerInstance(database(), () => {})
      const batch = await makeBatch(database(), await makeKey(), 1)
      await database().pool.query(
        'select pg_terminate_backend(pid) from pg_locks where classid = $1 and objid = $2 and database = (select oid from pg_database where datname = current_database())',
        [INSTANCE_LOCK, broken.server],
      )
      assert.ok(await until(async () => !broken.held()))
      assert.deepEqual(await claimItems(database(), broken, 1), [])
      await broken.close()
      // What it does later than it was seen to be gone: as one that breaks again and again does.
      for (let times = 1; times <= 7; times++) {
        const image = await claim(broken.server, 1)
        assert.deepEqual(keys(image), [`${batch.id}/0`])
        await age(6)
        assert.deepEqual(await claim(broken.server, 1), [])
        const again = await claim(stays.server, 1)
        assert.deepEqual(keys(again), keys(image))
        await releaseClaims(database().pool, stays.server, again)
      }
      const { rows } = await database().pool.query('select losses, state from batch_item where batch_id = $1', [batch.id])
      assert.deepEqual(rows, [{ losses: 1, state: 'pending' }])
    })
  })

  test(`${kind}: of two claims of one image by one server only the latter is renewed and accepted`, { skip }, async () => {
    await withServers(2, async ([one, other]) => {
      assert.ok(one && other)
      await makeBatch(database(), await makeKey(), 1)
      const first = await claim(one.server, 1)
      await database().pool.query(`update batch_item set lease_until = clock_timestamp() - interval '1 second'`)
      const second = await claim(one.server, 1)
      const attempts = (claims: readonly { readonly attempt: number }[]) => claims.map(({ attempt }) => attempt)
      assert.deepEqual([attempts(first), attempts(second)], [[1], [2]])
      assert.deepEqual(attempts(await renewLeases(database().pool, one.server, [...first, ...second])), [2])
      const recorder = openResultRecorder(
        database().pool,
        one.server,
        { failed: assert.ifError, worked: () => {} },
        { expects: () => true, onEnded() {} },
      )
      // Written together, as one worker does.
      const counts = await Promise.all([...first, ...second].map((item) => recorder.write(convertedResult(item))))
      recorder.close()
      assert.deepEqual(counts, [false, true])
    })
  })

  test(`${kind}: a released image is claimed again, with a new attempt, and does not count as lost`, { skip }, async () => {
    await withServers(1, async ([one]) => {
      const { server } = one ?? assert.fail()
      await makeBatch(database(), await makeKey(), 1)
      for (let attempt = 1; attempt <= 7; attempt++) {
        const items = await claim(server, 1)
        assert.deepEqual(
          items.map((item) => item.attempt),
          [attempt],
        )
        assert.equal(await releaseClaims(database().pool, server, items), 1)
        assert.equal(await releaseClaims(database().pool, server, items), 0)
      }
    })
  })

  test(`${kind}: an image that crashes its renderer is tried three times; one whose workers die, five`, {
    skip,
  }, async () => {
    await withServers(1, async ([one]) => {
      const { server } = one ?? assert.fail()
      const crashing = await makeBatch(database(), await makeKey(), 1)
      for (let tries = 1; tries <= 3; tries++) await finish(server, await claim(server, 1), notConverted('crashed'))
      const crashedBatch = await readBatch(database(), crashing.id)
      assert.deepEqual([crashedBatch.status, crashedBatch.failed, crashedBatch.error?.code], ['failed', 1, 'conversion_failed'])

      const losing = await makeBatch(database(), await makeKey(), 2)
      for (let tries = 1; tries <= 5; tries++) {
        const dying = await registerInstance(database(), assert.ifError)
        // From its second time on it comes last, and no other image with it.
        if (tries === 2) {
          const other = await claim(dying.server, 2)
          assert.deepEqual(keys(other), [`${losing.id}/1`])
          await finish(dying.server, other)
        }
        assert.deepEqual(keys(await claim(dying.server, 1)), [`${losing.id}/0`])
        await dying.close()
        await age(6)
      }
      assert.deepEqual(await claim(server, 9), [])
      const [lostItem] = await listItems(database().pool, losing.id)
      assert.deepEqual([lostItem?.state, lostItem?.error?.code], ['failed', 'conversion_failed'])
      assert.equal((await readBatch(database(), losing.id)).status, 'completed')
    })
  })
})
