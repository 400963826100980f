import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { hashApiKey, makeApiKey, saveApiKey } from '../../accounts/api-keys.ts'
import type { Allowance } from '../../contract/allowance.ts'
import { openDatabase } from '../../database/database.ts'
import type { Admitted, Reader, Refused, Reservation } from '../admission-result.ts'
import { type Calls, calls } from '../calls.ts'
import { findMismatches } from '../ledger.ts'

const CALLERS = 30
const CALLS = 300

type Outcome = { readonly verdict: string; readonly settled: boolean }

/** These clients share the calls; each call ends as `finish` says. */
async function run(
  keys: readonly string[],
  servers: readonly Calls[],
  finish: (server: Calls, heldReservation: Reservation) => Promise<boolean>,
) {
  const outcomes: Outcome[] = []
  let next = 0
  const caller = async () => {
    for (let n = next++; n < CALLS; n = next++) {
      const server = servers[n % servers.length] ?? assert.fail()
      const admittedValue = await server.admit({ keyHash: hashApiKey(keys[n % keys.length] ?? assert.fail()) })
      const isSettled = admittedValue.verdict === 'ok' && (await finish(server, admittedValue.reservation))
      outcomes.push({ verdict: admittedValue.verdict, settled: isSettled })
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return {
    of: (verdict: string) => outcomes.filter((outcome) => outcome.verdict === verdict).length,
    settled: outcomes.filter((outcome) => outcome.settled).length,
  }
}

/** Without the seconds that a slow machine changes. */
const withoutTime = ({ month, burst, ...others }: Allowance) => ({
  ...others,
  ...(month && { month: { limit: month.limit, remaining: month.remaining } }),
  ...(burst && { burst: { limit: burst.limit, remaining: burst.remaining } }),
})

const charge = async (server: Calls, heldReservation: Reservation) => (await server.settle(heldReservation)).settled

/** Two of five calls fail and are given back, one of them though it had been charged. */
async function sometimes(server: Calls, heldReservation: Reservation): Promise<boolean> {
  const chance = Math.random()
  if (chance < 0.2) return !(await server.voidReservation(heldReservation))
  const { settled } = await server.settle(heldReservation)
  if (chance >= 0.4) return settled
  await server.refund(heldReservation)
  return false
}

onEachDatabase(({ kind, skip, database, target }) => {
  /** Two servers with a pool each, on one database. */
  async function withServers<Result>(
    burstPerMinute: number,
    work: (servers: readonly Calls[]) => Promise<Result>,
  ): Promise<Result> {
    const pools = await Promise.all([1, 2].map(() => openDatabase(target(), () => {})))
    try {
      return await work(pools.map(({ pool }, n) => calls(pool, { burstPerMinute, server: n + 1 })))
    } finally {
      for (const pool of pools) await pool.close()
    }
  }
  async function accountWithKeys(plan: 'team' | 'free' | 'enterprise') {
    const { id, key } = await makeAccount(database(), plan)
    const second = makeApiKey()
    await saveApiKey(database().kysely, id, 'second', second)
    return { id, key, second }
  }
  const setUsed = (id: string, usedCount: number) =>
    database().pool.query(`insert into usage_month values ($1, date_trunc('month', now() at time zone 'utc'), $2)`, [
      id,
      usedCount,
    ])

  test(`${kind}: of 300 calls by 30 clients with one key, 30 start in a minute`, { skip }, async () => {
    const { id, key } = await accountWithKeys('enterprise')
    const result = await withServers(30, (servers) => run([key], servers, charge))
    assert.deepEqual([result.of('ok'), result.settled, result.of('rate_limited')], [30, 30, 270])
    assert.equal((await accountTotals(database(), id)).used, 30)
  })

  test(`${kind}: of 300 calls by 30 clients the month gives what it has left, to two keys`, { skip }, async () => {
    const { id, key, second } = await accountWithKeys('team')
    await setUsed(id, 49_920)
    const result = await withServers(0, (servers) => run([key, second], servers, charge))
    assert.deepEqual([result.settled, result.of('monthly_limit_exceeded')], [80, 220])
    assert.deepEqual(await accountTotals(database(), id), { credits: 0, reserved: 0, booked: 0, open: 0, used: 50_000 })
  })

  test(`${kind}: of 300 calls by 30 clients the credits pay what they can, for two keys`, { skip }, async () => {
    const { id, key, second } = await accountWithKeys('free')
    await grant(database(), id, 100)
    const result = await withServers(0, (servers) => run([key, second], servers, charge))
    assert.deepEqual([result.settled, result.of('insufficient_credits')], [100, 200])
    assert.deepEqual(await accountTotals(database(), id), { credits: 0, reserved: 0, booked: 0, open: 0, used: 0 })
  })

  test(`${kind}: with failed calls and lost answers among them, what was delivered is what was charged`, {
    skip,
  }, async () => {
    const month = await accountWithKeys('team')
    const paying = await accountWithKeys('free')
    await setUsed(month.id, 49_920)
    await grant(database(), month.id, 50)
    await grant(database(), paying.id, 80)
    const [ofMonth, ofCredits] = await withServers(0, (servers) =>
      Promise.all([run([month.key, month.second], servers, sometimes), run([paying.key, paying.second], servers, sometimes)]),
    )
    assert.ok(ofMonth.settled > 0 && ofMonth.settled <= 80 && ofCredits.settled > 0 && ofCredits.settled <= 80)
    const usedCount = 49_920 + ofMonth.settled
    assert.deepEqual(await accountTotals(database(), month.id), {
      credits: 50,
      reserved: 0,
      booked: 50,
      open: 0,
      used: usedCount,
    })
    const left = 80 - ofCredits.settled
    assert.deepEqual(await accountTotals(database(), paying.id), { credits: left, reserved: 0, booked: left, open: 0, used: 0 })
    // Each entry's balance is the sum up to it: no two calls saw the same.
    const { rows } = await database().pool.query(
      `select count(*)::int as wrong from (
         select balance, sum(credits) over (order by id) as booked from credit_entry where account_id = $1
       ) e where balance <> booked`,
      [paying.id],
    )
    assert.equal(rows[0].wrong, 0)
    assert.deepEqual(await findMismatches(database()), [])
  })

  test(`${kind}: calls that are admitted together get the verdicts that each gets alone`, { skip }, async () => {
    /** One for each verdict, of accounts of its own. */
    const admitAll = async (
      admitEach: (server: Calls, callers: readonly Reader[]) => Promise<readonly (Admitted | Refused)[]>,
    ) => {
      const team = await accountWithKeys('team')
      const emptyTeam = await accountWithKeys('team')
      await setUsed(emptyTeam.id, 50_000)
      const credits = await accountWithKeys('free')
      await grant(database(), credits.id, 1)
      const none = await accountWithKeys('free')
      const { second } = await accountWithKeys('enterprise')
      const callerOf = (key: string): Reader => ({ keyHash: hashApiKey(key) })
      const callers = [
        ...[team.key, emptyTeam.key, credits.key, credits.second, none.key, makeApiKey(), second].map((key) => callerOf(key)),
        { accountId: team.id },
        callerOf(team.second),
      ]
      const results = await withServers(5, ([server = assert.fail()]) => admitEach(server, callers))
      return results.map(({ verdict, allowance }) => ({ verdict, allowance: withoutTime(allowance) }))
    }
    const alone = await admitAll(async (server, callers) => {
      const rows: (Admitted | Refused)[] = []
      for (const caller of callers) rows.push(await server.admit(caller))
      return rows
    })
    const together = await admitAll(async (server, callers) => {
      // The first one goes alone, the others while it is under way.
      const [, ...rows] = await Promise.all(
        [makeApiKey(), ...callers].map((caller) =>
          server.admit(typeof caller === 'string' ? { keyHash: hashApiKey(caller) } : caller),
        ),
      )
      return rows
    })
    assert.deepEqual(together, alone)
    assert.deepEqual(
      new Set(alone.map(({ verdict }) => verdict)),
      new Set(['ok', 'monthly_limit_exceeded', 'insufficient_credits', 'api_access_not_available', 'invalid_or_revoked_api_key']),
    )
  })

  test(`${kind}: an account that something else has locked does not delay calls of other accounts`, { skip }, async () => {
    const free = await accountWithKeys('team')
    const other = await accountWithKeys('free')
    await grant(database(), other.id, 5)
    const blocker = await database().connect()
    try {
      await blocker.query('begin')
      await blocker.query('select from account where id = $1 for update', [other.id])
      await withServers(0, async ([server = assert.fail()]) => {
        const first = server.admit({ keyHash: hashApiKey(free.key) })
        const blockedCall = server.admit({ keyHash: hashApiKey(other.key) })
        const beside = server.admit({ keyHash: hashApiKey(free.second) })
        assert.deepEqual([(await first).verdict, (await beside).verdict], ['ok', 'ok'])
        await blocker.query('commit')
        assert.equal((await blockedCall).verdict, 'ok')
      })
    } finally {
      await blocker.end()
    }
    assert.deepEqual(await findMismatches(database()), [])
  })
})
