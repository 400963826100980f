import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import pg from 'pg'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { hashApiKey } from '../../accounts/api-keys.ts'
import type { PlanName } from '../../contract/plans.ts'
import type { Reservation, Settlements } from '../admission-result.ts'
import { calls } from '../calls.ts'
import { registerInstance } from '../instance.ts'
import { begunAnswers, forgetSettledCalls, refundUnbegun } from '../unsent-answers.ts'

const CREDITS = 10

onEachDatabase(({ kind, skip, database }) => {
  /** A server that has settled calls of one account, and what it has noted of their answers. */
  async function settling(t: TestContext, plan: PlanName, everyMs?: number) {
    const presence = await registerInstance(database(), assert.ifError)
    const { server } = presence
    const place = { folder: await tempFolder(t), installation: randomUUID() }
    const begunAnswersValue = begunAnswers({
      ...place,
      pool: database().pool,
      server,
      onFault: assert.ifError,
      ...(everyMs && { everyMs }),
    })
    t.after(() => begunAnswersValue.close())
    const { id, key } = await makeAccount(database(), plan)
    if (plan === 'free') await grant(database(), id, CREDITS)
    const meter: Settlements & Pick<ReturnType<typeof calls>, 'admit'> = calls(database().pool, { burstPerMinute: 0, server })
    const settle = async (): Promise<Reservation> => {
      const admittedValue = await meter.admit({ keyHash: hashApiKey(key) })
      assert.ok(admittedValue.verdict === 'ok')
      assert.equal((await meter.settle(admittedValue.reservation)).settled, true)
      return admittedValue.reservation
    }
    const chargedCallCount = async () => {
      const { used, credits, booked, reserved, open } = await accountTotals(database(), id)
      assert.deepEqual([reserved, open, booked], [0, 0, credits])
      return plan === 'free' ? CREDITS - credits : used
    }
    const notedCalls = async () =>
      (await database().pool.query<{ id: string }>('select id from settled_call where server = $1', [server])).rows.map(
        (row) => row.id,
      )
    const refund = () => refundUnbegun(database().pool, place)
    return {
      id,
      server,
      presence,
      place,
      path: join(place.folder, `${place.installation}.${server}`),
      begun: begunAnswersValue,
      meter,
      settle,
      charged: chargedCallCount,
      noted: notedCalls,
      refund,
    }
  }

  for (const plan of ['team', 'free'] as const) {
    const what = plan === 'team' ? "the month's" : 'paid by credits'

    test(`${kind}: of a server that is gone, calls ${what} that it had not begun to answer are given back once`, {
      skip,
    }, async (t) => {
      const { begun, presence, place, settle, charged, noted, refund } = await settling(t, plan)
      const settledReservations = [await settle(), await settle(), await settle()]
      begun.begin(settledReservations[1]?.id ?? assert.fail())
      assert.equal(await refund(), 0, 'it lives')
      assert.deepEqual([await charged(), (await noted()).length], [3, 3])
      await presence.close()
      // Two that start at once.
      const refundedNumbers = await Promise.all([refund(), refund()])
      assert.equal((refundedNumbers[0] ?? 0) + (refundedNumbers[1] ?? 0), 2)
      assert.deepEqual([await charged(), await noted(), await readdir(place.folder)], [1, [], []])
      assert.equal(await refund(), 0)
      assert.equal(await charged(), 1)
    })

    test(`${kind}: a call ${what} that was given back to a client who left is not given back again`, { skip }, async (t) => {
      const { meter, presence, settle, charged, refund } = await settling(t, plan)
      await meter.refund(await settle())
      await settle()
      assert.equal(await charged(), 1)
      await presence.close()
      assert.equal(await refund(), 1)
      assert.equal(await charged(), 0)
    })
  }

  test(`${kind}: a removal of a background is given back together with its call`, { skip }, async (t) => {
    const { id, server, presence, charged, refund } = await settling(t, 'team')
    const reservation = randomUUID()
    const { rows } = await database().pool.query(`select date_trunc('month', now() at time zone 'utc')::date::text as month`)
    const { month } = rows[0]
    await database().pool.query('insert into usage_month (account_id, month, used) values ($1, $2, 1)', [id, month])
    await database().pool.query('insert into background_month (account_id, month, used) values ($1, $2, 1)', [id, month])
    await database().pool.query(
      `insert into reservation (id, account_id, meter, period, cost, server) values ($1, $2, 'call', $3, 1, $4), ($1, $2, 'removal', $3, 1, $4)`,
      [reservation, id, month, server],
    )
    await database().pool.query('select charge_removal($1, true, $2, $3)', [reservation, id, month])
    assert.equal(await charged(), 1)
    await presence.close()
    assert.equal(await refund(), 1)
    assert.equal(await charged(), 0)
    const { rows: removals } = await database().pool.query('select used::int from background_month where account_id = $1', [id])
    assert.deepEqual(removals, [{ used: 0 }])
  })

  test(`${kind}: what was answered is forgotten in the database first, then in the file`, { skip }, async (t) => {
    const { begun, presence, path, settle, charged, noted, refund } = await settling(t, 'team', 500)
    const answeredReservation = await settle()
    const unansweredReservation = await settle()
    const header = (await readFile(path)).length
    begun.begin(answeredReservation.id)
    assert.equal(readFileSync(path).length, header + 16)
    assert.ok(await until(async () => (await noted()).length === 1 && (await readFile(path)).length === header))
    assert.deepEqual(await noted(), [unansweredReservation.id])
    await presence.close()
    assert.equal(await refund(), 1)
    assert.equal(await charged(), 1)
  })

  test(`${kind}: after an orderly end, and where nothing is known, calls stay charged`, { skip }, async (t) => {
    const orderly = await settling(t, 'team')
    await orderly.settle()
    await orderly.begun.close()
    assert.deepEqual([await orderly.noted(), await readdir(orderly.place.folder)], [[], []])
    await orderly.presence.close()
    assert.deepEqual([await orderly.refund(), await orderly.charged()], [0, 1])

    const restartedValue = await settling(t, 'team')
    await restartedValue.settle()
    // As the machine was when it started before: the last ids may be missing.
    await writeFile(restartedValue.path, `${randomUUID()}\n`)
    await restartedValue.presence.close()
    assert.deepEqual([await restartedValue.refund(), await restartedValue.charged(), await restartedValue.noted()], [0, 1, []])

    const lostValue = await settling(t, 'team')
    await lostValue.settle()
    await forgetSettledCalls(database().pool)
    assert.equal((await lostValue.noted()).length, 1)
    await database().pool.query(`update settled_call set at = at - interval '61 minutes' where server = $1`, [lostValue.server])
    await forgetSettledCalls(database().pool)
    assert.deepEqual([await lostValue.noted(), await lostValue.charged()], [[], 1])
    await lostValue.presence.close()
  })

  test(`${kind}: files of another installation in the same folder are left alone`, { skip }, async (t) => {
    const { place, presence, server, settle, charged } = await settling(t, 'team')
    await settle()
    await presence.close()
    assert.equal(await refundUnbegun(database().pool, { ...place, installation: randomUUID() }), 0)
    assert.equal(await charged(), 1)
    assert.deepEqual(await readdir(place.folder), [`${place.installation}.${server}`])
  })
})

test('a folder that cannot be made is told, and the answer is sent all the same', async (t) => {
  const folder = join(await tempFolder(t), 'file')
  const faults = [] as unknown[]
  await writeFile(folder, '')
  const pool = new pg.Pool()
  const begunAnswersValue = begunAnswers({
    folder,
    installation: randomUUID(),
    server: 7,
    pool,
    onFault: (error) => faults.push(error),
  })
  begunAnswersValue.begin(randomUUID())
  assert.match(String(faults[0]), /EEXIST|ENOTDIR/)
  await pool.end()
})
