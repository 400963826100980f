import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin } from '../../../../test/support/accounts.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { startOwnModel } from '../../../../test/support/own-model.ts'
import { raw } from '../../../../test/support/raw.ts'
import { serverOn } from '../../../../test/support/server-on.ts'
import { makeApiKey } from '../../../accounts/api-keys.ts'
import { routes } from '../../../routes.ts'

const model = await startOwnModel()
after(() => model[Symbol.asyncDispose]())
const settings = { AI_BASE_URL: model.url, AI_MODEL: 'own-model', EGRESS_ALLOW: '127.0.0.1', BURST_PER_MINUTE: '3' }
const { server, database } = await serverOn(TARGETS[0], { after }, settings)

const image = `data:image/png;base64,${(await solid(8, 8, '#123456').png().toBuffer()).toString('base64')}`
const userProvider = { baseUrl: model.url, model: 'mine', apiKey: 'sk-mine' }
const altText = (headers: Readonly<Record<string, string>>, more = {}) =>
  send(server.url, 'POST /v1/ai/alt-text', { headers, body: { images: [image], ...more } })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function person(plan: 'free' | 'pro') {
  const { id, key } = await makeAccount(database, plan)
  return { id, key, token: await makeLogin(database, id) }
}
const change = (sql: string, id: string) => database.pool.query(sql, [id])

async function revokedKey() {
  const { id, key } = await person('pro')
  await change('update api_key set revoked_at = now() where account_id = $1', id)
  return bearer(key)
}
async function disableCaller(which: 'key' | 'token') {
  const account = await person('pro')
  await change('update account set disabled_at = now() where id = $1', account.id)
  return bearer(account[which])
}
const session = async () => `session=${(await person('pro')).token}`

type Headers = Readonly<Record<string, string>>
const refusals: readonly (readonly [caller: string, headers: () => Headers | Promise<Headers>, status: number, error: string])[] =
  [
    ['an unknown key', () => bearer(makeApiKey()), 401, 'invalid_or_revoked_api_key'],
    ['a revoked key', revokedKey, 401, 'invalid_or_revoked_api_key'],
    ['a key of a disabled account', () => disableCaller('key'), 401, 'invalid_or_revoked_api_key'],
    ['an unknown login token', () => bearer(`at_${'a'.repeat(43)}`), 401, 'invalid_or_expired_login_token'],
    ['a login of a disabled account', () => disableCaller('token'), 401, 'invalid_or_expired_login_token'],
    ['a key of the plan Free', async () => bearer((await person('free')).key), 403, 'ai_access_denied'],
    ['a session without a page', async () => ({ cookie: await session() }), 403, 'forbidden'],
    [
      'a session on a page of another site',
      async () => ({ cookie: await session(), origin: 'http://evil.example' }),
      403,
      'forbidden',
    ],
  ]
for (const [caller, headersOf, status, error] of refusals) {
  for (const more of [{}, { userProvider }]) {
    test(`${caller}${'userProvider' in more ? ' with a model of their own' : ''}: ${status} ${error}`, async () => {
      const answer = await altText(await headersOf(), more)
      assert.deepEqual([answer.status, answer.error?.statusMessage], [status, error])
      assert.equal(answer.headers.get('www-authenticate'), status === 401 ? 'Bearer' : null)
    })
  }
}

/** Nothing that could be a credential: whether a key or a login is missing depends on the body. */
const without: Readonly<Record<string, Headers>> = {
  'no header': {},
  'a cookie of another program': { cookie: 'session=abc; theme=dark' },
  'an empty header': { authorization: '' },
  'another scheme': { authorization: 'Basic abc' },
  'a bearer token without a prefix': bearer('abc'),
  'a malformed key': bearer('sk_short'),
  'a malformed login token': bearer('at_short'),
}
const KEY_MISSING = [401, 'missing_or_invalid_api_key', 'Bearer']
const LOGIN_MISSING = [403, 'ai_access_denied', null]
const answerOf = ({ status, error, headers }: Awaited<ReturnType<typeof send>>) => [
  status,
  error?.statusMessage,
  headers.get('www-authenticate'),
]
for (const [what, headers] of Object.entries(without)) {
  test(`${what}: 401, and 403 with a model of the caller's own`, async () => {
    assert.deepEqual(answerOf(await altText(headers)), KEY_MISSING)
    for (const absent of [null, '', ' '])
      assert.deepEqual(answerOf(await altText(headers, { userProvider: absent })), KEY_MISSING)
    for (const own of [userProvider, {}, 'x', false])
      assert.deepEqual(answerOf(await altText(headers, { userProvider: own })), LOGIN_MISSING)
  })
}

