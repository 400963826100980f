import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeAccount } from '../../../test/support/accounts.ts'
import { claimItems, convertedResult, makeBatch, readBatch } from '../../../test/support/batches.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { type Instance, registerInstance } from '../../metering/instance.ts'
import type { ClaimedImage } from '../batch.ts'
import { recordResults } from '../claim-images.ts'
import { listItems } from '../find-batches.ts'

/** As many as a worker with seven renderers claims when it has nothing in hand. */
const FEW = 16

onEachDatabase(({ kind, skip, database }) => {
  const makeKey = async () => (await makeAccount(database(), 'enterprise')).key
  const register = () => registerInstance(database(), assert.ifError)
  const claim = (on: Instance, most: number, unrenderedCount = 0) =>
    claimItems(database(), on, most, { unrendered: unrenderedCount, few: FEW })
  const finish = (on: Instance, images: readonly ClaimedImage[]) =>
    recordResults(database().pool, on.server, images.map(convertedResult))
  const ofBatch = (images: readonly ClaimedImage[], { id }: { readonly id: string }) =>
    images.filter(({ batchId }) => batchId === id).length

  /** A worker that dies, and is seen to be gone. */
  async function die(dying: Instance): Promise<void> {
    await dying.close()
    await database().pool.query(
      `update batch_item set claimed_at = claimed_at - interval '6 seconds' where state = 'claimed' and server = $1`,
      [dying.server],
    )
  }
  async function untilEmpty(workers: readonly Instance[]): Promise<void> {
    await database().pool.query('delete from batch')
    await database().pool.query('update lost_look set workers = 0')
    await Promise.all(workers.map((worker) => worker.close()))
  }

  test(`${kind}: a hundred images are claimed together and recorded together, each once`, { skip }, async () => {
    const worker = await register()
    const batch = await makeBatch(database(), await makeKey(), 150)
    const first = await claim(worker, 100)
    const rest = await claim(worker, 100, 8)
    assert.deepEqual([first.length, rest.length], [100, 50])
    assert.equal(new Set([...first, ...rest].map(({ seq }) => seq)).size, 150)
    assert.equal((await finish(worker, first)).accepted.length, 100)
    assert.deepEqual((await finish(worker, rest)).endedBatches, [batch.id])
    const { status, succeeded } = await readBatch(database(), batch.id)
    assert.deepEqual([status, succeeded], ['completed', 150])
    await untilEmpty([worker])
  })

  test(`${kind}: behind a claim of a hundred the next claim has all of a small batch, and few batches share one`, {
    skip,
  }, async () => {
    const worker = await register()
    const large = await makeBatch(database(), await makeKey(), 400)
    assert.equal((await claim(worker, 100)).length, 100)
    const small = await makeBatch(database(), await makeKey(), 3)
    const next = await claim(worker, 100)
    assert.deepEqual([ofBatch(next, small), ofBatch(next, large)], [3, 97])
    for (let n = 0; n < 10; n++) await makeBatch(database(), await makeKey(), 50)
    const sharedImages = await claim(worker, 100)
    assert.deepEqual([sharedImages.length, new Set(sharedImages.map(({ batchId }) => batchId)).size], [100, 4])
    await untilEmpty([worker])
  })

  test(`${kind}: what is left is shared evenly among the workers that have images`, { skip }, async () => {
    const workers = [await register(), await register(), await register()] as const
    await makeBatch(database(), await makeKey(), 180)
    for (const worker of workers) assert.equal((await claim(worker, FEW)).length, FEW)
    await database().pool.query("update lost_look set at = '-infinity'")
    await claimItems(database(), workers[0], 1, { lookEveryMs: 60_000, few: 0, unrendered: 1_000 })
    // A third of the 180 unfinished images is 60.
    assert.equal((await claim(workers[0], 100, FEW)).length, 60 - FEW)
    assert.equal((await claim(workers[1], 100, 90)).length, 0)
    // But renderers of none wait while there is work.
    assert.equal((await claim(workers[2], 100, 0)).length, 60)
    await untilEmpty(workers)
  })

  test(`${kind}: an image that kills its worker fails alone, although a hundred others were claimed with it`, {
    skip,
  }, async () => {
    const poison = 37
    const batch = await makeBatch(database(), await makeKey(), 100)
    const claims: number[] = []
    let deaths = 0
    for (let worker = await register(); ; ) {
      const images = await claim(worker, 100)
      claims.push(images.length)
      if (images.length === 0) {
        await worker.close()
        break
      }
      // As the worker does, it converts all of a claim at once, and dies with them.
      if (images.some(({ seq }) => seq === poison)) {
        deaths++
        await die(worker)
        worker = await register()
      } else await finish(worker, images)
    }
    assert.equal(deaths, 5)
    assert.ok(claims.slice(1).every((count) => count <= FEW))
    const { status, succeeded, failed } = await readBatch(database(), batch.id)
    assert.deepEqual([status, succeeded, failed], ['completed', 99, 1])
    assert.equal((await listItems(database().pool, batch.id))[poison]?.state, 'failed')
    const { rows } = await database().pool.query('select max(losses) as losses from batch_item where seq <> $1', [poison])
    assert.deepEqual(rows, [{ losses: 2 }])
    await untilEmpty([])
  })

  test(`${kind}: images that were lost with a worker wait for one that has nothing else, and others go on meanwhile`, {
    skip,
  }, async () => {
    const dying = await register()
    const busy = await register()
    const free = await register()
    const lostBatch = await makeBatch(database(), await makeKey(), 20)
    await claim(dying, 100)
    const other = await makeBatch(database(), await makeKey(), 40)
    const first = await claim(busy, FEW)
    assert.equal(ofBatch(first, other), FEW)
    await die(dying)
    assert.deepEqual(await claim(busy, 100, FEW), [])
    const suspects = await claim(free, 100)
    assert.deepEqual([ofBatch(suspects, lostBatch), suspects.length], [FEW, FEW])
    assert.ok(suspects.every(({ losses }) => losses === 1))
    // The lost ones have had a turn, so those of the others are next.
    const second = await claim(busy, FEW, FEW / 2)
    assert.ok(second.length > 0)
    assert.equal(ofBatch(second, other), second.length)
    await untilEmpty([busy, free])
  })
})
