import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { grant, makeAccount, makeLogin } from '../../../test/support/accounts.ts'
import { startBatch, untilEnded, zipOf } from '../../../test/support/batch-call.ts'
import { caller } from '../../../test/support/call.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { newAddress } from '../../../test/support/person.ts'
import { sharedServerOn } from '../../../test/support/shared-server-on.ts'

const image = await solid(8, 8, '#123456').png().toBuffer()

interface Bytes {
  readonly inputBytes: number
  readonly outputBytes: number
  readonly savedBytes: number
}

interface Usage {
  readonly plan: string
  readonly period: { readonly start: string; readonly end: string }
  readonly calls: { readonly limit: number | null; readonly used: number; readonly remaining: number | null }
  readonly byEndpoint: readonly { readonly endpoint: string; readonly calls: number }[]
  readonly daily: readonly (Bytes & { readonly date: string; readonly calls: number })[]
  readonly bytes: Bytes
  readonly recent: readonly { readonly endpoint: string; readonly status: number; readonly statusMessage?: string }[]
}

const { server, database } = await sharedServerOn(TARGETS[0], { after }, { RENDERERS: '1', BURST_PER_MINUTE: '30' })

const get = (path: string, key: string) => fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
const usageOf = async (key: string, query = '') => (await (await get(`/api/v2/usage${query}`, key)).json()) as Usage
const isRecorded = (key: string, calls: number) => async () => (await usageOf(key, '?limit=100')).recent.length === calls

/** Two conversions, an optimization and a failure. */
async function someCalls(key: string): Promise<void> {
  const { post } = caller({ url: server.url, key })
  for (const operation of ['convert', 'optimize', 'convert']) await post(operation, {}, { image })
  // Those that are written apart have times that are apart by no less than the writing took.
  assert.ok(await until(isRecorded(key, 3)))
  await post('convert', {}, { image: Buffer.from('nothing') })
  assert.ok(await until(isRecorded(key, 4)))
}

test("Team: the month's calls, by endpoint and by day, and each of the latest", async () => {
  const { key } = await makeAccount(database, 'team')
  await someCalls(key)
  const { plan, period, calls, byEndpoint, daily, recent } = await usageOf(key)
  assert.deepEqual([plan, calls], ['team', { by: 'plan', limit: 50_000, used: 3, remaining: 49_997 }])
  assert.deepEqual(byEndpoint, [
    { endpoint: '/api/v1/convert', calls: 2 },
    { endpoint: '/api/v1/optimize', calls: 1 },
  ])
  const start = new Date(period.start)
  const end = new Date(period.end)
  assert.match(period.start, /-01T00:00:00\.000Z$/)
  assert.equal(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1), end.getTime())
  assert.equal(daily[0]?.date, period.start.slice(0, 10))
  assert.deepEqual([daily.length, daily.at(-1)?.calls], [new Date().getUTCDate(), 3])
  const [failedItem, convertedItem] = recent
  const { id, at, durationMs, ...rest } = failedItem as (typeof recent)[number] & { id: string; at: string; durationMs: number }
  assert.deepEqual(rest, {
    endpoint: '/api/v1/convert',
    status: 400,
    statusMessage: 'invalid_image_type',
    message: 'Send a JPEG, PNG, WebP, GIF, BMP, TIFF, HEIC, AVIF, JPEG XL, QOI or ICO image; the file is none of these.',
    key: 'test',
    inputBytes: 7,
    outputBytes: 0,
  })
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.ok(Math.abs(Date.now() - Date.parse(at)) < 60_000 && durationMs >= 0)
  const success = convertedItem as unknown as Record<string, number>
  assert.deepEqual([success.status, success.inputBytes, 'statusMessage' in success], [200, image.length, false])
  assert.ok((success.outputBytes ?? 0) > 0)
  assert.equal((await usageOf(key, '?limit=2')).recent.length, 2)
})

test('pay as you go: credits bought, used this month, and left; Enterprise: unlimited', async () => {
  const paying = await makeAccount(database, 'free')
  const enterprise = await makeAccount(database, 'enterprise')
  await grant(database, paying.id, 10)
  for (const { key } of [paying, enterprise]) await someCalls(key)
  assert.deepEqual((await usageOf(paying.key)).calls, { by: 'credits', limit: 10, used: 3, remaining: 7 })
  assert.deepEqual((await usageOf(enterprise.key)).calls, { by: 'plan', limit: null, used: 3, remaining: null })
})

