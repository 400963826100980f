import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { caller } from '../../../test/support/call.ts'
import { backendsIn, postmasterIn } from '../../../test/support/postgres-processes.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import { findMismatches } from '../ledger.ts'

/** Takes some 20 ms, so that calls are under way at every moment. */
const image = await photo(600, 400).jpeg().toBuffer()
const CALLERS = 8
const CREDITS = 100_000

interface Seen {
  acknowledged: number
  refused: number
}

/** Calls one after the other until it is told to stop, whatever comes. */
async function callUntil(isStopped: () => boolean, { url }: Server, key: string, seenValue: Seen): Promise<void> {
  while (!isStopped()) {
    const { status, error, headers } = await caller({ url, key }).post('convert', { format: 'webp' }, { image })
    if (status === 200) seenValue.acknowledged++
    else {
      assert.deepEqual([status, error?.statusMessage, headers.get('retry-after')], [503, 'database_unavailable', '5'])
      seenValue.refused++
      await sleep(50)
    }
  }
}

const victims = {
  // The server starts PostgreSQL again, which takes long enough that some calls are refused.
  'the first process of PostgreSQL': { find: async (dir: string) => [await postmasterIn(dir)], refuses: true },
  // PostgreSQL ends its other connections and recovers in milliseconds: it may happen between the statements of all calls.
  'a process of PostgreSQL that serves a connection': {
    find: async (dir: string) => (await backendsIn(dir)).slice(0, 1),
    refuses: false,
  },
} as const

for (const [victim, { find, refuses }] of Object.entries(victims)) {
  test(`${victim} is killed under load: the server lives, answers again, and its ledger is right`, {
    skip: process.platform !== 'linux' && 'needs /proc',
    timeout: 120_000,
  }, async (t) => {
    const server = await startServer({ RENDERERS: '1' })
    t.after(() => server[Symbol.asyncDispose]())
    const before = await openServerDatabase(server.dir)
    const paying = await makeAccount(before, 'free')
    const team = await makeAccount(before, 'team')
    await grant(before, paying.id, CREDITS)
    await before.close()

    const seenValue = { paying: { acknowledged: 0, refused: 0 }, team: { acknowledged: 0, refused: 0 } }
    let isStopped = false
    const callers = [paying, team].flatMap(({ key }, which) =>
      Array.from({ length: CALLERS }, () =>
        callUntil(() => isStopped, server, key, which === 0 ? seenValue.paying : seenValue.team),
      ),
    )
    for (let kills = 0; kills < 2; kills++) {
      const answeredCount = seenValue.paying.acknowledged + seenValue.team.acknowledged
      assert.ok(
        await until(
          async () => seenValue.paying.acknowledged + seenValue.team.acknowledged > answeredCount + kills * CALLERS,
          60_000,
        ),
      )
      for (const pid of await find(server.dir)) process.kill(pid, 'SIGKILL')
      // Until every caller has been served again: sixteen, of whom some may have been in the queue before.
      const acknowledgedCount = seenValue.paying.acknowledged + seenValue.team.acknowledged
      assert.ok(
        await until(
          async () => seenValue.paying.acknowledged + seenValue.team.acknowledged > acknowledgedCount + 4 * CALLERS,
          60_000,
        ),
        server.output(),
      )
    }
    isStopped = true
    await Promise.all(callers)
    assert.equal(server.child.exitCode, null)

    const after = await openServerDatabase(server.dir)
    const untilSettled = async () =>
      (await accountTotals(after, paying.id)).open + (await accountTotals(after, team.id)).open === 0
    assert.ok(await until(untilSettled, 10_000), 'nothing stays reserved')
    const credits = await accountTotals(after, paying.id)
    const month = await accountTotals(after, team.id)
    assert.deepEqual([credits.reserved, credits.credits - credits.booked], [0, 0])
    const mismatches = await findMismatches(after)
    await after.close()
    assert.deepEqual(mismatches, [])
    // A call whose settlement was committed while its answer was lost: a credit comes back, a call of the month may not.
    assert.equal(CREDITS - credits.credits, seenValue.paying.acknowledged)
    const unsure = month.used - seenValue.team.acknowledged
    assert.ok(unsure >= 0 && unsure <= seenValue.team.refused, `${month.used} charged, ${JSON.stringify(seenValue)}`)
    if (refuses) assert.ok(seenValue.paying.refused + seenValue.team.refused > 0, 'some came while the database was away')
    t.diagnostic(JSON.stringify({ seen: seenValue, used: month.used }))
  })
}
