import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeAccount } from '../../../test/support/accounts.ts'
import { claimItems, convertedResult, makeBatch, readBatch } from '../../../test/support/batches.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { registerInstance } from '../../metering/instance.ts'
import { recordResults } from '../claim-images.ts'

onEachDatabase(({ kind, skip, database }) => {
  const makeKey = async () => (await makeAccount(database(), 'enterprise')).key

  /** A worker that claims `most` at once, and tells of which batch each claim was, until `stop` says so or nothing is left. */
  async function work(most: number, stop: (ids: readonly string[]) => Promise<boolean>): Promise<readonly (readonly string[])[]> {
    const { server, close } = await registerInstance(database(), assert.ifError)
    const claims: string[][] = []
    for (;;) {
      const items = await claimItems(database(), server, most)
      if (items.length === 0) break
      claims.push(items.map(({ batchId }) => batchId))
      await recordResults(database().pool, server, items.map(convertedResult))
      if (await stop(claims.flat())) break
    }
    await close()
    await database().pool.query('delete from batch')
    return claims
  }
  const isDone = (id: string) => async () => (await readBatch(database(), id)).status === 'completed'

  for (const [whose, otherKey] of [
    ['of another account', makeKey],
    ['of the same account', async (key: string) => key],
  ] as const) {
    test(`${kind}: 3 images ${whose} do not wait for 1,000 earlier ones`, { skip }, async () => {
      const key = await makeKey()
      const large = await makeBatch(database(), key, 1_000)
      const small = await makeBatch(database(), await otherKey(key), 3)
      for (const most of [1, 4]) {
        const again = most === 1 ? small : await makeBatch(database(), await otherKey(key), 3)
        const before = most === 1 ? large : await makeBatch(database(), key, 1_000)
        const claims = (await work(most, isDone(again.id))).flat()
        assert.equal(claims.filter((id) => id === again.id).length, 3)
        assert.ok(claims.filter((id) => id === before.id).length <= 5, `${most} at once: ${claims.length}`)
      }
    })
  }

  test(`${kind}: every account has the same share, however many batches it has`, { skip }, async () => {
    const many = await makeKey()
    const one = await makeKey()
    const single = await makeBatch(database(), one, 100)
    for (let n = 0; n < 5; n++) await makeBatch(database(), many, 100)
    const claims = (await work(4, async (ids) => ids.length >= 40)).flat()
    assert.equal(claims.length, 40)
    assert.equal(claims.filter((id) => id === single.id).length, 20)
  })

  test(`${kind}: with more accounts than concurrent images, all are served in turn`, { skip }, async () => {
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.push((await makeBatch(database(), await makeKey(), 50)).id)
    const claims = (await work(2, async (turns) => turns.length >= 36)).flat()
    assert.deepEqual(
      ids.map((id) => claims.filter((claimedText) => claimedText === id).length),
      ids.map(() => 3),
    )
  })

  test(`${kind}: an account with slow images has no more of them in flight than others`, { skip }, async () => {
    const { server, close } = await registerInstance(database(), assert.ifError)
    const slow = await makeBatch(database(), await makeKey(), 50)
    const fast = await makeBatch(database(), await makeKey(), 50)
    const claim = (most: number) => claimItems(database(), server, most)
    const first = await claim(4)
    assert.deepEqual(
      [slow, fast].map(({ id }) => first.filter(({ batchId }) => batchId === id).length),
      [2, 2],
    )
    // The fast ones are done again and again, the slow ones stay under way.
    let doneImages = first.filter(({ batchId }) => batchId === fast.id)
    for (let round = 0; round < 5; round++) {
      await recordResults(database().pool, server, doneImages.map(convertedResult))
      doneImages = [...(await claim(2))]
      assert.deepEqual(new Set(doneImages.map(({ batchId }) => batchId)), new Set([fast.id]))
    }
    await close()
    await database().pool.query('delete from batch')
  })
})
