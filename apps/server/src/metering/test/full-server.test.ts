import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { grant, makeAccount, makeLogin } from '../../../test/support/accounts.ts'
import { removeBackground } from '../../../test/support/background-call.ts'
import { askBlocking } from '../../../test/support/blocking-client.ts'
import { caller } from '../../../test/support/call.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { haltRenderers } from '../../../test/support/halted-renderers.ts'
import { raw } from '../../../test/support/raw.ts'
import { serverOn } from '../../../test/support/server-on.ts'
import { tableContents } from '../../../test/support/table-contents.ts'
import { hashApiKey, makeApiKey } from '../../accounts/api-keys.ts'
import type { Database } from '../../database/database.ts'
import { calls } from '../calls.ts'

const setUsed = ({ pool }: Database, id: string, usedCount: number) =>
  pool.query(`insert into usage_month values ($1, date_trunc('month', now() at time zone 'utc'), $2)`, [id, usedCount])

/** A key in each state that admission tells apart, by what it is answered. */
const states: Readonly<Record<string, (database: Database) => Promise<string>>> = {
  invalid_or_revoked_api_key: async () => makeApiKey(),
  api_access_not_available: async (database) => (await makeAccount(database, 'pro')).key,
  monthly_limit_exceeded: async (database) => {
    const { id, key } = await makeAccount(database, 'team')
    await setUsed(database, id, 50_000)
    return key
  },
  insufficient_credits: async (database) => {
    const { id, key } = await makeAccount(database, 'free')
    await grant(database, id, 1)
    await database.pool.query(`select add_credits($1, 'purchase_refund', -1, gen_random_uuid()::text)`, [id])
    return key
  },
  rate_limited: async (database) => {
    const { id, key } = await makeAccount(database, 'enterprise')
    await database.pool.query(
      `insert into request_window (caller, kind, account_id, hits)
       select id, 'work', account_id, array_fill(clock_timestamp() - interval '20 seconds', array[30]) from api_key where account_id = $1`,
      [id],
    )
    return key
  },
  'ok with a month': async (database) => (await makeAccount(database, 'team')).key,
  'ok without a limit': async (database) => (await makeAccount(database, 'enterprise')).key,
  'ok with credits': async (database) => {
    const { id, key } = await makeAccount(database, 'free')
    await grant(database, id, 2)
    return key
  },
}

// Before the first test is declared: a file whose tests have begun ends without the hooks of later lines.
const settings = { RENDERERS: '1', RENDER_QUEUE: '1', BURST_PER_MINUTE: '30' }
const { server, database } = await serverOn(TARGETS[0], { after }, settings)

onEachDatabase(({ kind, skip, database }) => {
  for (const [state, make] of Object.entries(states)) {
    test(`${kind}: a preview of a key has the verdict of its admission, and takes nothing: ${state}`, { skip }, async () => {
      const key = hashApiKey(await make(database()))
      const { admit, preview } = calls(database().pool, { burstPerMinute: 30, server: 1 })
      // When a key was used is written by either.
      await preview({ keyHash: key })
      const before = await tableContents(database())
      const previewedValue = await preview({ keyHash: key })
      assert.deepEqual(await tableContents(database()), before)
      const admittedValue = await admit({ keyHash: key })
      if (admittedValue.verdict === 'ok')
        assert.deepEqual(previewedValue, { verdict: 'ok', accountId: admittedValue.reservation.accountId })
      else {
        // A place of the burst limit is what admission has taken by then, and a second may have begun between the two.
        const toldRefusal = ({ verdict, accountId, keyId, allowance: { month, credits } }: typeof admittedValue) => ({
          verdict,
          accountId,
          keyId,
          month: month && { ...month, endsInSeconds: '≈' },
          credits,
        })
        const monthEnds = (answer: typeof admittedValue) => answer.allowance.month?.endsInSeconds ?? 0
        assert.ok(previewedValue.verdict !== 'ok')
        const passedCount = monthEnds(previewedValue) - monthEnds(admittedValue)
        assert.ok(passedCount >= 0 && passedCount < 60, `${passedCount} s between the two`)
        assert.deepEqual(toldRefusal(previewedValue), toldRefusal(admittedValue))
      }
      assert.equal(admittedValue.verdict, state.startsWith('ok') ? 'ok' : state)
    })
  }
})

const image = await photo(64, 48).jpeg().toBuffer()
/** More than a connection buffers. */
const large = Buffer.concat([image, randomBytes(8 * 1024 * 1024)])

