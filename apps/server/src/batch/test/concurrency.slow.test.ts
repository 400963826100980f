import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { admitCall, claimItems, convertedResult, makeBatch, notConverted } from '../../../test/support/batches.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { isRefusal } from '../../contract/api-error.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { registerInstance } from '../../metering/instance.ts'
import { findMismatches } from '../../metering/ledger.ts'
import { voidStaleReservations } from '../../metering/reservations.ts'
import type { ClaimedImage } from '../batch.ts'
import { recordResults, releaseClaims, renewLeases } from '../claim-images.ts'
import { cancelBatch, failBatch } from '../end-batches.ts'

const CALLERS = 50
const STEPS = 1_500
/** A number that no server has: a claim with it is taken for that of a dead server at once. */
const DEAD = 2_000_000_000

interface Made {
  readonly account: string
  readonly id: string
}

const pick = <One>(list: readonly One[]): One => list[Math.floor(Math.random() * list.length)] ?? assert.fail()
const keyOf = ({ batchId, seq }: { readonly batchId: string; readonly seq: number }) => `${batchId}/${seq}`

onEachDatabase(({ kind, skip, database, target }) => {
  /** Accounts with a month and credits, whose plan changes back and forth: each has batches that pay by either. */
  async function accountOf() {
    const { id, key } = await makeAccount(database(), 'team')
    await grant(database(), id, 1_000)
    const chargedCallCount = async () => {
      const { credits, booked, reserved, open, used } = await accountTotals(database(), id)
      return { charged: used + 1_000 - credits, unbooked: credits - booked, reserved, open }
    }
    return { id, key, charged: chargedCallCount }
  }

  test(`${kind}: 50 callers use batches in every way at once: none hangs, and the ledger is exact`, {
    skip,
  }, async (t) => {
    const pools = await Promise.all([1, 2].map(() => openDatabase(target(), () => {})))
    const { server, close } = await registerInstance(database(), assert.ifError)
    const accounts = await Promise.all([1, 2, 3].map(accountOf))
    const paidNumbers = new Map(accounts.map(({ id }) => [id, 0]))
    const pay = (id: string) => paidNumbers.set(id, (paidNumbers.get(id) ?? 0) + 1)
    const seenTexts = new Set<string>()
    const madeValues: Made[] = []
    const take = () => madeValues.splice(Math.floor(Math.random() * madeValues.length), 1)[0]
    const doneValue: Record<string, number> = {}

    async function convert({ pool }: Database, worker: number, most: number): Promise<number> {
      const items = await claimItems({ pool }, worker, most)
      const results = items.map((item) =>
        (Math.random() < 0.7 ? convertedResult : notConverted(pick(['failed', 'crashed'])))(item),
      )
      const accountOfItem = new Map(items.map((item: ClaimedImage) => [keyOf(item), item.accountId]))
      if (Math.random() < 0.3) await renewLeases(pool, worker, items)
      const { accepted } = await recordResults(pool, worker, results)
      const wasConverted = new Set(results.filter(({ state }) => state === 'converted').map(keyOf))
      for (const key of accepted.map(keyOf).filter((one) => wasConverted.has(one))) {
        assert.ok(!seenTexts.has(key), 'no image counts twice')
        seenTexts.add(key)
        pay(accountOfItem.get(key) ?? assert.fail())
      }
      return items.length
    }
    const failure = { code: 'internal_error', message: 'The upload is lost.' }
    const steps: Readonly<Record<string, readonly [share: number, step: (on: Database) => Promise<unknown>]>> = {
      make: [
        4,
        async (on) => {
          const { id: account, key } = pick(accounts)
          // Refused where the plan has just changed.
          const assertRefused = (error: unknown) => assert.ok(isRefusal(error) && error.code === 'monthly_limit_exceeded')
          const batch = await makeBatch(on, key, 1 + Math.floor(Math.random() * 8)).catch(assertRefused)
          if (batch) madeValues.push({ account, id: batch.id })
        },
      ],
      convert: [12, (on) => convert(on, server, 6)],
      die: [1, (on) => convert(on, DEAD, 3)],
      handBack: [1, async (on) => releaseClaims(on.pool, server, await claimItems(on, server, 3))],
      cancel: [
        1,
        async (on) => {
          const batch = take()
          if (batch) await cancelBatch(on.pool, batch.account, batch.id)
        },
      ],
      fail: [
        1,
        async (on) => {
          const batch = take()
          if (batch) await failBatch(on.pool, batch.id, failure)
        },
      ],
      call: [
        4,
        async (on) => {
          const { id, key } = pick(accounts)
          const call = await admitCall(on, key, pick([server, DEAD]))
          await call.settle().then(
            () => pay(id),
            (error) => assert.match(String(error.cause), /was void/),
          )
        },
      ],
      plan: [2, (on) => on.pool.query('update account set plan = $2 where id = $1', [pick(accounts).id, pick(['team', 'free'])])],
      janitor: [1, (on) => voidStaleReservations(on.pool)],
    }
    const wheel = Object.entries(steps).flatMap(([name, [share]]) => Array<string>(share).fill(name))
    let next = 0
    const caller = async (_: unknown, nth: number) => {
      for (; next++ < STEPS; ) {
        const name = pick(wheel)
        await steps[name]?.[1](pools[nth % 2] ?? assert.fail())
        doneValue[name] = (doneValue[name] ?? 0) + 1
      }
    }
    try {
      await Promise.all(Array.from({ length: CALLERS }, caller))
      while ((await convert(database(), server, 100)) > 0);
      await voidStaleReservations(database().pool)
      for (const { id, charged } of accounts) {
        const { rows } = await database().pool.query<{ given: number }>(
          `select coalesce(sum(succeeded), 0)::int as given from batch where account_id = $1 and status = 'failed'`,
          [id],
        )
        const expected = (paidNumbers.get(id) ?? 0) - (rows[0]?.given ?? 0)
        assert.deepEqual(await charged(), { charged: expected, unbooked: 0, reserved: 0, open: 0 })
      }
      assert.deepEqual(await findMismatches(database()), [])
      const { rows } = await database().pool.query(
        `select count(*)::int as wrong from batch b
          where finished_at is null or pending > 0 or succeeded + failed <> total or succeeded <>
                (select count(*) from batch_item i where i.batch_id = b.id and i.state = 'converted')`,
      )
      assert.equal(rows[0].wrong, 0)
      t.diagnostic(JSON.stringify({ done: doneValue, images: seenTexts.size }))
    } finally {
      await close()
      for (const pool of pools) await pool.close()
    }
  })
})