test('a signed-in user reads the same without a key on any plan, with a reading limit of the account', async () => {
  const email = newAddress()
  const signedUp = await fetch(`${server.url}/api/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery' }),
  })
  const { token } = (await signedUp.json()) as { token: string }
  const answer = await get('/api/v2/usage', token)
  const { plan, calls } = (await answer.json()) as Usage
  assert.deepEqual([answer.status, plan, calls], [200, 'free', { by: 'trial', limit: 50, used: 0, remaining: 50 }])
  assert.equal(answer.headers.get('ratelimit-policy'), '"reading";q=600;w=60')
  const { rows } = await database.pool.query('select id, email from account where email = $1', [email])
  await grant(database, rows[0].id, 7)
  const credits = (await (await get('/api/v2/credits', token)).json()) as { balance: number }
  assert.equal(credits.balance, 7)
})

test('calls of a signed-in user count for their day and their endpoint', async () => {
  const { id } = await makeAccount(database, 'team')
  const token = await makeLogin(database, id)
  await someCalls(token)
  const { byEndpoint, daily, recent } = await usageOf(token)
  assert.deepEqual(
    byEndpoint.map(({ calls }) => calls),
    [2, 1],
  )
  assert.equal(daily.at(-1)?.calls, 3)
  assert.ok(recent.every((call) => !('key' in call)))
})

test('an account does not see the calls of another one', async () => {
  const one = await makeAccount(database, 'team')
  const other = await makeAccount(database, 'team')
  await someCalls(one.key)
  const { byEndpoint, recent, calls } = await usageOf(other.key)
  assert.deepEqual([byEndpoint, recent, calls.used], [[], [], 0])
})

for (const query of ['limit=0', 'limit=101', 'limit=-1', 'limit=2.5', 'limit=ten', 'limit=1e1', 'limit=1&limit=2']) {
  test(`?${query} is invalid_params`, async () => {
    const answer = await get(`/api/v2/usage?${query}`, server.key)
    const { statusMessage, issues } = (await answer.json()) as { statusMessage: string; issues: { path: string[] }[] }
    assert.deepEqual([answer.status, statusMessage, issues[0]?.path], [400, 'invalid_params', ['limit']])
  })
}

test('reading costs nothing, has a limit of its own, and needs the same key as calls', async () => {
  const { key } = await makeAccount(database, 'team')
  for (const path of ['/api/v2/usage', '/api/v2/credits']) {
    const answer = await get(path, key)
    assert.equal(answer.headers.get('ratelimit-policy'), '"reading";q=600;w=60')
    assert.match(answer.headers.get('ratelimit') ?? '', /^"reading";r=59[89];t=(59|60)$/)
    assert.equal(answer.headers.get('x-ratelimit-remaining'), null)
    assert.equal((await get(path, `sk_${'a'.repeat(48)}`)).status, 401)
    assert.equal((await get(path, (await makeAccount(database, 'free')).key)).status, 401)
  }
  assert.equal((await usageOf(key)).calls.used, 0)
})

test('a caller may read 600 times a minute, and no more', async () => {
  const { id, key } = await makeAccount(database, 'team')
  const reads = async (count: number) =>
    (await Promise.all(Array.from({ length: count }, () => get('/api/v2/credits', key)))).map(({ status }) => status)
  assert.deepEqual(await reads(1), [200])
  const read = `update request_window set hits = array_fill(clock_timestamp(), array[594]) where account_id = $1 and kind = 'read'`
  assert.equal((await database.pool.query(read, [id])).rowCount, 1)
  assert.deepEqual((await reads(10)).sort(), [...Array(6).fill(200), ...Array(4).fill(429)])
  // Reading has not used up the calls.
  assert.equal((await caller({ url: server.url, key }).post('convert', {}, { image })).status, 200)
})

test('credits: balance, what is reserved, what can be bought, and the ledger, newest first', async () => {
  const { id, key } = await makeAccount(database, 'free')
  await grant(database, id, 200)
  await someCalls(key)
  const { balance, reserved, packages, ledger } = (await (await get('/api/v2/credits', key)).json()) as {
    balance: number
    reserved: number
    packages: object[]
    ledger: { id: number; kind: string; credits: number; balance: number; at: string }[]
  }
  assert.deepEqual([balance, reserved], [197, 0])
  assert.deepEqual(packages[0], { id: 'starter', credits: 1_000, price: { amount: 900, currency: 'usd' } })
  assert.deepEqual(
    ledger.map((entry) => [entry.kind, entry.credits, entry.balance]),
    [
      ['call', -1, 197],
      ['call', -1, 198],
      ['call', -1, 199],
      ['grant', 200, 200],
    ],
  )
  assert.ok(ledger.every((entry) => Number.isInteger(entry.id) && !Number.isNaN(Date.parse(entry.at))))
  const nothing = await makeAccount(database, 'team')
  const none = (await (await get('/api/v2/credits', nothing.key)).json()) as { balance: number; ledger: object[] }
  assert.deepEqual([none.balance, none.ledger], [0, []])
})

test('bytes sent, answered and saved, in total and by day, count calls and batches, but neither failures nor removed backgrounds', async () => {
  const { id, key } = await makeAccount(database, 'team')
  const { post } = caller({ url: server.url, key })
  const large = await photo(400, 300).png().toBuffer()
  const answers = [
    await post('convert', { format: 'jpeg' }, { image: large }),
    await post('convert', { format: 'png' }, { image }),
  ]
  await post('convert', {}, { image: large.subarray(0, 500) })
  const { batch } = await startBatch({ url: server.url, key }, zipOf({ 'a.png': large }), { format: 'webp' })
  await untilEnded({ url: server.url, key }, batch.id)
  await database.pool.query(
    `insert into usage_day (account_id, day, endpoint, calls, input_bytes, output_bytes)
     values ($1, (now() at time zone 'utc')::date, '/api/background-remove', 1, 1000, 9000)`,
    [id],
  )
  assert.ok(await until(async () => (await usageOf(key)).recent.length === 4))
  const { rows } = await database.pool.query<{ bytes: number }>(
    'select output_bytes as bytes from batch_item where batch_id = $1',
    [batch.id],
  )
  const inputBytes = large.length + image.length + large.length
  const outputBytes = answers.reduce((sum, { bytes }) => sum + bytes.length, rows[0]?.bytes ?? 0)
  const expected = { inputBytes, outputBytes, savedBytes: inputBytes - outputBytes }
  const { bytes, daily } = await usageOf(key)
  assert.deepEqual(bytes, expected)
  assert.ok(bytes.savedBytes > 0)
  const { date, calls, ...today } = daily.at(-1) ?? assert.fail()
  assert.deepEqual([calls, today], [4, expected])
  assert.deepEqual(
    daily.slice(0, -1).filter(({ savedBytes }) => savedBytes !== 0),
    [],
  )
})
