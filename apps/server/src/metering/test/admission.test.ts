import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { hashApiKey, makeApiKey } from '../../accounts/api-keys.ts'
import type { PlanName } from '../../contract/plans.ts'
import { calls } from '../calls.ts'
import { admissionRules } from '../rules.ts'

/** The numbers of a server whose presence nobody asks for. */
const limits = { burstPerMinute: 30, server: 1 }

interface Asked {
  readonly moment?: string
  readonly cost?: number
  readonly burst?: number
}

onEachDatabase(({ kind, skip, database }) => {
  /** Asks `admit()` itself, at a moment of the test's choice. */
  async function admitAt(key: string, { moment, cost = 1, burst = 0 }: Asked) {
    const id = randomUUID()
    const { rows } = await database().pool.query('select * from admit_call($1, $2, $3, 1, $4, $5, $6)', [
      hashApiKey(key),
      id,
      cost,
      burst,
      admissionRules(),
      moment ?? null,
    ])
    return { id, ...rows[0] }
  }
  const usedIn = async (id: string, month: string): Promise<number> => {
    const { rows } = await database().pool.query('select used from usage_month where account_id = $1 and month = $2', [id, month])
    return rows[0]?.used ?? 0
  }
  const setUsed = (id: string, month: string, usedCount: number) =>
    database().pool.query('insert into usage_month (account_id, month, used) values ($1, $2, $3)', [id, month, usedCount])
  const ask = (sql: string, values: readonly unknown[]) =>
    database()
      .pool.query(sql, [...values])
      .then(({ rows }) => rows[0])

  test(`${kind}: what is left is told with each admission, and of a refusal what was asked`, { skip }, async () => {
    const { key } = await makeAccount(database(), 'team')
    const { admit } = calls(database().pool, limits)
    const first = await admit({ keyHash: hashApiKey(key) })
    assert.equal(first.verdict, 'ok')
    assert.deepEqual({ ...first.allowance.burst }, { policy: 'burst', limit: 30, remaining: 29, nextFreeInSeconds: 60 })
    const { limit, remaining, lengthSeconds = 0, endsInSeconds = -1 } = first.allowance.month ?? {}
    assert.deepEqual([limit, remaining], [50_000, 49_999])
    assert.ok([28, 29, 30, 31].includes(lengthSeconds / 86_400) && endsInSeconds <= lengthSeconds && endsInSeconds >= 0)
    for (let n = 1; n < 30; n++) assert.equal((await admit({ keyHash: hashApiKey(key) })).verdict, 'ok')
    const { verdict, allowance } = await admit({ keyHash: hashApiKey(key) })
    assert.deepEqual([verdict, allowance.burst?.remaining, allowance.month], ['rate_limited', 0, undefined])
    assert.ok((allowance.burst?.nextFreeInSeconds ?? 0) > 50 && (allowance.burst?.nextFreeInSeconds ?? 99) <= 60)
  })

  test(`${kind}: reading has a window of its own, of the key or of the signed-in account, twenty times as large`, {
    skip,
  }, async () => {
    const { id, key } = await makeAccount(database(), 'team')
    const { admit, admitRead } = calls(database().pool, { ...limits, burstPerMinute: 1 })
    assert.equal((await admit({ keyHash: hashApiKey(key) })).verdict, 'ok')
    assert.equal((await admit({ keyHash: hashApiKey(key) })).verdict, 'rate_limited')
    for (const reader of [{ keyHash: hashApiKey(key) }, { accountId: id }]) {
      const verdicts = []
      for (let n = 0; n < 21; n++) verdicts.push((await admitRead(reader)).verdict)
      assert.deepEqual(verdicts, [...Array(20).fill('ok'), 'rate_limited'])
    }
  })

  test(`${kind}: a key without access may not read either, its signed-in account may`, { skip }, async () => {
    const { id, key } = await makeAccount(database(), 'free')
    const { admitRead } = calls(database().pool, limits)
    assert.equal((await admitRead({ keyHash: hashApiKey(key) })).verdict, 'api_access_not_available')
    assert.equal((await admitRead({ keyHash: hashApiKey(`${key}x`) })).verdict, 'invalid_or_revoked_api_key')
    assert.equal((await admitRead({ accountId: id })).verdict, 'ok')
  })

  test(`${kind}: AI is for keys whose plan has it and for all who are signed in; a key's AI and calls share a minute`, {
    skip,
  }, async () => {
    const { admit, admitAi } = calls(database().pool, { ...limits, burstPerMinute: 3 })
    for (const plan of ['free', 'pro', 'team', 'enterprise'] as const) {
      const { id, key } = await makeAccount(database(), plan)
      const byKey = await admitAi({ keyHash: hashApiKey(key) })
      const byLogin = await admitAi({ accountId: id })
      assert.deepEqual([byKey.verdict, byKey.accountId], [plan === 'free' ? 'ai_access_denied' : 'ok', id])
      assert.deepEqual([byLogin.verdict, byLogin.accountId, byLogin.keyId], ['ok', id, null])
      if (byKey.verdict === 'ok') assert.deepEqual([byKey.plan, byKey.allowance.burst?.remaining], [plan, 2])
      // A refusal by the plan takes no place of the minute.
      else assert.deepEqual(byKey.allowance, {})
    }
    const { id, key } = await makeAccount(database(), 'team')
    const keyHash = hashApiKey(key)
    const verdicts = [await admit({ keyHash }), await admitAi({ keyHash }), await admit({ keyHash }), await admitAi({ keyHash })]
    assert.deepEqual(
      verdicts.map(({ verdict }) => verdict),
      ['ok', 'ok', 'ok', 'rate_limited'],
    )
    assert.equal((await admit({ keyHash })).verdict, 'rate_limited')
    const { burst } = verdicts[3]?.allowance ?? {}
    assert.deepEqual([burst?.policy, burst?.limit, burst?.remaining], ['burst', 3, 0])
    assert.ok((burst?.nextFreeInSeconds ?? 0) > 50 && (burst?.nextFreeInSeconds ?? 99) <= 60)
    // Who is signed in has places of their own, beside those for reading.
    const { admitRead } = calls(database().pool, { ...limits, burstPerMinute: 3 })
    for (const left of [2, 1, 0]) assert.equal((await admitAi({ accountId: id })).allowance.burst?.remaining, left)
    assert.equal((await admitAi({ accountId: id })).verdict, 'rate_limited')
    assert.equal((await admitRead({ accountId: id })).verdict, 'ok')
  })

  test(`${kind}: no AI for a key that is unknown, revoked or of a disabled account`, { skip }, async () => {
    const { admitAi } = calls(database().pool, limits)
    const revokedAccount = await makeAccount(database(), 'team')
    const disabledAccount = await makeAccount(database(), 'team')
    await ask('update api_key set revoked_at = now() where account_id = $1', [revokedAccount.id])
    await ask('update account set disabled_at = now() where id = $1', [disabledAccount.id])
    for (const key of [makeApiKey(), revokedAccount.key, disabledAccount.key]) {
      const { verdict, accountId, allowance } = await admitAi({ keyHash: hashApiKey(key) })
      assert.deepEqual([verdict, accountId, allowance], ['invalid_or_revoked_api_key', null, {}])
    }
  })

  test(`${kind}: at most 30 in any 60 seconds, to the millisecond`, { skip }, async () => {
    const { key } = await makeAccount(database(), 'enterprise')
    const at = (seconds: number) => new Date(Date.UTC(2026, 10, 5) + seconds * 1000).toISOString()
    // One each second: the 31st has to wait for the first to be a minute old.
    for (let n = 0; n < 30; n++) assert.equal((await admitAt(key, { burst: 30, moment: at(n) })).verdict, 'ok')
    const refusedValue = await admitAt(key, { burst: 30, moment: at(59.999) })
    assert.deepEqual([refusedValue.verdict, refusedValue.burst_free_in], ['rate_limited', 1])
    assert.equal((await admitAt(key, { burst: 30, moment: at(60) })).verdict, 'ok')
    assert.equal((await admitAt(key, { burst: 30, moment: at(60.5) })).verdict, 'rate_limited')
    assert.equal((await admitAt(key, { burst: 30, moment: at(61) })).verdict, 'ok')
  })

  test(`${kind}: a clock that is set back opens no window, and locks nobody out`, { skip }, async () => {
    const { key } = await makeAccount(database(), 'enterprise')
    const now = Date.UTC(2026, 10, 5, 12)
    const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()
    for (let n = 0; n < 3; n++) assert.equal((await admitAt(key, { burst: 3, moment: at(0) })).verdict, 'ok')
    // A second, as for a leap second: the calls still count.
    assert.equal((await admitAt(key, { burst: 3, moment: at(-1) })).verdict, 'rate_limited')
    // An hour, by a hand: what lies in the future is forgotten, else the key would be refused for that hour.
    assert.equal((await admitAt(key, { burst: 3, moment: at(-3600) })).verdict, 'ok')
  })

  test(`${kind}: the month turns at midnight UTC, wherever the session stands`, { skip }, async () => {
    const { id, key } = await makeAccount(database(), 'team')
    await setUsed(id, '2026-11-01', 49_999)
    const before = '2026-11-30T23:59:59.9Z'
    const after = '2026-12-01T00:00:00Z'
    const last = await admitAt(key, { moment: before })
    assert.deepEqual([last.verdict, last.month, last.remaining, last.month_left], ['ok', '2026-11-01', 0, 1])
    const refusedValue = await admitAt(key, { moment: before })
    assert.deepEqual(
      [refusedValue.verdict, refusedValue.call_limit, refusedValue.remaining],
      ['monthly_limit_exceeded', 50_000, 0],
    )
    const first = await admitAt(key, { moment: after })
    assert.deepEqual([first.verdict, first.month, first.remaining], ['ok', '2026-12-01', 49_999])
    // Given back in the new month, a call of the old one goes to the old one.
    assert.equal((await ask('select void_reservation($1) as done', [last.id])).done, true)
    assert.deepEqual([await usedIn(id, '2026-11-01'), await usedIn(id, '2026-12-01')], [49_999, 1])
    const client = await database().connect()
    await client.query(`set timezone = 'Pacific/Auckland'`)
    const sql = 'select month::text from admit_call($1, $2, 1, 1, 0, $3, $4)'
    const far = await client.query(sql, [hashApiKey(key), randomUUID(), admissionRules(), before])
    await client.end()
    assert.equal(far.rows[0].month, '2026-11-01')
  })

  test(`${kind}: many calls are reserved at once, settled one at a time, and the rest given back`, { skip }, async () => {
    for (const plan of ['team', 'free'] as const) {
      const { id, key } = await makeAccount(database(), plan)
      if (plan === 'team') await setUsed(id, '2026-11-01', 49_900)
      else await grant(database(), id, 100)
      const moment = '2026-11-10T00:00:00Z'
      const tooMany = await admitAt(key, { cost: 101, moment })
      assert.deepEqual([tooMany.verdict === 'ok', tooMany.remaining], [false, 100], plan)
      const batch = await admitAt(key, { cost: 100, moment })
      assert.deepEqual([batch.verdict, batch.remaining], ['ok', 0], plan)
      for (let n = 0; n < 3; n++) {
        const { settled } = await ask('select * from charge_call($1, $2)', [batch.id, `${batch.id}/${n}`])
        assert.equal(settled, true)
      }
      assert.equal((await ask('select void_reservation($1) as done', [batch.id])).done, true)
      const { credits, reserved, booked, used, open } = await accountTotals(database(), id)
      assert.deepEqual([used, credits, reserved, booked, open], plan === 'team' ? [49_903, 0, 0, 0, 0] : [0, 97, 0, 97, 0])
    }
  })

  test(`${kind}: the first call of a month already counts against its limit`, { skip }, async () => {
    const { id, key } = await makeAccount(database(), 'team')
    const askedValue = await admitAt(key, { cost: 50_001 })
    assert.deepEqual([askedValue.verdict, askedValue.remaining], ['monthly_limit_exceeded', 50_000])
    assert.equal((await accountTotals(database(), id)).used, 0)
  })

  test(`${kind}: a reservation ends once: settled or given back, whoever comes first`, { skip }, async () => {
    const { id, key } = await makeAccount(database(), 'free')
    await grant(database(), id, 10)
    const { admit, settle, voidReservation, refund } = calls(database().pool, limits)
    for (let n = 0; n < 20; n++) {
      const admittedValue = await admit({ keyHash: hashApiKey(key) })
      assert.ok(admittedValue.verdict === 'ok')
      const { reservation } = admittedValue
      const [{ settled }, isVoided, again] = await Promise.all([
        settle(reservation),
        voidReservation(reservation),
        settle(reservation),
      ])
      assert.equal([settled, isVoided, again.settled].filter(Boolean).length, 1)
      // Only what was charged can be refunded, and once.
      for (let m = 0; m < 3; m++) await refund(reservation)
      assert.deepEqual(await accountTotals(database(), id), { credits: 10, reserved: 0, booked: 10, open: 0, used: 0 })
    }
  })

  test(`${kind}: credits are booked once for each kind and reference, also at once, and may be taken out again`, {
    skip,
  }, async () => {
    const { id, key } = await makeAccount(database(), 'free')
    const book = (kind: string, credits: number, reference: string) =>
      ask('select add_credits($1, $2, $3, $4) as balance', [id, kind, credits, reference]).then(({ balance }) => balance)
    const reference = randomUUID()
    const balances = await Promise.all(Array.from({ length: 20 }, () => book('purchase', 5, reference)))
    assert.deepEqual([balances.filter((balance) => balance === 5).length, balances.filter((b) => b === null).length], [1, 19])
    await admitAt(key, { cost: 3 })
    assert.equal(await book('purchase_refund', -5, reference), 0)
    // What was bought was refunded: had credits, has none.
    assert.equal((await admitAt(key, {})).verdict, 'insufficient_credits')
    await assert.rejects(book('gift', 1, randomUUID()), { code: '23514' })
    await assert.rejects(ask('select add_credits($1, $2, 1, $3)', [randomUUID(), 'grant', randomUUID()]), { code: 'P0002' })
  })

  test(`${kind}: when a key was last used is noted, at most once a minute`, { skip }, async () => {
    const { id, key } = await makeAccount(database(), 'team')
    const lastUse = async () =>
      (await ask('select last_used_at as at from api_key where account_id = $1', [id])).at as Date | null
    assert.equal(await lastUse(), null)
    await admitAt(key, {})
    const first = await lastUse()
    assert.ok(first instanceof Date)
    await admitAt(key, {})
    assert.deepEqual(await lastUse(), first)
    await ask(`update api_key set last_used_at = last_used_at - interval '61 seconds' where account_id = $1`, [id])
    await admitAt(key, {})
    assert.ok(((await lastUse())?.getTime() ?? 0) >= first.getTime())
  })

  test(`${kind}: while two change the plan, each call counts by the plan it was admitted with`, { skip }, async () => {
    const { id, key } = await makeAccount(database(), 'team')
    await grant(database(), id, 1_000)
    const { admit, settle } = calls(database().pool, { ...limits, burstPerMinute: 0 })
    const change = async (to: readonly PlanName[]) => {
      for (let n = 0; n < 60; n++) await ask('update account set plan = $2 where id = $1', [id, to[n % to.length]])
    }
    const countedValue = { month: 0, credit: 0 }
    const call = async () => {
      for (let n = 0; n < 25; n++) {
        const admittedValue = await admit({ keyHash: hashApiKey(key) })
        assert.ok(admittedValue.verdict === 'ok')
        assert.equal((await settle(admittedValue.reservation)).settled, true)
        countedValue[admittedValue.reservation.month === null ? 'credit' : 'month']++
      }
    }
    await Promise.all([change(['free', 'enterprise']), change(['team', 'pro']), ...Array.from({ length: 8 }, call)])
    assert.ok(countedValue.month > 0 && countedValue.credit > 0)
    const credits = 1_000 - countedValue.credit
    assert.deepEqual(await accountTotals(database(), id), {
      credits,
      reserved: 0,
      booked: credits,
      open: 0,
      used: countedValue.month,
    })
    // The last writer's plan holds for the next call.
    await Promise.all([change(['free']), change(['free'])])
    assert.equal((await admitAt(key, {})).source, 'credit')
  })
})
