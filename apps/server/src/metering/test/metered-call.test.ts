import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { hashApiKey } from '../../accounts/api-keys.ts'
import { isRefusal } from '../../contract/api-error.ts'
import { type Calls, calls } from '../calls.ts'
import { type MeteredCall, meteredCall } from '../charge-call.ts'
import { INSTANCE_LOCK, registerInstance } from '../instance.ts'
import { voidStaleReservations } from '../reservations.ts'

onEachDatabase(({ kind, skip, database }) => {
  for (const plan of ['team', 'free'] as const) {
    const what = plan === 'team' ? "the month's" : 'paid by credits'

    /** A new account's call, and whether it was charged in the end. */
    async function start(counting: (calls: Calls) => Calls = (same) => same) {
      const { id, key } = await makeAccount(database(), plan)
      await grant(database(), id, 5)
      const books = counting(calls(database().pool, { burstPerMinute: 0, server: 1 }))
      const admittedValue = await books.admit({ keyHash: hashApiKey(key) })
      assert.ok(admittedValue.verdict === 'ok')
      const chargedCallCount = async () => {
        const { credits, booked, reserved, open, used } = await accountTotals(database(), id)
        assert.deepEqual([reserved, open, booked], [0, 0, credits])
        return plan === 'team' ? used : 5 - credits
      }
      return { call: meteredCall(admittedValue, books), books, key, charged: chargedCallCount }
    }
    const left = (call: MeteredCall) => call.allowance().credits?.left ?? call.allowance().month?.remaining

    test(`${kind}: a call ${what} is charged once`, { skip }, async () => {
      const { call, charged } = await start()
      await call.settle()
      await call.settle()
      assert.deepEqual([await charged(), left(call)], [1, plan === 'team' ? 49_999 : 4])
    })

    test(`${kind}: a call ${what} is given back before and after it was charged, once`, { skip }, async () => {
      for (const isSettled of [false, true]) {
        const { call, charged } = await start()
        if (isSettled) await call.settle()
        await Promise.all([call.giveBack(), call.giveBack()])
        await call.giveBack()
        assert.deepEqual([await charged(), left(call)], [0, plan === 'team' ? 50_000 : 5])
      }
    })

    test(`${kind}: a call ${what} that other work answers for is neither charged nor given back`, { skip }, async () => {
      const { call, books, charged } = await start()
      const own = await start()
      call.handOver(2)
      await call.settle()
      await call.giveBack()
      await own.call.settle()
      assert.deepEqual([left(call), call.isCharged(), own.call.isCharged()], [2, false, true])
      assert.equal(await books.voidReservation(call.reservation), true)
      assert.deepEqual([await charged(), await own.charged()], [0, 1])
    })

    test(`${kind}: a call ${what} becomes several, which are charged or given back together, once`, { skip }, async () => {
      for (const [steps, cost] of [
        [['settle'], 4],
        [['giveBack'], 0],
        [['settle', 'giveBack', 'giveBack'], 0],
      ] as const) {
        const { call, charged } = await start()
        await call.widen(4)
        await call.widen(4)
        assert.equal(left(call), plan === 'team' ? 49_996 : 1)
        for (const step of steps) await call[step]()
        assert.deepEqual([await charged(), left(call)], [cost, plan === 'team' ? 50_000 - cost : 5 - cost])
      }
    })

    test(`${kind}: a call ${what} cannot become more than are left, and stays one`, { skip }, async () => {
      const { call, charged } = await start()
      const wantedCount = plan === 'team' ? 50_001 : 6
      const refusal = plan === 'team' ? 'monthly_limit_exceeded' : 'insufficient_credits'
      await assert.rejects(call.widen(wantedCount), (error) => isRefusal(error) && error.code === refusal)
      await call.settle()
      assert.equal(await charged(), 1)
    })

    test(`${kind}: several calls ${what} of a server that died before its answer began are refunded`, { skip }, async () => {
      const dead = await registerInstance(database(), assert.ifError)
      const { id, key } = await makeAccount(database(), plan)
      await grant(database(), id, 5)
      const books = calls(database().pool, { burstPerMinute: 0, server: dead.server })
      const several = async () => {
        const admittedValue = await books.admit({ keyHash: hashApiKey(key) })
        assert.ok(admittedValue.verdict === 'ok')
        const call = meteredCall(admittedValue, books)
        await call.widen(2)
        return call
      }
      const unsettledCall = await several()
      const unbegun = await several()
      await unbegun.settle()
      assert.equal(unsettledCall.isCharged(), false)
      await dead.close()
      assert.equal(await voidStaleReservations(database().pool), 1)
      // Those of other tests have the same number.
      await database().pool.query('select refund_unbegun($1, $2, $3)', [INSTANCE_LOCK, dead.server, []])
      const { credits, reserved, used } = await accountTotals(database(), id)
      assert.deepEqual([credits, reserved, used], [5, 0, 0])
    })

    test(`${kind}: a client may leave while its call ${what} is being settled`, { skip }, async () => {
      const { call, charged } = await start()
      await Promise.all([call.settle(), call.giveBack()])
      assert.equal(await charged(), 0)
    })

    test(`${kind}: a call ${what} that somebody voided is not delivered, and not given back twice`, { skip }, async () => {
      const { call, books, charged } = await start()
      assert.equal(await books.voidReservation(call.reservation), true)
      await assert.rejects(call.settle(), (error) => isRefusal(error) && error.code === 'internal_error')
      await call.giveBack()
      assert.equal(await charged(), 0)
    })

    test(`${kind}: a call ${what} whose settlement failed before it reached the database is given back`, { skip }, async () => {
      const { call, charged } = await start((books) => ({ ...books, settle: () => Promise.reject(new Error('no connection')) }))
      await assert.rejects(call.settle(), /no connection/)
      await call.giveBack()
      assert.equal(await charged(), 0)
    })

    test(`${kind}: a call ${what} whose refund was committed though its answer was lost is refunded once`, { skip }, async () => {
      const { call, books, key, charged } = await start((books) => ({
        ...books,
        async refund(reservation) {
          await books.refund(reservation)
          throw new Error('the connection broke')
        },
      }))
      const earlier = await books.admit({ keyHash: hashApiKey(key) })
      assert.ok(earlier.verdict === 'ok')
      await Promise.all([call.settle(), books.settle(earlier.reservation)])
      // The client's hang-up and the refusal that follows each give back.
      await assert.rejects(call.giveBack(), /broke/)
      await call.giveBack().catch((error: Error) => assert.match(error.message, /broke/))
      assert.equal(await charged(), 1)
    })
  }

  test(`${kind}: a credit whose settlement was committed though its answer was lost is refunded`, { skip }, async () => {
    const { id, key } = await makeAccount(database(), 'free')
    await grant(database(), id, 5)
    const books = calls(database().pool, { burstPerMinute: 0, server: 1 })
    const admittedValue = await books.admit({ keyHash: hashApiKey(key) })
    assert.ok(admittedValue.verdict === 'ok')
    const settle: Calls['settle'] = async (reservation) => {
      await books.settle(reservation)
      throw new Error('the connection broke')
    }
    const call = meteredCall(admittedValue, { ...books, settle })
    await assert.rejects(call.settle(), /broke/)
    await call.giveBack()
    assert.deepEqual(await accountTotals(database(), id), { credits: 5, reserved: 0, booked: 5, open: 0, used: 0 })
  })
})
