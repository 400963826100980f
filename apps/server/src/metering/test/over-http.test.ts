import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import sharp from 'sharp'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { caller } from '../../../test/support/call.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { haltRenderers } from '../../../test/support/halted-renderers.ts'
import { BOUNDARY, multipart } from '../../../test/support/multipart.ts'
import { sharedServerOn } from '../../../test/support/shared-server-on.ts'
import { hashApiKey } from '../../accounts/api-keys.ts'

const image = await solid(8, 8, '#123456').png().toBuffer()

const { server, database } = await sharedServerOn(TARGETS[0], { after }, { RENDERERS: '1', BURST_PER_MINUTE: '30' })

const as = (key: string) => (bytes: Buffer, format: string) =>
  caller({ url: server.url, key }).post('convert', { format }, { image: bytes })
const isReserved = (account: string) => () => accountTotals(database, account).then(({ open }) => open === 1)

test('300 calls of 30 clients: 30 a minute succeed, or what the month has left, or what the credits pay', async () => {
  const team = await makeAccount(database, 'team')
  const paying = await makeAccount(database, 'free')
  const busy = await makeAccount(database, 'enterprise')
  await database.pool.query(`insert into usage_month values ($1, date_trunc('month', now() at time zone 'utc'), 49980)`, [
    team.id,
  ])
  await grant(database, paying.id, 12)
  const callers = [team, paying, busy].map(({ key }) => as(key))
  const succeededNumbers = [0, 0, 0]
  const statuses = new Set<number>()
  let next = 0
  const worker = async () => {
    for (let n = next++; n < 300; n = next++) {
      const { status } = (await callers[n % 3]?.(image, 'png')) ?? assert.fail()
      statuses.add(status)
      if (status === 200) succeededNumbers[n % 3] = (succeededNumbers[n % 3] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 30 }, worker))
  assert.deepEqual(succeededNumbers, [20, 12, 30])
  assert.deepEqual([...statuses].sort(), [200, 402, 429])
  assert.deepEqual(await accountTotals(database, team.id), { credits: 0, reserved: 0, booked: 0, open: 0, used: 50_000 })
  assert.deepEqual(await accountTotals(database, paying.id), { credits: 0, reserved: 0, booked: 0, open: 0, used: 0 })
  assert.deepEqual(await accountTotals(database, busy.id), { credits: 0, reserved: 0, booked: 0, open: 0, used: 30 })
})

const names = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-credits-remaining',
  'ratelimit-policy',
  'ratelimit',
  'retry-after',
]
/** The headers of metering, with every number of seconds that depends on the time of day as 0. */
const headersOf = (headers: Headers) =>
  names.flatMap((name) => headers.get(name)?.replaceAll(/(month";r=\d+;t|month";q=\d+;w)=\d+/g, '$1=0') ?? '-')

