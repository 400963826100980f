import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import type pg from 'pg'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { phcOf } from '../../../test/support/phc.ts'
import { whenItIs } from '../../../test/support/stopped-clock.ts'
import { isRefusal } from '../../contract/api-error.ts'
import type { Database } from '../../database/database.ts'
import { changeUser } from '../change-user.ts'
import {
  findLogin,
  forgetExpiredTokens,
  hashLoginToken,
  issueLoginToken,
  LOGIN_TOKEN,
  revokeLoginTokens,
} from '../login-tokens.ts'
import { passwords } from '../passwords.ts'
import { signIn, signUp } from '../sign-in.ts'

const ADDRESS = '192.0.2.1'
const actor = { accountId: null, requestId: 'req_test', address: ADDRESS }
const ada = {
  email: 'ada@example.com',
  password: 'correct horse',
  name: 'Ada',
  plan: 'free',
  address: ADDRESS,
  perHour: 0,
} as const
const keeper = passwords(() => {})

const find = (database: Database, { token }: { readonly token: string }) => findLogin(database.pool, hashLoginToken(token))

/** Whether somebody in this database waits for somebody else's lock, soon. */
const somebodyWaits = (pool: pg.Pool): Promise<boolean> => {
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  return until(async () => ((await pool.query(waiting)).rowCount ?? 0) > 0)
}

