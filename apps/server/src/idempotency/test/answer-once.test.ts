import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount } from '../../../test/support/accounts.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { type Database, type DatabaseTarget, openDatabase } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { registerInstance } from '../../metering/instance.ts'
import { fingerprint } from '../fingerprint.ts'
import { answerOnce, forgetOldRequests } from '../idempotency.ts'

const answer = { status: 202, headers: { location: '/api/v2/batch/7' }, body: Buffer.from([0, 255, 10]) }
const busy = { name: 'ApiError', code: 'idempotency_key_reused', retryAfterSeconds: 1 }
const reusedValue = { name: 'ApiError', code: 'idempotency_key_reused', retryAfterSeconds: undefined }
const fingerprintOf = (body: unknown) => fingerprint({ method: 'POST', url: '/', body, fields: new Map(), files: new Map() })

for (const target of TARGETS) {
  const { name: kind, skip } = target
  let database: Database
  let accountId: string
  let foundTarget: DatabaseTarget
  const cleanups: (() => Promise<void>)[] = []
  before(async () => {
    if (skip) return
    foundTarget = await target.start({ after: (clean: unknown) => void cleanups.unshift(clean as () => Promise<void>) })
    database = await openDatabase(foundTarget, assert.ifError)
    await migrate(database)
    accountId = (await makeAccount(database, 'free')).id
  })
  after(async () => {
    if (skip) return
    await database.close()
    for (const clean of cleanups) await clean()
  })
  let keys = 0
  // No server has its lock.
  const server = 1_000_000
  const request = (body: unknown = 1) => ({
    accountId,
    route: 'r',
    key: `key ${++keys}`,
    fingerprint: fingerprintOf(body),
    server,
  })
  const once = (what: ReturnType<typeof request>, work = async () => answer) => answerOnce(database, what, work, assert.ifError)
  const age = (interval: string) =>
    database.pool.query(`update idempotent_request set expires_at = expires_at - $1::interval`, [interval])

  test(`${kind}: an answer is given again byte for byte, for 24 hours`, { skip }, async () => {
    const what = request()
    assert.deepEqual(await once(what), { ...answer, replayed: false })
    const never = () => Promise.reject(new Error('it was answered'))
    assert.deepEqual(await once(what, never), { ...answer, replayed: true })
    await age('23 hours 59 minutes')
    assert.equal((await once(what, never)).replayed, true)
    await age('1 minute')
    assert.equal((await once(what)).replayed, false)
  })

  test(`${kind}: one of fifty at once works; the others are refused and may retry`, { skip }, async () => {
    const what = request()
    let workedCount = 0
    const refusals: unknown[] = []
    const work = async () => {
      workedCount += 1
      await until(async () => refusals.length === 49 || workedCount > 1)
      return answer
    }
    await Promise.all(Array.from({ length: 50 }, () => once(what, work).catch((error) => refusals.push(error))))
    assert.equal(workedCount, 1)
    assert.equal(refusals.length, 49)
    for (const refusal of refusals) await assert.rejects(Promise.reject(refusal), busy)
  })

  test(`${kind}: a thrown error and an answer that is no success free the key`, { skip }, async () => {
    const what = request()
    await assert.rejects(
      once(what, () => Promise.reject(new Error('no'))),
      /no/,
    )
    assert.equal((await once(what, async () => ({ ...answer, status: 404 }))).status, 404)
    assert.equal((await once(what)).replayed, false)
    assert.equal((await once(what)).replayed, true)
  })

  test(`${kind}: another request under the key is refused, while the first runs and afterwards`, { skip }, async () => {
    const what = request()
    const other = { ...what, fingerprint: fingerprintOf(2) }
    await once(what, async () => {
      await assert.rejects(once(other), reusedValue)
      await assert.rejects(once(what), busy)
      return answer
    })
    await assert.rejects(once(other), reusedValue)
  })

  test(`${kind}: a key is one account's and one route's`, { skip }, async () => {
    const what = request()
    await once(what)
    const otherAccount = (await makeAccount(database, 'free')).id
    assert.equal((await once({ ...what, accountId: otherAccount })).replayed, false)
    assert.equal((await once({ ...what, route: 'other' })).replayed, false)
  })

  test(`${kind}: the key of a server that died is free after ten minutes, and the dead answer no more`, { skip }, async () => {
    const what = request()
    const successor = { ...answer, body: Buffer.from('successor') }
    await once(what, async () => {
      await age('10 minutes')
      assert.equal((await once(what, async () => successor)).replayed, false)
      return answer
    })
    assert.deepEqual(await once(what), { ...successor, replayed: true })
  })

  test(`${kind}: the key of a server that died is free after five seconds, of one that lives it is not`, { skip }, async () => {
    const [dying, living, asking] = await Promise.all([1, 2, 3].map(() => registerInstance(database, assert.ifError)))
    assert.ok(dying && living && asking)
    const left = { ...request(), server: dying.server }
    const keptValue = { ...request(), server: living.server }
    const again = (what: typeof left) => once({ ...what, server: asking.server })
    await once(left, async () => {
      await once(keptValue, async () => {
        await age('6 seconds')
        await assert.rejects(again(left), busy)
        await dying.close()
        assert.equal((await again(left)).replayed, false)
        await assert.rejects(again(keptValue), busy)
        return answer
      })
      return answer
    })
    await once(left)
    const young = { ...request(), server: dying.server }
    await once(young, async () => {
      await age('4 seconds')
      await assert.rejects(again(young), busy)
      return answer
    })
    await Promise.all([living.close(), asking.close()])
  })

  test(`${kind}: an answer that cannot be saved is still returned, and the failure is reported`, { skip }, async () => {
    const goneDatabase = await openDatabase(foundTarget, () => {})
    const failures: unknown[] = []
    const work = async () => {
      await goneDatabase.close()
      return answer
    }
    assert.equal((await answerOnce(goneDatabase, request(), work, (error) => failures.push(error))).status, 202)
    assert.equal(failures.length, 1)
  })

  test(`${kind}: old answers are forgotten, others stay`, { skip }, async () => {
    await database.pool.query('delete from idempotent_request')
    await once(request())
    await age('25 hours')
    await once(request())
    assert.deepEqual([await forgetOldRequests(database.pool), await forgetOldRequests(database.pool)], [1, 0])
  })
}

test('a fingerprint is of what is asked for, not of how it is written', () => {
  const of = (fields: readonly (readonly [string, string[]])[], file: readonly string[], url = '/a') =>
    fingerprint({
      method: 'POST',
      url,
      body: undefined,
      fields: new Map(fields),
      files: new Map([['file', { chunks: file.map((chunk) => Buffer.from(chunk)) }]]),
    }).toString('hex')
  const one = of(
    [
      ['x', ['1']],
      ['y', ['2']],
    ],
    ['ab', 'c'],
  )
  assert.equal(
    of(
      [
        ['y', ['2']],
        ['x', ['1']],
      ],
      ['a', 'bc'],
    ),
    one,
  )
  const others = [
    of([['x', ['1']]], ['abc']),
    of(
      [
        ['x', ['1']],
        ['y', ['2']],
      ],
      ['abd'],
    ),
    of(
      [
        ['x', ['1']],
        ['y', ['2']],
      ],
      ['abc'],
      '/b',
    ),
  ]
  assert.equal(new Set([one, ...others]).size, 4)
})
