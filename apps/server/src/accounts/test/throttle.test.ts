import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@pixelmill/engine/test/support/until'
import { sql } from 'kysely'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { isRefusal } from '../../contract/api-error.ts'
import type { Database } from '../../database/database.ts'
import { forgetOldPlaces, isKnownPlace, limitGuesses } from '../guesses.ts'
import { forgetOldAttempts, guess, newEmail, takeAttempt, throttles } from '../throttle.ts'

const { attempts: HERE } = throttles.signInHere
const { attempts: ALL_HERE } = throttles.signInFrom
const ADDRESS = '192.0.2.1'
const ada = { email: 'ada@example.com', address: ADDRESS }

/** No line: however many guesses there are, as on many servers. */
const atOnce = <Result>(_address: string, work: () => Promise<Result>) => work()

/** How each of these ended: `taken`, or the seconds to wait. */
const outcomes = (tries: readonly Promise<unknown>[]) =>
  Promise.all(
    tries.map((each) =>
      each.then(
        () => 'taken' as const,
        (error: unknown) => {
          assert.ok(isRefusal(error) && error.code === 'rate_limited', String(error))
          return error.retryAfterSeconds ?? 0
        },
      ),
    ),
  )

const takenCount = (all: readonly ('taken' | number)[]) => all.filter((one) => one === 'taken').length

/** As if that much time had passed. */
const wait = (database: Database, seconds: number) =>
  sql`update throttle set expires_at = expires_at - make_interval(secs => ${seconds}),
    hits = array(select hit - make_interval(secs => ${seconds}) from unnest(hits) hit order by hit)`.execute(database.kysely)