for (const { method, path, admission } of routes.filter(({ admission }) => admission === 'ai' || admission === 'aiPlatform')) {
  const own = admission === 'ai' ? LOGIN_MISSING : KEY_MISSING
  test(`${method} ${path} without a credential: ${own[0]} with userProvider, else 401`, async () => {
    const ask = (body: unknown, headers = {}) => send(server.url, `${method} ${path}`, { body, headers })
    assert.deepEqual(answerOf(await ask({ userProvider })), own)
    for (const body of ['no JSON', '', '[]', 'null', '"userProvider"', {}])
      assert.deepEqual(answerOf(await ask(body)), KEY_MISSING)
    const asForm = await ask(JSON.stringify({ userProvider }), { 'content-type': 'text/plain' })
    assert.deepEqual(answerOf(asForm), KEY_MISSING)
  })
}

test('a body of 64 KiB is read to find out, a larger one is not', async () => {
  const bodyOf = (bytes: number) => {
    const start = JSON.stringify({ userProvider }).slice(0, -1)
    return `${start},"images":["${'A'.repeat(bytes - start.length - 15)}"]}`
  }
  assert.equal(bodyOf(65_536).length, 65_536)
  const ask = (body: string) => send(server.url, 'POST /v1/ai/alt-text', { body })
  assert.deepEqual(answerOf(await ask(bodyOf(65_536))), LOGIN_MISSING)
  assert.deepEqual(answerOf(await ask(bodyOf(65_537))), KEY_MISSING)
  // Without a length, as it comes.
  const chunkedBody = async (bytes: number) => {
    const body = new Blob([bodyOf(bytes)]).stream()
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } } as RequestInit
    const response = await fetch(`${server.url}/v1/ai/alt-text`, init)
    return response.status
  }
  assert.deepEqual([await chunkedBody(65_536), await chunkedBody(65_537)], [403, 401])
})

const HEAD = 'POST /v1/ai/alt-text HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'

test('a caller without credentials that announces a large body is refused before it is sent', async () => {
  const answer = await raw(server.url, [`${HEAD}content-length: 70000\r\nexpect: 100-continue\r\n\r\n`], { ms: 500 })
  assert.match(answer, /^HTTP\/1\.1 401 /)
})

test('a caller without credentials that waits with a small body is asked for it', async () => {
  const body = JSON.stringify({ userProvider })
  const head = `${HEAD}content-length: ${body.length}\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n`
  const answer = await raw(server.url, [head, body], { pauseMs: 200 })
  assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 403 /)
})

test('a login without a plan may use an own model, a key may not', async () => {
  const free = await person('free')
  const pro = await person('pro')
  const without = await altText(bearer(free.token))
  assert.deepEqual([without.status, without.error?.statusMessage], [403, 'ai_access_denied'])
  assert.equal((await altText(bearer(free.token), { userProvider })).status, 200)
  const byKey = await altText(bearer(pro.key), { userProvider })
  assert.deepEqual([byKey.status, byKey.error?.statusMessage], [403, 'ai_access_denied'])
  assert.equal((await altText(bearer(pro.key))).status, 200)
})

test('a session is a sign-in, on a page of our own', async () => {
  const answer = await altText({ cookie: await session(), origin: server.url })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
})

for (const by of ['key', 'token'] as const) {
  test(`three a minute by ${by}, also at once; the fourth is refused with Retry-After, and not listed`, async () => {
    const account = await person('pro')
    const answers = await Promise.all(Array.from({ length: 5 }, () => altText(bearer(account[by]))))
    const refusedAnswers = answers.filter(({ error }) => error?.statusMessage === 'rate_limited')
    assert.deepEqual([answers.filter(({ status }) => status === 200).length, refusedAnswers.length], [3, 2])
    for (const { status, headers } of refusedAnswers) {
      assert.deepEqual([status, headers.get('ratelimit-policy')], [429, '"burst";q=3;w=60'])
      const seconds = Number(headers.get('retry-after'))
      assert.ok(seconds >= 1 && seconds <= 60)
      assert.equal(headers.get('ratelimit'), `"burst";r=0;t=${seconds}`)
    }
    // The places of the key are not those of the account, and reading has others again.
    assert.equal((await altText(bearer(account[by === 'key' ? 'token' : 'key']))).status, 200)
    const usage = () => send<{ recent: object[] }>(server.url, 'GET /api/v2/usage', { token: account.token })
    assert.ok(await until(async () => (await usage()).body.recent.length === 4))
  })
}
