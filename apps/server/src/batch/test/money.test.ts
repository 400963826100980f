import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { claimItems, convertedResult, makeBatch, notConverted, readBatch } from '../../../test/support/batches.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { errors } from '../../contract/errors.ts'
import type { PlanName } from '../../contract/plans.ts'
import { trialCalls } from '../../metering/calls.ts'
import { registerInstance } from '../../metering/instance.ts'
import { findMismatches } from '../../metering/ledger.ts'
import { readUsage } from '../../metering/read-usage.ts'
import { type ItemResult, recordResults } from '../claim-images.ts'
import { cancelBatch, failBatch } from '../end-batches.ts'

onEachDatabase(({ kind, skip, database }) => {
  const claim = (server: number, most: number) => claimItems(database(), server, most)
  const finish = (server: number, results: readonly ItemResult[]) => recordResults(database().pool, server, results)

  async function withServer(work: (server: number) => Promise<void>): Promise<void> {
    const { server, close } = await registerInstance(database(), assert.ifError)
    await work(server).finally(async () => {
      await database().pool.query('delete from batch')
      await close()
    })
    assert.deepEqual(await findMismatches(database()), [])
  }

  /** An account that is worth 100 calls. */
  async function accountOf(plan: PlanName) {
    const { id, key } = await makeAccount(database(), plan)
    if (plan === 'free') await grant(database(), id, 100)
    else
      await database().pool.query(`insert into usage_month values ($1, date_trunc('month', now() at time zone 'utc'), 49900)`, [
        id,
      ])
    const chargedCallCount = async () => {
      const { credits, booked, reserved, used, open } = await accountTotals(database(), id)
      assert.equal(credits, booked)
      return {
        charged: plan === 'free' ? 100 - credits : used - reservedOfMonth(await reservations(id)) - 49_900,
        reserved,
        open,
      }
    }
    return { id, key, charged: chargedCallCount }
  }
  const reservations = async (id: string) =>
    (
      await database().pool.query<{ cost: number; source: string }>(
        `select cost, case when period is null then 'credit' else 'month' end as source from reservation where account_id = $1`,
        [id],
      )
    ).rows
  const reservedOfMonth = (rows: readonly { cost: number; source: string }[]) =>
    rows.filter(({ source }) => source === 'month').reduce((sum, { cost }) => sum + cost, 0)

  for (const plan of ['team', 'free'] as const) {
    const payer = plan === 'team' ? 'the month' : 'credits'

    test(`${kind}: ${payer}: converted images are charged when they finish, failed ones never, the rest is given back`, {
      skip,
    }, async () => {
      await withServer(async (server) => {
        const { id, key, charged } = await accountOf(plan)
        const { call } = await makeBatch(database(), key, 10)
        const left = call.allowance().month?.remaining ?? call.allowance().credits?.left
        assert.equal(left, 90)
        assert.equal((await reservations(id))[0]?.cost, 10)
        await finish(server, (await claim(server, 4)).map(convertedResult))
        assert.equal((await charged()).charged, 4)
        await finish(server, (await claim(server, 3)).map(notConverted('failed')))
        assert.deepEqual([(await charged()).charged, (await reservations(id))[0]?.cost], [4, 6])
        await finish(server, (await claim(server, 3)).map(convertedResult))
        assert.deepEqual(await charged(), { charged: 7, reserved: 0, open: 0 })
      })
    })

    test(`${kind}: ${payer}: results that are sent twice are charged once, and accepted both times`, { skip }, async () => {
      await withServer(async (server) => {
        const { key, charged } = await accountOf(plan)
        const { id } = await makeBatch(database(), key, 4)
        const first = (await claim(server, 2)).map(convertedResult)
        const last = (await claim(server, 2)).map(convertedResult)
        const answers = [await finish(server, first), await finish(server, [...first, ...last])]
        const again = [
          await finish(server, [...first, ...last]),
          ...(await Promise.all([finish(server, first), finish(server, last)])),
        ]
        assert.deepEqual(
          answers.map(({ accepted }) => accepted.length),
          [2, 4],
        )
        assert.deepEqual(
          again.map(({ accepted }) => accepted.length),
          [4, 2, 2],
        )
        assert.deepEqual(again[0]?.endedBatches, [id])
        assert.deepEqual(await charged(), { charged: 4, reserved: 0, open: 0 })
        const { succeeded, status } = await readBatch(database(), id)
        assert.deepEqual([succeeded, status], [4, 'completed'])
      })
    })

    test(`${kind}: ${payer}: a cancelled batch is charged for converted images, and the rest is given back`, {
      skip,
    }, async () => {
      await withServer(async (server) => {
        const { id: account, key, charged } = await accountOf(plan)
        const { id } = await makeBatch(database(), key, 8)
        await finish(server, (await claim(server, 3)).map(convertedResult))
        const late = (await claim(server, 2)).map(convertedResult)
        assert.equal(await cancelBatch(database().pool, account, id), true)
        assert.equal(await cancelBatch(database().pool, account, id), false)
        assert.deepEqual((await finish(server, late)).accepted, [])
        assert.deepEqual(await claim(server, 9), [])
        assert.deepEqual(await charged(), { charged: 3, reserved: 0, open: 0 })
      })
    })

    test(`${kind}: ${payer}: a batch that fails as a whole costs nothing, although some images were converted`, {
      skip,
    }, async () => {
      await withServer(async (server) => {
        const { key, charged } = await accountOf(plan)
        const { id } = await makeBatch(database(), key, 8)
        await finish(server, (await claim(server, 3)).map(convertedResult))
        const late = await claim(server, 2)
        const why = { code: 'internal_error', message: 'The upload is lost.' }
        const failedFlags = await Promise.all([1, 2].map(() => failBatch(database().pool, id, why)))
        assert.deepEqual(failedFlags.sort(), [false, true])
        assert.deepEqual((await finish(server, late.map(convertedResult))).accepted, [])
        assert.deepEqual(await charged(), { charged: 0, reserved: 0, open: 0 })
        const batch = await readBatch(database(), id)
        assert.deepEqual([batch.status, batch.succeeded, batch.failed, batch.error], ['failed', 3, 5, why])
      })
    })
  }

  test(`${kind}: the ledger has one entry for each group of images, each with the balance after it`, { skip }, async () => {
    await withServer(async (server) => {
      const { id: account, key } = await accountOf('free')
      const { id } = await makeBatch(database(), key, 5)
      await finish(server, (await claim(server, 2)).map(convertedResult))
      await finish(server, (await claim(server, 3)).map(convertedResult))
      const { rows } = await database().pool.query(
        `select kind, credits, balance, reference from credit_entry where account_id = $1 and kind = 'call' order by id`,
        [account],
      )
      assert.deepEqual(rows, [
        { kind: 'call', credits: -2, balance: 98, reference: `${id}/2` },
        { kind: 'call', credits: -3, balance: 95, reference: `${id}/5` },
      ])
    })
  })

  test(`${kind}: usage shows each image of a batch, and counts those that were converted`, { skip }, async () => {
    await withServer(async (server) => {
      const { id: account, key } = await accountOf('free')
      await makeBatch(database(), key, 3)
      const [first, ...others] = await claim(server, 3)
      const results = [...others.map(convertedResult), notConverted('failed')(first ?? assert.fail())]
      await finish(server, results)
      await finish(server, results)
      const { calls, byEndpoint, recent } = await readUsage(database().pool, account, 10, trialCalls.parse('0'))
      assert.deepEqual(calls, { by: 'credits', limit: 100, used: 2, remaining: 98 })
      assert.deepEqual(byEndpoint, [{ endpoint: '/api/v2/batch', calls: 2 }])
      const shownRests = recent.map(({ id: _, at: __, endpoint, ...rest }) => rest)
      const success = { status: 200, inputBytes: 10, outputBytes: 5, durationMs: 7, key: 'test' }
      const error = { statusMessage: 'invalid_image', message: errors.invalid_image.message }
      const failure = { status: 400, ...error, inputBytes: 10, outputBytes: 0, durationMs: 7, key: 'test' }
      assert.deepEqual(
        shownRests.toSorted((a, b) => a.status - b.status),
        [success, success, failure],
      )
    })
  })
})