describe('a full server', () => {
  const isFull = async () => ((await (await fetch(`${server.url}/readyz`)).json()) as { queue: boolean }).queue === false

  /** Fills the server with two calls of halted renderers while `work` runs. */
  async function whileFull(
    call: (signal: AbortSignal) => Promise<unknown>,
    isFull: () => Promise<boolean>,
    work: () => Promise<void>,
  ): Promise<void> {
    assert.equal((await post(server.key, image)).status, 200, 'its renderer has started')
    await using renderers = await haltRenderers(server.pid)
    assert.equal(renderers.count, 1)
    const leave = new AbortController()
    const calls = [1, 2].map(() => call(leave.signal).catch(() => undefined))
    try {
      assert.ok(await until(isFull))
      await work()
      assert.ok(await isFull(), 'it was full all the time')
    } finally {
      leave.abort()
      renderers.resume()
      await Promise.all(calls)
    }
  }

  const post = (key: string, bytes: Buffer, signal?: AbortSignal) =>
    caller({ url: server.url, key }).post('convert', { format: 'avif' }, { image: bytes }, signal ? { signal } : {})

  test('answers server_busy only to callers that admission would accept', async () => {
    const keys = await Promise.all(Object.entries(states).map(async ([state, make]) => [state, await make(database)] as const))
    await whileFull(
      (signal) => post(server.key, image, signal),
      isFull,
      async () => {
        for (const [state, key] of keys) {
          const { error } = await post(key, image)
          assert.equal(error?.statusMessage, state.startsWith('ok') ? 'server_busy' : state)
        }
      },
    )
  })

  test('answers before it reads the body, and reserves nothing', async () => {
    const { id, key } = await makeAccount(database, 'team')
    const head = (token: string, more = '') =>
      `POST /api/v1/convert?x=y HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 5000\r\n${more}\r\n`
    await whileFull(
      (signal) => post(key, image, signal),
      isFull,
      async () => {
        const answer = await raw(server.url, [head(key, 'x-request-id: mine-12345\r\n')], { ms: 1_500 })
        assert.match(answer, /^HTTP\/1\.1 503 server_busy\r\n/)
        for (const line of ['x-request-id: mine-12345', 'retry-after: 1', 'cache-control: no-store'])
          assert.ok(answer.includes(`\r\n${line}\r\n`), line)
        const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>
        assert.deepEqual(
          [body.statusMessage, body.requestId, body.docs],
          ['server_busy', 'mine-12345', '/docs/errors#server_busy'],
        )
        // A client that sends all before it reads, one that waits to be asked for its body, and a head that comes in pieces.
        assert.equal((await post(key, large)).error?.statusMessage, 'server_busy')
        const refusedExp = /^HTTP\/1\.1 503 server_busy\r\n/
        assert.match(await raw(server.url, [head(key, 'expect: 100-continue\r\n')]), refusedExp)
        assert.match(await raw(server.url, [head(key).slice(0, 40), head(key).slice(40)], { pauseMs: 50, ms: 1_500 }), refusedExp)
        // Clients that write 15 MB before they read.
        const body15 = Buffer.alloc(15 * 1024 * 1024)
        const begin = head(key, 'connection: close\r\n').replace('content-length: 5000', `content-length: ${body15.length}`)
        const blocking = await Promise.all([1, 2].map(() => askBlocking(server.url, [begin, body15])))
        for (const { text, error } of blocking) assert.deepEqual([refusedExp.test(text), error], [true, undefined])
        const unknownText = await raw(server.url, [head(makeApiKey())], { ms: 1_500 })
        assert.match(unknownText, /^HTTP\/1\.1 401 invalid_or_revoked_api_key\r\n/)
        assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
        const { rows } = await database.pool.query('select used from usage_month where account_id = $1', [id])
        assert.deepEqual(rows, [{ used: 2 }], 'only the two that wait have taken a call')
      },
    )
  })

  test('refuses removals of backgrounds too, by key and by login, and counts none', async () => {
    const { id, key } = await makeAccount(database, 'team')
    const refusal = async (token: string) => {
      const { error, headers } = await removeBackground(server.url, token, undefined)
      return { code: error?.statusMessage, retryAfter: headers.get('retry-after') }
    }
    const currentCount = async () =>
      (await database.pool.query('select used from background_month where account_id = $1', [id])).rows
    await whileFull(
      (signal) => removeBackground(server.url, server.key, image, {}, { signal }),
      // Each look is a call of another account, since those that come too early are counted.
      async () => (await refusal((await makeAccount(database, 'team')).key)).code === 'server_busy',
      async () => {
        const before = await currentCount()
        assert.deepEqual(await refusal(key), { code: 'server_busy', retryAfter: '1' })
        assert.deepEqual(await refusal(await makeLogin(database, id)), { code: 'server_busy', retryAfter: '1' })
        assert.equal((await refusal(makeApiKey())).code, 'invalid_or_revoked_api_key')
        assert.deepEqual(await currentCount(), before)
      },
    )
  })
})