onEachDatabase(({ kind, skip, database: openedDatabase }) => {
  const open = async (): Promise<Database> => {
    await openedDatabase().pool.query('truncate account, throttle, known_place cascade')
    return openedDatabase()
  }

  test(`${kind}: a token finds its account for 30 days, and is kept as a hash`, { skip }, async () => {
    const database = await open()
    const madeValue = await signUp(database.kysely, keeper, actor, ada)
    assert.match(madeValue.token, LOGIN_TOKEN)
    const days = (madeValue.expiresAt.getTime() - Date.now()) / 86_400_000
    assert.ok(days > 29.9 && days < 30.1, `${days} days`)
    assert.deepEqual((await find(database, madeValue))?.user, madeValue.user)
    const { rows } = await database.pool.query('select login_token::text as row from login_token')
    assert.ok(!JSON.stringify(rows).includes(madeValue.token.slice(3)))
    await database.pool.query('update login_token set expires_at = clock_timestamp()')
    assert.equal(await find(database, madeValue), undefined)
    assert.equal(await forgetExpiredTokens(database.kysely), 1)
  })

  test(`${kind}: a token is valid to the millisecond before its end`, { skip }, async () => {
    const database = await open()
    const { token, expiresAt } = await signUp(database.kysely, keeper, actor, ada)
    // To whole milliseconds, as JavaScript has them.
    await database.pool.query('update login_token set expires_at = $1', [expiresAt])
    const findAfter = (ms: number) =>
      whenItIs(database, new Date(expiresAt.getTime() + ms), ({ pool }) => findLogin(pool, hashLoginToken(token)))
    assert.ok(await findAfter(-1))
    assert.equal(await findAfter(0), undefined)
    const forgetAfter = (ms: number) =>
      whenItIs(database, new Date(expiresAt.getTime() + ms), ({ kysely }) => forgetExpiredTokens(kysely))
    assert.equal(await forgetAfter(0), 0)
    assert.equal(await forgetAfter(1), 1)
  })

  test(`${kind}: that a token is used is written once a minute`, { skip }, async () => {
    const database = await open()
    const madeValue = await signUp(database.kysely, keeper, actor, ada)
    const lastUse = async () => {
      const { rows } = await database.pool.query<{ last: string; version: string }>(
        'select last_used_at::text as last, xmin::text as version from login_token',
      )
      return rows[0]
    }
    assert.equal((await lastUse())?.last, null)
    await find(database, madeValue)
    const first = await lastUse()
    assert.ok(first?.last)
    await Promise.all(Array.from({ length: 10 }, () => find(database, madeValue)))
    assert.deepEqual(await lastUse(), first, 'not written again')
    await database.pool.query("update login_token set last_used_at = last_used_at - interval '61 seconds'")
    await find(database, madeValue)
    assert.ok(String((await lastUse())?.last) >= first.last)
  })

  test(`${kind}: no token of an old password outlives its change, whichever comes first`, { skip }, async () => {
    const database = await open()
    const madeValue = await signUp(database.kysely, keeper, actor, ada)
    const login = (await find(database, madeValue)) ?? assert.fail()
    for (let round = 0; round < 3; round++) {
      const [now, next] = [round, round + 1].map((n) => (n === 0 ? ada.password : `${ada.password} ${n}`))
      const signIns = Array.from({ length: 4 }, () =>
        signIn(database.kysely, keeper, { ...ada, password: now ?? '' }).catch((error: unknown) => {
          assert.ok(isRefusal(error) && error.code === 'invalid_credentials', String(error))
          return undefined
        }),
      )
      await changeUser(database.kysely, keeper, login, actor, { password: next, currentPassword: now, perHour: 0 })
      for (const each of await Promise.all(signIns)) if (each) assert.equal(await find(database, each), undefined)
      assert.ok(await find(database, madeValue), 'the one that changed it goes on')
    }
  })

  test(`${kind}: a sign-in that a change of password overtakes waits for it, and gets no token`, { skip }, async () => {
    const database = await open()
    const { kysely, pool } = database
    const { user } = await signUp(kysely, keeper, actor, ada)
    const { rows } = await pool.query('select password_hash from account')
    const issuing = await kysely.transaction().execute(async (tx) => {
      await tx.updateTable('account').set({ password_hash: '-' }).execute()
      await revokeLoginTokens(tx, user.id, 'all')
      const issuedValue = issueLoginToken(kysely, user.id, rows[0].password_hash)
      assert.ok(await somebodyWaits(pool))
      return { issued: issuedValue }
    })
    assert.equal(await issuing.issued, undefined)
    assert.equal((await pool.query('select from login_token')).rowCount, 0)
  })

  test(`${kind}: two changes with one current password: one wins`, { skip }, async () => {
    const database = await open()
    const login = (await find(database, await signUp(database.kysely, keeper, actor, ada))) ?? assert.fail()
    const change = (password: string) =>
      changeUser(database.kysely, keeper, login, actor, { password, currentPassword: ada.password, perHour: 0 })
    const ends = await Promise.allSettled(['first password', 'second password'].map(change))
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  test(`${kind}: a hash of lower cost is made anew at sign-in`, { skip }, async () => {
    const database = await open()
    await signUp(database.kysely, keeper, actor, ada)
    const { rows } = await database.pool.query<{ password_hash: string }>('select password_hash from account')
    const weak = phcOf(ada.password, 64)
    await database.pool.query('update account set password_hash = $1', [weak])
    const { token } = await signIn(database.kysely, keeper, ada)
    assert.ok(await find(database, { token }))
    const after = await database.pool.query<{ password_hash: string }>('select password_hash from account')
    assert.notEqual(after.rows[0]?.password_hash, weak)
    assert.equal(after.rows[0]?.password_hash.split('$')[3], rows[0]?.password_hash.split('$')[3])
    await signIn(database.kysely, keeper, ada)
  })

  test(`${kind}: the 101st sign-in ends the oldest`, { skip }, async () => {
    const database = await open()
    const madeValue = await signUp(database.kysely, keeper, actor, ada)
    const { rows } = await database.pool.query('select id, password_hash from account')
    const issue = () => issueLoginToken(database.kysely, rows[0].id, rows[0].password_hash)
    const others = []
    for (let n = 0; n < 99; n++) others.push(await issue())
    assert.ok(await find(database, madeValue))
    await issue()
    assert.equal(await find(database, madeValue), undefined)
    assert.ok(await find(database, others[0] ?? assert.fail()))
  })
})
