import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { VERSION } from '@pixelmill/engine/version'
import sharp from 'sharp'
import { grant, makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { saveSource, type TestSource } from '../../../test/support/delivery.ts'
import { send } from '../../../test/support/json-call.ts'
import { type Listener, listen } from '../../../test/support/listener.ts'
import { readMetric } from '../../../test/support/read-metric.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import type { Database } from '../../database/database.ts'

/** GET /i/{source}/{path} of a web server, and what it costs. */

const image = await photo(320, 240).jpeg().toBuffer()
type Answer = (response: ServerResponse, request: IncomingMessage) => void

const picture =
  (bytes: Buffer, etag = '"1"'): Answer =>
  (response, { headers }) =>
    headers['if-none-match'] === etag
      ? response.writeHead(304, { etag }).end()
      : response
          .writeHead(200, { etag, 'content-type': 'image/jpeg', 'last-modified': 'Tue, 24 Nov 2026 00:00:00 GMT' })
          .end(bytes)

/** What the origin answers, by path. */
const answers = new Map<string, Answer>()
const requests: string[] = []
const agents = new Set<string | undefined>()

let origin: Listener
let server: Server
let database: Database
let account: { readonly id: string; readonly token: string }
let web: TestSource
before(async () => {
  origin = await listen((request, response) => {
    requests.push(request.url ?? '')
    agents.add(request.headers['user-agent'])
    const answer = answers.get(request.url ?? '')
    if (answer) answer(response, request)
    else response.writeHead(404).end()
  })
  server = await startServer({ RENDERERS: '1', EGRESS_ALLOW: '127.0.0.1', DELIVERY_REFINE: 'off' })
  database = await openServerDatabase(server.dir)
  account = await member('team')
  web = await saveSource(server.url, account.token, 'web', { type: 'web', baseUrl: `${origin.url}/media` })
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
  await origin[Symbol.asyncDispose]()
})

async function member(plan: Parameters<typeof makeAccount>[1]) {
  const { id } = await makeAccount(database, plan)
  return { id, token: await makeLogin(database, id) }
}
const requestCount = (path: string) => requests.filter((url) => url === path).length
async function usedRemovals(id: string): Promise<{ calls: number; credits: number; reserved: number }> {
  const { rows } = await database.pool.query<{ calls: number; credits: number; reserved: number }>(
    `select coalesce((select sum(used) from usage_month where account_id = $1), 0)::int as calls, credits::int, reserved::int
       from account where id = $1`,
    [id],
  )
  return rows[0] ?? assert.fail()
}

test('a hundred requests at once: one request to the origin, one render, one call', async () => {
  answers.set('/media/many.jpg', (response) => setTimeout(() => picture(image)(response, response.req), 200))
  const renderedCount = async () => (await readMetric(server, 'render_seconds_count', { operation: 'recipe' })) ?? 0
  const before = await renderedCount()
  const { calls } = await usedRemovals(account.id)
  const all = await Promise.all(Array.from({ length: 100 }, () => web.get('many.jpg?w=50&f=webp')))
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
  assert.equal(all.filter(({ cache }) => cache === 'miss').length, 1)
  assert.equal(new Set(all.map(({ headers }) => headers.get('etag'))).size, 1)
  assert.equal(requestCount('/media/many.jpg'), 1)
  assert.equal((await renderedCount()) - before, 1)
  assert.equal((await usedRemovals(account.id)).calls - calls, 1)
  for (const [outcome, count] of [
    ['miss', 1],
    ['coalesced', 99],
  ] as const)
    assert.equal(await readMetric(server, 'delivery_answers_total', { outcome }), count)
})

test('without refinement a miss of auto has the usual effort at once', async () => {
  answers.set('/media/usual.jpg', picture(image))
  const get = (query: string) => web.get(`usual.jpg?w=200${query}`, { accept: 'image/avif' })
  const usual = await get('')
  assert.deepEqual((await get('&effort=balanced')).bytes, usual.bytes)
  assert.notDeepEqual((await get('&effort=fast')).bytes, usual.bytes)
})

test('the path is sent as it was decoded, and the query of the origin is ours', async () => {
  answers.set('/media/a%20b/%C3%A9%3Fx%3D1.jpg', picture(image))
  assert.equal((await web.get('a%20b/%c3%a9%3fx=1.jpg?w=9')).status, 200)
  assert.equal((await web.get('a%20b/%c3%a9%3fx=1.jpg?w=9')).headers.get('last-modified'), 'Tue, 24 Nov 2026 00:00:00 GMT')
})

test('its server is told who asks', () => {
  assert.deepEqual([...agents], [`Pixelmill/${VERSION}`])
})

test('what only the renderer knows is said in the words of the URL', async () => {
  answers.set('/media/small.png', picture(await solid(8, 8, '#ff0000').png().toBuffer()))
  const { error } = await web.get('small.png?f=same&vq=70')
  assert.deepEqual([error?.statusMessage, error?.issues?.[0]?.path], ['invalid_params', ['vq']])
  // auto keeps PNG for a client that names no newer format: it reaches every score.
  assert.equal((await web.get('small.png?vq=70')).headers.get('content-type'), 'image/png')
})

const redirectTo =
  (location: string): Answer =>
  (response) =>
    response.writeHead(302, { location }).end()

test('redirects are followed as often as the source says, each through the guard, and headers stay with the first server', async () => {
  const receivedHeaders: (readonly [string | undefined, string | undefined])[] = []
  const note = (request: IncomingMessage) => receivedHeaders.push([request.url, request.headers.authorization])
  await using elsewhere = await listen((request, response) => {
    note(request)
    if (request.url === '/back') redirectTo(`${origin.url}/media/private.jpg`)(response, request)
    else picture(image)(response, request)
  })
  answers.set('/media/private.jpg', (response, request) => {
    note(request)
    picture(image)(response, request)
  })
  answers.set('/media/to-own.jpg', redirectTo('private.jpg'))
  answers.set('/media/away.jpg', redirectTo(`${elsewhere.url}/there.jpg`))
  answers.set('/media/back.jpg', redirectTo(`${elsewhere.url}/back`))
  answers.set('/media/metadata.jpg', redirectTo('http://169.254.169.254/latest/meta-data/'))
  answers.set('/media/file.jpg', redirectTo('file:///etc/passwd'))
  for (const hop of [1, 2, 3, 4])
    answers.set(`/media/hop-${hop}.jpg`, redirectTo(hop === 1 ? 'private.jpg' : `hop-${hop - 1}.jpg`))
  const settings = {
    type: 'web',
    baseUrl: `${origin.url}/media`,
    redirects: 3,
    headers: { Authorization: 'Bearer origin-secret' },
  }
  const source = await saveSource(server.url, account.token, 'moving', settings)
  for (const path of ['to-own.jpg', 'away.jpg', 'back.jpg', 'hop-3.jpg'])
    assert.equal((await source.get(`${path}?w=20`)).status, 200)
  const own = ['/media/private.jpg', 'Bearer origin-secret']
  assert.deepEqual(receivedHeaders, [
    own,
    ['/there.jpg', undefined],
    ['/back', undefined],
    ['/media/private.jpg', undefined],
    own,
  ])
  for (const [path, says] of [
    ['hop-4.jpg', /redirects too often/],
    ['metadata.jpg', /no public address/],
    ['file.jpg', /complete URL/],
  ] as const) {
    const { error } = await source.get(`${path}?w=20`)
    assert.equal(error?.statusMessage, 'source_unavailable')
    assert.match(error?.message ?? '', says)
  }
})

test('the fallback of a source is sent for what is missing or broken, for a minute, and one image for all', async () => {
  answers.set('/media/none.png', picture(await solid(300, 200, '#00ff00').png().toBuffer(), '"none"'))
  answers.set('/media/cut.jpg', picture(image.subarray(0, 200)))
  const settings = { type: 'web', baseUrl: `${origin.url}/media`, fallback: 'none.png' }
  const source = await saveSource(server.url, account.token, 'with-fallback', settings)
  const { calls } = await usedRemovals(account.id)
  for (const [path, reason] of [
    ['not-there.jpg', 'source_image_not_found'],
    ['cut.jpg', 'invalid_image'],
    ['not-there-either.jpg', 'source_image_not_found'],
  ] as const) {
    const { status, headers, bytes } = await source.get(`${path}?w=60&f=png`)
    assert.deepEqual([status, headers.get('x-fallback')], [200, reason])
    assert.equal(headers.get('cache-control'), 'public, max-age=60')
    assert.equal((await sharp(bytes).metadata()).width, 60)
  }
  assert.equal((await usedRemovals(account.id)).calls - calls, 1)
  // It comes back as soon as the error is forgotten, and other faults are not hidden.
  assert.equal((await source.get('none.png?w=60&f=png')).headers.get('x-fallback'), null)
  assert.equal((await source.get('none.png?w=no')).error?.statusMessage, 'invalid_params')
  const faulty = await saveSource(server.url, account.token, 'no-fallback', { ...settings, fallback: 'not-there.jpg' })
  assert.equal((await faulty.get('cut.jpg?w=60')).error?.statusMessage, 'invalid_image')
})

test('a source that follows its origin keeps and says what Cache-Control says', async () => {
  let sentHeader = 'public, max-age=7, s-maxage=600'
  const path = '/media/followed.jpg'
  answers.set(path, (response, request) => {
    response.setHeader('cache-control', sentHeader)
    picture(image)(response, request)
  })
  const settings = { type: 'web', baseUrl: `${origin.url}/media`, cacheControl: 'follow' }
  const source = await saveSource(server.url, account.token, 'following', settings)
  const get = async () => {
    const { cache, headers } = await source.get('followed.jpg?w=30')
    return [cache, headers.get('cache-control'), requestCount(path)]
  }
  assert.deepEqual(await get(), ['miss', 'public, max-age=7, s-maxage=600', 1])
  assert.deepEqual(await get(), ['hit', 'public, max-age=7, s-maxage=600', 1])
  sentHeader = 'no-cache'
  await source.purge()
  assert.deepEqual(await get(), ['miss', 'public, max-age=0, must-revalidate', 2])
  assert.deepEqual(await get(), ['hit', 'public, max-age=0, must-revalidate', 3])
  // What must be asked for is not sent where it cannot be asked.
  const answer = answers.get(path) ?? assert.fail()
  answers.set(path, (response) => response.writeHead(503).end())
  assert.equal((await source.get('followed.jpg?w=30')).error?.statusMessage, 'source_unavailable')
  answers.set(path, answer)
  sentHeader = 'private, max-age=9'
  await source.purge()
  const other = async () => {
    const { cache, headers } = await source.get('followed.jpg?w=31')
    return [cache, headers.get('cache-control')]
  }
  assert.deepEqual([await other(), await other()], Array(2).fill(['miss', 'private, max-age=9']))
  sentHeader = 'no-store'
  assert.deepEqual(await other(), ['miss', 'no-store'])
})

test('an original of 14 MB', async () => {
  answers.set('/media/heavy.jpg', picture(Buffer.concat([image, Buffer.alloc(14 * 1024 * 1024)])))
  assert.equal((await web.get('heavy.jpg?w=10')).status, 200)
})

const faults: Readonly<Record<string, { readonly answer: Answer; readonly error: string; readonly says?: RegExp }>> = {
  missing: { answer: (response) => response.writeHead(404).end(), error: 'source_image_not_found' },
  gone: { answer: (response) => response.writeHead(410).end(), error: 'source_image_not_found' },
  redirects: {
    answer: (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    error: 'source_unavailable',
    says: /status 302/,
  },
  refuses: { answer: (response) => response.writeHead(403).end('no'), error: 'source_unavailable', says: /status 403/ },
  html: { answer: (response) => response.writeHead(200).end('<!doctype html><title>x</title>'), error: 'invalid_image_type' },
  nothing: { answer: (response) => response.writeHead(200).end(), error: 'invalid_image_type' },
  large: {
    answer: (response) => response.writeHead(200, { 'content-length': String(2 * 1024 ** 3) }).write(image),
    error: 'source_unavailable',
    says: /more than 15 MB/,
  },
  endless: {
    answer(response) {
      const block = Buffer.alloc(1024 * 1024)
      const more = () => void (response.destroyed || response.write(block, () => setImmediate(more)))
      more()
    },
    error: 'source_unavailable',
    says: /more than/,
  },
  'breaks off': {
    answer: (response) =>
      response.writeHead(200, { 'content-length': '9999' }).write(image.subarray(0, 99), () => response.destroy()),
    error: 'source_unavailable',
  },
  'is cut': { answer: (response) => response.writeHead(200).end(image.subarray(0, 200)), error: 'invalid_image' },
}
for (const [name, { answer, error, says = / / }] of Object.entries(faults))
  test(`an origin that ${name}: ${error}, asked once in a while, and free`, async () => {
    const path = `/media/${name.replace(' ', '-')}.jpg`
    answers.set(path, answer)
    const { calls } = await usedRemovals(account.id)
    for (const time of ['first', 'again']) {
      const got = await web.get(`${path.slice('/media/'.length)}?w=10`)
      assert.equal(got.error?.statusMessage, error, time)
      assert.match(got.error?.message ?? '', says)
    }
    assert.equal(requestCount(path), 1)
    assert.equal((await usedRemovals(account.id)).calls, calls)
  })

test('an original is asked for again after max-age: unchanged, changed, gone', async () => {
  const path = '/media/renewed.png'
  const red = await solid(8, 8, '#ff0000').png().toBuffer()
  answers.set(path, picture(red, '"red"'))
  const quick = await saveSource(server.url, account.token, 'quick', {
    type: 'web',
    baseUrl: `${origin.url}/media/`,
    maxAgeSeconds: 1,
  })
  const get = () => quick.get('renewed.png?f=png')
  const first = await get()
  const { calls } = await usedRemovals(account.id)
  const unchangedCount = async () => (await readMetric(server, 'delivery_revalidated_total', { outcome: 'unchanged' })) ?? 0
  assert.ok(await until(async () => (await get()).cache === 'stale'))
  assert.ok(await until(async () => (await unchangedCount()) > 0))
  assert.ok(await until(async () => (await get()).cache === 'hit'))
  assert.equal((await usedRemovals(account.id)).calls, calls)

  answers.set(path, picture(await solid(8, 8, '#00ff00').png().toBuffer(), '"green"'))
  assert.ok(await until(async () => (await get()).headers.get('etag') !== first.headers.get('etag')))
  const { data } = await sharp((await get()).bytes)
    .raw()
    .toBuffer({ resolveWithObject: true })
  assert.deepEqual([...data.subarray(0, 3)], [0, 255, 0])
  assert.equal((await usedRemovals(account.id)).calls, calls + 1)

  // While the origin is away, the old answer is sent.
  answers.set(path, (response) => response.writeHead(500).end())
  assert.ok(await until(async () => (await get()).cache === 'stale'))
  assert.ok(await until(async () => ((await readMetric(server, 'delivery_revalidated_total', { outcome: 'failed' })) ?? 0) > 0))
  assert.equal((await get()).cache, 'stale')

  await quick.purge()
  assert.equal((await get()).error?.statusMessage, 'source_unavailable')
})

test('what a miss costs, and what a hit does not', async () => {
  const payer = await member('free')
  const shop = await saveSource(server.url, payer.token, 'payer', { type: 'web', baseUrl: `${origin.url}/media` })
  answers.set('/media/paid.jpg', picture(image))
  const refusedAnswer = await shop.get('paid.jpg?w=11')
  assert.deepEqual([refusedAnswer.status, refusedAnswer.error?.statusMessage], [402, 'insufficient_credits'])
  assert.equal(requestCount('/media/paid.jpg'), 0)
  await grant(database, payer.id, 2)
  assert.equal((await shop.get('paid.jpg?w=11')).cache, 'miss')
  assert.equal((await shop.get('paid.jpg?w=12')).cache, 'miss')
  assert.deepEqual(await usedRemovals(payer.id), { calls: 0, credits: 0, reserved: 0 })
  const spentAnswer = await shop.get('paid.jpg?w=13')
  assert.equal(spentAnswer.error?.statusMessage, 'insufficient_credits')
  for (const header of ['x-credits-remaining', 'x-ratelimit-remaining']) assert.equal(spentAnswer.headers.get(header), null)
  for (const width of [11, 12]) assert.equal((await shop.get(`paid.jpg?w=${width}`)).cache, 'hit')
  const numbers = async () =>
    (await send<{ sources: { usage: object }[] }>(server.url, 'GET /api/user/sources', { token: payer.token })).body.sources[0]
      ?.usage
  assert.ok(await until(async () => JSON.stringify(await numbers()).includes('"hits":2,"misses":2')))
  const { rows } = await database.pool.query('select endpoint, status from usage_event where account_id = $1', [payer.id])
  assert.deepEqual(
    rows,
    Array.from({ length: 2 }, () => ({ endpoint: '/i/:source/*', status: 200 })),
  )
})

test('a month that is used up', async () => {
  const payer = await member('team')
  const month = await saveSource(server.url, payer.token, 'month', { type: 'web', baseUrl: `${origin.url}/media` })
  answers.set('/media/month.jpg', picture(image))
  assert.equal((await month.get('month.jpg?w=11')).status, 200)
  await database.pool.query('update usage_month set used = 1000000000 where account_id = $1', [payer.id])
  const over = await month.get('month.jpg?w=12')
  assert.deepEqual([over.status, over.error?.statusMessage], [429, 'monthly_limit_exceeded'])
  assert.ok(Number(over.headers.get('retry-after')) > 0)
  assert.equal((await month.get('month.jpg?w=11')).cache, 'hit')
})

test('a disabled account delivers nothing', async () => {
  const goneValue = await member('team')
  const source = await saveSource(server.url, goneValue.token, 'gone', { type: 'web', baseUrl: `${origin.url}/media` })
  answers.set('/media/gone.jpg', picture(image))
  await database.pool.query('update account set disabled_at = clock_timestamp() where id = $1', [goneValue.id])
  assert.equal((await source.get('gone.jpg?w=1')).error?.statusMessage, 'source_not_found')
})

test('sixty pictures of a page at once', async () => {
  for (let n = 0; n < 60; n++) answers.set(`/media/page-${n}.jpg`, picture(image))
  const all = await Promise.all(Array.from({ length: 60 }, (_, n) => web.get(`page-${n}.jpg?w=40&f=webp`)))
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
})

test('an origin that hangs: answered in time, and others go on meanwhile', async () => {
  answers.set('/media/hangs.jpg', () => {})
  answers.set('/media/quick.jpg', picture(image))
  const hanging = web.get('hangs.jpg?w=10')
  assert.equal((await web.get('quick.jpg?w=10')).status, 200)
  assert.equal((await hanging).error?.statusMessage, 'source_unavailable')
})
