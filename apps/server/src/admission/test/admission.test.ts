import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { grant, makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { caller } from '../../../test/support/call.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { startServer } from '../../../test/support/server.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import { makeApiKey } from '../../accounts/api-keys.ts'
import type { Database } from '../../database/database.ts'
import { openDatabase } from '../../database/database.ts'

const image = await solid(8, 8, '#123456').png().toBuffer()

/** The same tests on the embedded PostgreSQL and on the one of TEST_DATABASE_URL. */
for (const { name: kind, skip } of TARGETS) {
  const external = kind === 'DATABASE_URL'
  let server: SharedServer
  let database: Database
  // The database of TEST_DATABASE_URL is dropped last, after every connection is closed.
  const cleanups: (() => Promise<void>)[] = []
  const as =
    (key: string) =>
    (fields = {}, file = image) =>
      caller({ url: server.url, key }).post('convert', { format: 'png', ...fields }, { image: file })

  before(async () => {
    if (skip) return
    const [, target] = TARGETS
    const foundValue = external
      ? await target.start({ after: (clean: unknown) => void cleanups.push(clean as () => Promise<void>) })
      : undefined
    server =
      foundValue && 'url' in foundValue
        ? await startServer({ RENDERERS: '1', DATABASE_URL: foundValue.url })
        : await shareServer()
    database = foundValue ? await openDatabase(foundValue, () => {}) : await openServerDatabase(server.dir)
  })
  after(async () => {
    if (skip) return
    await database.close()
    await server[Symbol.asyncDispose]()
    for (const clean of cleanups) await clean()
  })

  const headers = ['', 'Basic abc', 'Bearer', 'Bearer sk_short', `Bearer ${'sk_'.padEnd(52, 'a')}`, `bearer sk_${'!'.repeat(48)}`]
  for (const authorization of headers) {
    test(`${kind}: Authorization "${authorization}" is missing_or_invalid_api_key`, { skip }, async () => {
      const { status, error, headers } = await caller(server).post('convert', {}, { image }, { headers: { authorization } })
      assert.deepEqual([status, error?.statusMessage], [401, 'missing_or_invalid_api_key'])
      assert.equal(headers.get('www-authenticate'), 'Bearer')
      assert.equal(headers.get('x-request-id'), error?.requestId)
      assert.equal(error?.docs, '/docs/errors#missing_or_invalid_api_key')
    })
  }

  test(`${kind}: where a key is the password of a user, a refusal asks for that`, { skip }, async () => {
    const calls = ['POST /shrink', 'GET /output/abc.def', 'POST /output/abc.def'].map((call) => call.split(' '))
    const basic = `Basic ${Buffer.from(`api:${makeApiKey()}`).toString('base64')}`
    for (const [method = '', path] of calls) {
      for (const authorization of ['Bearer x', basic]) {
        const answer = await fetch(`${server.url}${path}`, { method, headers: { authorization } })
        assert.equal(answer.status, 401)
        assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="Pixelmill", charset="UTF-8"')
      }
    }
  })

  test(`${kind}: an unknown key, a revoked key and a disabled account are refused at once`, { skip }, async () => {
    assert.equal((await as(makeApiKey())()).error?.statusMessage, 'invalid_or_revoked_api_key')
    for (const [column, table, where] of [
      ['revoked_at', 'api_key', 'account_id'],
      ['disabled_at', 'account', 'id'],
    ] as const) {
      const { id, key } = await makeAccount(database, 'team')
      assert.equal((await as(key)()).status, 200)
      await database.pool.query(`update ${table} set ${column} = now() where ${where} = $1`, [id])
      assert.equal((await as(key)()).error?.statusMessage, 'invalid_or_revoked_api_key', table)
    }
  })

  for (const plan of ['free', 'pro'] as const) {
    test(`${kind}: the plan ${plan} has no API access`, { skip }, async () => {
      const { status, error } = await as((await makeAccount(database, plan)).key)()
      assert.deepEqual([status, error?.statusMessage], [401, 'api_access_not_available'])
    })
  }

  test(`${kind}: Team counts down from 50,000 and is refused at the end, failures cost nothing`, { skip }, async () => {
    const { id, key } = await makeAccount(database, 'team')
    const first = await as(key)()
    assert.deepEqual([first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')], ['50000', '49999'])
    assert.equal((await as(key)({}, Buffer.from('nothing'))).error?.statusMessage, 'invalid_image_type')
    assert.equal((await as(key)()).headers.get('x-ratelimit-remaining'), '49998')
    await database.pool.query('update usage_month set used = 49999 where account_id = $1', [id])
    assert.equal((await as(key)()).headers.get('x-ratelimit-remaining'), '0')
    const refusedAnswer = await as(key)()
    assert.deepEqual([refusedAnswer.status, refusedAnswer.error?.statusMessage], [429, 'monthly_limit_exceeded'])
    assert.ok(Number(refusedAnswer.headers.get('retry-after')) > 0)
  })

  test(`${kind}: eight credits buy eight of twenty concurrent calls, and the ledger adds up`, { skip }, async () => {
    const { id, key } = await makeAccount(database, 'free')
    await grant(database, id, 8)
    const answers = await Promise.all(Array.from({ length: 20 }, () => as(key)()))
    assert.equal(answers.filter(({ status }) => status === 200).length, 8)
    assert.equal(answers.filter(({ error }) => error?.statusMessage === 'insufficient_credits').length, 12)
    await grant(database, id, 1)
    await as(key)({}, Buffer.from('nothing'))
    const last = await as(key)()
    assert.deepEqual([last.headers.get('x-ratelimit-limit'), last.headers.get('x-ratelimit-remaining')], ['9', '0'])
    const { rows } = await database.pool.query('select sum(credits)::int as sum from credit_entry where account_id = $1', [id])
    assert.equal(rows[0].sum, 0)
  })
}