test('Team: every answer has the month and the burst limit in its headers, errors too', async () => {
  const post = as((await makeAccount(database, 'team')).key)
  const policy = '"burst";q=30;w=60, "month";q=50000;w=0'
  const { headers } = await post(image, 'png')
  assert.deepEqual(headersOf(headers), ['50000', '49999', '-', policy, '"burst";r=29;t=60, "month";r=49999;t=0', '-'])
  const length = Number(/month";q=50000;w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1])
  const left = Number(/month";r=49999;t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  assert.ok(length >= 28 * 86_400 && length <= 31 * 86_400 && left <= length)
  // The call was given back by then: it is not missing from what is left.
  const failedAnswer = await post(Buffer.from('nothing'), 'png')
  assert.equal(failedAnswer.status, 400)
  const burst = /^"burst";r=28;t=(59|60), "month";r=49999;t=0$/
  assert.deepEqual(headersOf(failedAnswer.headers).slice(0, 4), ['50000', '49999', '-', policy])
  assert.match(headersOf(failedAnswer.headers)[4] ?? '', burst)
})

test('Enterprise: without a monthly limit there is no policy of one', async () => {
  const { headers } = await as((await makeAccount(database, 'enterprise')).key)(image, 'png')
  assert.deepEqual(headersOf(headers), ['unlimited', 'unlimited', '-', '"burst";q=30;w=60', '"burst";r=29;t=60', '-'])
})

test('pay as you go: the headers have the credits bought and left, until there are none', async () => {
  const { id, key } = await makeAccount(database, 'free')
  await grant(database, id, 1)
  const burst = '"burst";q=30;w=60'
  assert.deepEqual(headersOf((await as(key)(image, 'png')).headers), ['1', '0', '0', burst, '"burst";r=29;t=60', '-'])
  const refusedAnswer = await as(key)(image, 'png')
  assert.equal(refusedAnswer.error?.statusMessage, 'insufficient_credits')
  assert.deepEqual(headersOf(refusedAnswer.headers).slice(0, 3), ['1', '0', '0'])
})

test('a refusal for lack of credits says whether they are used up or held by calls under way', async () => {
  const { id, key } = await makeAccount(database, 'free')
  await grant(database, id, 3)
  const reserve = `insert into reservation (id, account_id, meter, cost) values (gen_random_uuid(), $1, 'call', 3) returning id`
  const { rows } = await database.pool.query<{ id: string }>(reserve, [id])
  await database.pool.query('update account set reserved = 3 where id = $1', [id])
  const heldAnswer = await as(key)(image, 'png')
  assert.deepEqual(
    [heldAnswer.status, heldAnswer.error?.message],
    [402, 'Calls in progress hold the last API credits (3); wait for them, or buy more.'],
  )
  await database.pool.query('select charge_call($1, gen_random_uuid()::text, 3)', [rows[0]?.id])
  const spentAnswer = await as(key)(image, 'png')
  assert.deepEqual([spentAnswer.status, spentAnswer.error?.message], [402, 'No API credits are left; buy more to continue.'])
})

test('refused by the burst limit or the month: Retry-After is what RateLimit says', async () => {
  const { id, key } = await makeAccount(database, 'team')
  await database.pool.query(`insert into usage_month values ($1, date_trunc('month', now() at time zone 'utc'), 50000)`, [id])
  const refusedAnswer = await as(key)(image, 'png')
  assert.deepEqual([refusedAnswer.status, refusedAnswer.error?.statusMessage], [429, 'monthly_limit_exceeded'])
  assert.deepEqual(headersOf(refusedAnswer.headers).slice(0, 3), ['50000', '0', '-'])
  const monthEnds = /"month";r=0;t=(\d+)/.exec(refusedAnswer.headers.get('ratelimit') ?? '')?.[1]
  assert.equal(refusedAnswer.headers.get('retry-after'), monthEnds)
  await Promise.all(Array.from({ length: 30 }, () => as(key)(image, 'png')))
  const hammering = await as(key)(image, 'png')
  assert.equal(hammering.error?.statusMessage, 'rate_limited')
  const wait = hammering.headers.get('retry-after')
  assert.deepEqual(headersOf(hammering.headers), ['-', '-', '-', '"burst";q=30;w=60', `"burst";r=0;t=${wait}`, wait])
})

test('a call with an unknown key gets no limits in its headers', async () => {
  const { headers, status } = await as(`sk_${'a'.repeat(48)}`)(image, 'png')
  assert.deepEqual([status, headersOf(headers)], [401, Array(6).fill('-')])
})

test('a call whose key is revoked meanwhile is finished and charged, and the next one is refused', async () => {
  const { id, key } = await makeAccount(database, 'free')
  await grant(database, id, 5)
  await using renderers = await haltRenderers(server.pid)
  const running = as(key)(image, 'avif')
  assert.ok(await until(isReserved(id)))
  assert.deepEqual(await accountTotals(database, id), { credits: 5, reserved: 1, booked: 5, open: 1, used: 0 })
  await database.pool.query('update api_key set revoked_at = now() where hash = $1', [hashApiKey(key)])
  assert.equal((await as(key)(image, 'png')).error?.statusMessage, 'invalid_or_revoked_api_key')
  renderers.resume()
  assert.equal((await running).status, 200)
  assert.deepEqual(await accountTotals(database, id), { credits: 4, reserved: 0, booked: 4, open: 0, used: 0 })
})

test('a call whose reservation was voided meanwhile gets internal_error instead of its result', async () => {
  const { id, key } = await makeAccount(database, 'team')
  await using renderers = await haltRenderers(server.pid)
  const running = as(key)(image, 'avif')
  assert.ok(await until(isReserved(id)))
  await database.pool.query('select void_reservation(id) from reservation where account_id = $1', [id])
  renderers.resume()
  const { status, error, headers } = await running
  assert.deepEqual([status, error?.statusMessage, headers.get('x-ratelimit-remaining')], [500, 'internal_error', '50000'])
  assert.deepEqual(await accountTotals(database, id), { credits: 0, reserved: 0, booked: 0, open: 0, used: 0 })
})

/** Noise does not shrink: its PNG is more than a connection's buffers hold. */
async function noise(): Promise<Buffer> {
  const create = { width: 2000, height: 1600, channels: 3, background: '#777', noise: { type: 'gaussian', mean: 128, sigma: 90 } }
  return sharp({ create } as never)
    .jpeg({ quality: 80 })
    .toBuffer()
}

test('a client that disconnects in the middle of its answer gets its credit back, with an entry in the ledger', async () => {
  const { id, key } = await makeAccount(database, 'free')
  await grant(database, id, 5)
  const body = multipart([
    { name: 'format', content: Buffer.from('png') },
    { name: 'image', file: 'a.jpg', content: await noise() },
  ])
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
  socket.pause()
  socket.write(
    `POST /api/v1/convert HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body)
  assert.ok(await until(async () => (await accountTotals(database, id)).credits === 4, 30_000), 'it was charged')
  socket.resetAndDestroy()
  assert.ok(await until(async () => (await accountTotals(database, id)).credits === 5), 'it was refunded')
  const { rows } = await database.pool.query('select kind, balance from credit_entry where account_id = $1 order by id', [id])
  assert.deepEqual(rows, [
    { kind: 'grant', balance: 5 },
    { kind: 'call', balance: 4 },
    { kind: 'refund', balance: 5 },
  ])
  const events = await database.pool.query('select from usage_event where account_id = $1', [id])
  assert.equal(events.rowCount, 0)
})
