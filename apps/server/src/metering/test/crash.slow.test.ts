import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { times } from '@pixelmill/codecs/test/support/at-night'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { caller } from '../../../test/support/call.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import { makeApiKey } from '../../accounts/api-keys.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { socketFolder } from '../../database/embedded/address.ts'
import { findMismatches } from '../ledger.ts'

const KILLS = times({ seldom: 4, often: 10 })
/** Of each of two accounts: fifty together. */
const CALLERS = 25
/** Enough for the first kills: of ten, as at night, they run out before the last. */
const CREDITS = 100
/** A busy machine takes seconds for the first answer of a server. */
const ANSWERED_MS = 30_000
const image = await solid(8, 8, '#123456').png().toBuffer()

/** What one kind of caller saw. */
interface Seen {
  acknowledged: number
  /** Calls whose connection was cut by a kill: charged or not, nobody can tell them. */
  cut: number
}

/** Calls one after the other until the server dies, or the credits are used up. */
async function callUntilCut(server: Server, key: string, seenValue: Seen): Promise<void> {
  const { post } = caller({ url: server.url, key })
  for (;;) {
    const status = await post('convert', { format: 'png' }, { image }).then(
      (answer) => answer.status,
      () => undefined,
    )
    if (status === 402) return
    if (status === undefined) break
    assert.equal(status, 200)
    seenValue.acknowledged++
  }
  seenValue.cut++
}

for (const { name: kind, skip, start } of TARGETS) {
  test(`${kind}: ${KILLS} kills at random: no credit is lost, doubled or left reserved, no acknowledged call is free`, {
    skip,
    // Up to eleven starts of a server, each some seconds on a busy machine.
    timeout: 300_000,
  }, async (t) => {
    const target = kind === 'DATABASE_URL' ? await start(t) : undefined
    const dir = await mkdtemp(join(tmpdir(), 'pixelmill-test-'))
    t.after(() => rm(dir, { recursive: true, force: true }))
    const settings = {
      DATA_DIR: dir,
      RENDERERS: '1',
      ADMIN_API_KEY: makeApiKey(),
      ...(target && 'url' in target && { DATABASE_URL: target.url }),
    }
    const look = async <Result>(work: (database: Database) => Promise<Result>): Promise<Result> => {
      const database = await openDatabase(target ?? { socketDir: socketFolder(dir) }, () => {})
      return work(database).finally(() => database.close())
    }

    let server = await startServer(settings)
    const [paying, team] = await look(async (database) => {
      const accounts = [await makeAccount(database, 'free'), await makeAccount(database, 'team')] as const
      await grant(database, accounts[0].id, CREDITS)
      return accounts
    })
    const seenValue = { paying: { acknowledged: 0, cut: 0 }, team: { acknowledged: 0, cut: 0 } }
    for (let kills = 0; kills < KILLS; kills++) {
      const callers = [
        ...Array.from({ length: CALLERS }, () => callUntilCut(server, paying.key, seenValue.paying)),
        ...Array.from({ length: CALLERS }, () => callUntilCut(server, team.key, seenValue.team)),
      ]
      // A kill comes before the first answer or behind it; of both accounts some calls have to be answered at all.
      const areAnswered = () => Promise.resolve(seenValue.paying.acknowledged > 0 && seenValue.team.acknowledged > 0)
      if (kills > 0) assert.ok(await until(areAnswered, ANSWERED_MS))
      await sleep(300 + Math.random() * 600)
      const exitedValues = once(server.child, 'exit')
      server.child.kill('SIGKILL')
      await Promise.all([exitedValues, ...callers])
      server = await startServer(settings)
      // Before it listens it has put its books in order.
      await look(async (database) => {
        const books = await accountTotals(database, paying.id)
        assert.deepEqual([books.reserved, books.open, books.credits - books.booked], [0, 0, 0], `after kill ${kills + 1}`)
        assert.ok(books.credits >= 0)
        assert.equal((await accountTotals(database, team.id)).open, 0)
        assert.deepEqual(await findMismatches(database), [])
      })
    }
    const chargedValue = await look(async (database) => ({
      paying: CREDITS - (await accountTotals(database, paying.id)).credits,
      team: (await accountTotals(database, team.id)).used,
    }))
    await server.stop()
    for (const who of ['paying', 'team'] as const) {
      const { acknowledged, cut } = seenValue[who]
      assert.ok(acknowledged > 0 && cut > 0)
      assert.ok(acknowledged <= chargedValue[who], `${acknowledged} calls were acknowledged, ${chargedValue[who]} charged`)
      assert.ok(chargedValue[who] <= acknowledged + cut, `${chargedValue[who]} calls were charged, ${acknowledged} + ${cut} made`)
    }
    t.diagnostic(JSON.stringify({ seen: seenValue, charged: chargedValue }))
  })
}