onEachDatabase(({ kind, skip, database: openedDatabase }) => {
  const open = async (): Promise<Database> => {
    await openedDatabase().pool.query('truncate throttle, known_place')
    return openedDatabase()
  }

  test(`${kind}: of fifty guesses at once ten are judged`, { skip }, async () => {
    const database = await open()
    const { kysely } = database
    let judgedCount = 0
    const guesses = Array.from({ length: 50 }, () =>
      limitGuesses(kysely, atOnce, ada, async () => void judgedCount++).then(() => 'wrong'),
    )
    const all = await outcomes(guesses)
    assert.equal(takenCount(all), HERE)
    assert.equal(judgedCount, HERE)
    for (const one of all) assert.ok(one === 'taken' || (one > 890 && one <= 900))
  })

  test(`${kind}: of fifty right guesses at once none is refused, though nine errors leave room for one`, { skip }, async () => {
    const { kysely } = await open()
    for (let n = 0; n < HERE - 1; n++) await limitGuesses(kysely, atOnce, ada, async () => undefined)
    let judging = 0
    let most = 0
    const all = Array.from({ length: 50 }, () =>
      limitGuesses(kysely, atOnce, ada, async () => {
        most = Math.max(most, ++judging)
        await sleep(5)
        judging--
        return 'right'
      }),
    )
    assert.deepEqual(await Promise.all(all), Array(50).fill('right'))
    assert.ok(most <= HERE, `${most} were judged at once`)
  })

  test(`${kind}: a guess whose server has died counts as wrong`, { skip }, async () => {
    const { kysely, pool } = await open()
    const never = Promise.withResolvers<undefined>()
    const lostValues = Array.from({ length: HERE }, () => limitGuesses(kysely, atOnce, ada, () => never.promise))
    await until(async () => {
      const { rows } = await pool.query<{ n: number }>('select max(cardinality(pending)) as n from throttle')
      return rows[0]?.n === HERE
    })
    await pool.query(`update throttle set pending = array(select p - interval '61 seconds' from unnest(pending) p order by p)`)
    const [seconds] = await outcomes([limitGuesses(kysely, atOnce, ada, async () => 'right')])
    assert.ok(Number(seconds) > 830 && Number(seconds) <= 840, `${seconds}`)
    never.resolve(undefined)
    await Promise.all(lostValues)
  })

  test(`${kind}: the window slides, and a refusal does not lengthen it`, { skip }, async () => {
    const database = await open()
    const once = () => takeAttempt(database.kysely, guess('ada@example.com', ADDRESS, false))
    assert.deepEqual(await outcomes([once()]), ['taken'])
    await wait(database, 600)
    assert.equal(takenCount(await outcomes(Array.from({ length: 12 }, once))), HERE - 1)
    const [seconds] = await outcomes([once()])
    assert.ok(Number(seconds) > 290 && Number(seconds) <= 300, `${seconds}`)
    await wait(database, 301)
    assert.equal(takenCount(await outcomes([once(), once()])), 1)
  })

  test(`${kind}: each throttle counts for itself, and a refusal by one is counted on none`, { skip }, async () => {
    const database = await open()
    const try_ = (email: string, address: string) => takeAttempt(database.kysely, guess(email, address, false))
    // From one network, whoever is guessed at.
    const many = await outcomes(Array.from({ length: 105 }, (_, n) => try_(`${n}@example.com`, `2001:db8::${n}`)))
    assert.equal(takenCount(many), throttles.signInFrom.attempts)
    // The refused ones were not counted for their addresses either: each has all of its own left.
    const refusedNumbers = many.flatMap((one, n) => (one === 'taken' ? [] : [n]))
    for (const n of refusedNumbers) {
      assert.equal(takenCount(await outcomes(Array.from({ length: 10 }, () => try_(`${n}@example.com`, '198.51.100.7')))), HERE)
    }
    // At one address, whatever the network.
    const sharedNumbers = await outcomes(Array.from({ length: 105 }, (_, n) => try_('ada@example.com', `192.0.2.${n}`)))
    assert.equal(takenCount(sharedNumbers), throttles.signInAs.attempts)
    assert.equal(takenCount(await outcomes([try_('eve@example.com', '192.0.2.1')])), 1)
  })

  test(`${kind}: a right guess starts anew here, and takes only itself back elsewhere`, { skip }, async () => {
    const database = await open()
    const { kysely } = database
    const countedValues = guess(ada.email, ada.address, false)
    const left = async () => {
      const { rows } = await sql<{ key: Buffer; n: number }>`select key, cardinality(hits) as n from throttle`.execute(kysely)
      return countedValues.map(({ key }) => rows.find((row) => row.key.equals(key))?.n)
    }
    for (let n = 0; n < HERE - 1; n++) await limitGuesses(kysely, atOnce, ada, async () => undefined)
    assert.deepEqual(await left(), [9, 9, 9])
    assert.equal(await limitGuesses(kysely, atOnce, ada, async () => 'right'), 'right')
    assert.deepEqual(await left(), [0, 9, 9])
    await assert.rejects(
      limitGuesses(kysely, atOnce, ada, () => Promise.reject(new Error('not judged'))),
      { message: 'not judged' },
    )
    assert.deepEqual(await left(), [0, 9, 9])
  })

  test(`${kind}: attempts that meet on several throttles never wait for each other in a ring`, { skip }, async () => {
    const database = await open()
    const emails = ['ada@example.com', 'eve@example.com', 'zoe@example.com']
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
    const pairs = Array.from({ length: 8 }, () => emails.flatMap((email) => addresses.map((address) => ({ email, address }))))
    const all = await outcomes(
      pairs
        .flat()
        .map((countedValue) => limitGuesses(database.kysely, atOnce, countedValue, async () => 'right').then(() => 'right')),
    )
    assert.equal(takenCount(all), 72)
  })

  test(`${kind}: what counts no longer is forgotten, the rest is kept`, { skip }, async () => {
    const database = await open()
    await takeAttempt(database.kysely, guess('ada@example.com', ADDRESS, false))
    await wait(database, 901)
    await takeAttempt(database.kysely, newEmail(ADDRESS, 200))
    assert.equal(await forgetOldAttempts(database.kysely), 3)
    assert.equal(await forgetOldAttempts(database.kysely), 0)
    const { rows } = await database.pool.query('select key::text from throttle')
    assert.equal(rows.length, 1)
  })

  test(`${kind}: where an account is known it has ten guesses of its own, whatever others do`, { skip }, async () => {
    const { kysely, pool } = await open()
    const wrong = (email: string, address: string) =>
      outcomes([limitGuesses(kysely, atOnce, { email, address }, async () => undefined)])
    const right = (email: string, address: string) =>
      outcomes([limitGuesses(kysely, atOnce, { email, address }, async () => 'right')])
    assert.deepEqual(await right(ada.email, ADDRESS), ['taken'])
    for (let n = 0; n < ALL_HERE; n++) {
      assert.deepEqual(await wrong(`${n}@example.com`, ADDRESS), ['taken'])
      assert.deepEqual(await wrong(ada.email, `198.51.100.${n}`), ['taken'])
    }
    assert.notDeepEqual(await right('eve@example.com', ADDRESS), ['taken'], 'others are refused here')
    assert.notDeepEqual(await right(ada.email, '203.0.113.1'), ['taken'], 'she is refused elsewhere')
    for (let n = 0; n < HERE; n++) assert.deepEqual(await wrong(ada.email, ADDRESS), ['taken'])
    assert.notDeepEqual(await right(ada.email, ADDRESS), ['taken'], 'her own errors count')
    await pool.query('delete from throttle where cardinality(hits) = $1', [HERE])
    await pool.query(`update known_place set expires_at = expires_at - interval '30 days'`)
    assert.notDeepEqual(await right(ada.email, ADDRESS), ['taken'], 'she has not been here for 30 days')
  })

  test(`${kind}: a place is one e-mail address in one network, and is forgotten after 30 days`, { skip }, async () => {
    const { kysely, pool } = await open()
    await limitGuesses(kysely, atOnce, { email: 'ada@example.com', address: '2001:db8::1' }, async () => 'right')
    await limitGuesses(kysely, atOnce, { email: 'ada@example.com', address: '192.0.2.1' }, async () => undefined)
    const isKnown = (email: string, address: string) => isKnownPlace(kysely, email, address)
    assert.equal(await isKnown('ada@example.com', '2001:db8::2'), true)
    assert.equal(await isKnown('ada@example.com', '2001:db8:0:1::1'), false)
    assert.equal(await isKnown('eve@example.com', '2001:db8::1'), false)
    assert.equal(await isKnown('ada@example.com', '192.0.2.1'), false, 'a wrong password makes nothing known')
    assert.equal(await forgetOldPlaces(kysely), 0)
    await pool.query(`update known_place set expires_at = expires_at - interval '30 days 1 second'`)
    assert.equal(await forgetOldPlaces(kysely), 1)
  })
})
