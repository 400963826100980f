import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openServerDatabase } from '../../../../test/support/accounts.ts'
import { send } from '../../../../test/support/json-call.ts'
import { newAddress, type Person, type SignedIn } from '../../../../test/support/person.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import { addMember } from '../../../../test/support/shared-server-on.ts'
import type { Database } from '../../../database/database.ts'

/** What a browser and a proxy add to a request. */
type Headers = Readonly<Record<string, string>>

/** Those of guessing.test.ts, so that both share a server. */
const SETTINGS = { RENDERERS: '1', TRUSTED_PROXIES: 'loopback', SIGN_UPS_PER_HOUR: '3', DEFAULT_PLAN: 'team' } as const

let server: SharedServer
let database: Database
let url: string
let host: string
before(async () => {
  server = await shareServer(SETTINGS)
  database = await openServerDatabase(server.dir)
  url = server.url
  host = new URL(url).host
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

const signIn = ({ email, password }: Pick<Person, 'email' | 'password'>, headers: Headers) =>
  send<SignedIn>(url, 'POST /api/auth/sign-in', { body: { email, password }, headers })
const rename = (headers: Headers) => send(url, 'PATCH /api/user', { body: { name: 'Ada' }, headers })
const show = (headers: Headers) => send(url, 'GET /api/user', { headers })

test('a page of this server gets a cookie that scripts cannot read and other sites cannot send', async () => {
  const ada = await addMember(database)
  const { headers, body } = await signIn(ada, { origin: url })
  const [pair, ...flags] = headers.get('set-cookie')?.split('; ') ?? []
  assert.equal(pair, `session=${body.token}`)
  const expires = `Expires=${new Date(body.expiresAt).toUTCString()}`
  assert.deepEqual(flags.sort(), [expires, 'HttpOnly', 'Path=/', 'SameSite=Lax'])
  const byCookie = await show({ cookie: `theme=dark; session=${body.token}; x=y` })
  assert.deepEqual([byCookie.status, byCookie.body.email], [200, ada.email])
  const madeAnswer = await send(url, 'POST /api/auth/sign-up', {
    body: { email: newAddress(), password: 'correct horse' },
    headers: { origin: url, 'x-forwarded-for': '192.0.2.20' },
  })
  assert.match(madeAnswer.headers.get('set-cookie') ?? '', /^session=at_/)
})

test('behind a proxy with TLS the cookie is __Host- and Secure, and the cookie without the prefix is ignored', async () => {
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'images.example' }
  const ada = await addMember(database)
  const { headers, body } = await signIn(ada, { ...https, origin: 'https://images.example' })
  const [pair, ...flags] = headers.get('set-cookie')?.split('; ') ?? []
  assert.equal(pair, `__Host-session=${body.token}`)
  assert.ok(flags.includes('Secure') && flags.includes('Path=/') && flags.includes('HttpOnly'), String(flags))
  assert.ok(!flags.some((flag) => flag.startsWith('Domain')), String(flags))
  assert.equal((await show({ ...https, cookie: `__Host-session=${body.token}` })).status, 200)
  // Another host under the same domain could have set this one.
  assert.equal((await show({ ...https, cookie: `session=${body.token}` })).error?.statusMessage, 'missing_or_invalid_login_token')
})

test('each sign-in is a new token, whatever cookie came with it; sign-out ends the token and removes the cookie', async () => {
  const ada = await addMember(database)
  const first = await signIn(ada, { origin: url })
  const plantedText = `session=${first.body.token}`
  const second = await signIn(ada, { origin: url, cookie: plantedText })
  assert.notEqual(second.body.token, first.body.token)
  const cookie = `session=${second.body.token}`
  const out = await send(url, 'POST /api/auth/sign-out', { headers: { cookie, origin: url } })
  assert.deepEqual([out.status, out.body], [200, { signedOut: 1 }])
  assert.match(out.headers.get('set-cookie') ?? '', /^session=; .*Max-Age=0/)
  assert.equal((await show({ cookie })).error?.statusMessage, 'invalid_or_expired_login_token')
  assert.equal((await show({ cookie: plantedText })).status, 200, 'the other sign-in goes on')
})

/** What a browser says of where a request comes from, and whether a cookie may change something then. */
const origins: readonly (readonly [why: string, allowed: boolean, headers: () => Headers])[] = [
  ['its own page', true, () => ({ origin: url })],
  ['its own page, as it says of itself without Origin', true, () => ({ 'sec-fetch-site': 'same-origin' })],
  ['another site', false, () => ({ origin: 'https://evil.example' })],
  ['another port of this machine', false, () => ({ origin: 'http://127.0.0.1:1' })],
  ['a site whose name ends the same', false, () => ({ origin: `http://evil.${host}` })],
  ['a sandboxed frame or a file', false, () => ({ origin: 'null' })],
  ['an Origin that is none', false, () => ({ origin: 'images' })],
  ['an empty Origin', false, () => ({ origin: '' })],
  ['another site, without Origin', false, () => ({ 'sec-fetch-site': 'cross-site' })],
  ['another host under one domain, without Origin', false, () => ({ 'sec-fetch-site': 'same-site' })],
  ['a client that sends neither header', false, () => ({})],
  ['its own page behind a proxy', true, () => ({ origin: 'https://a.example', 'x-forwarded-host': 'a.example' })],
  ['its own page on the default port', true, () => ({ origin: 'https://a.example', 'x-forwarded-host': 'a.example:443' })],
  ['another site behind a proxy', false, () => ({ origin: 'https://b.example', 'x-forwarded-host': 'a.example' })],
]
for (const [why, isAllowed, headers] of origins) {
  test(`a cookie may ${isAllowed ? '' : 'not '}change something from ${why}`, async () => {
    const { token } = await addMember(database)
    const { status, error } = await rename({ ...headers(), cookie: `session=${token}` })
    assert.deepEqual([status, error?.statusMessage], isAllowed ? [200, undefined] : [403, 'forbidden'])
    assert.equal((await show({ ...headers(), cookie: `session=${token}` })).status, 200, 'reading changes nothing')
    assert.equal(
      (await rename({ ...headers(), authorization: `Bearer ${token}` })).status,
      200,
      'no browser adds a token by itself',
    )
  })
}

test('over TLS, a page that was loaded without it is another site', async () => {
  const { token } = await addMember(database)
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example', cookie: `__Host-session=${token}` }
  assert.equal((await rename({ ...https, origin: 'http://a.example' })).error?.statusMessage, 'forbidden')
  assert.equal((await rename({ ...https, origin: 'https://a.example' })).status, 200)
})

test('another site cannot sign its visitors in or up, and its attempts tell it nothing', async () => {
  const ada = await addMember(database)
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
    for (const call of ['POST /api/auth/sign-in', 'POST /api/auth/sign-up']) {
      const { email, password } = ada
      const answer = await send(url, call, { body: { email, password }, headers })
      assert.deepEqual([answer.status, answer.error?.statusMessage], [403, 'forbidden'])
      assert.equal(answer.headers.get('set-cookie'), null)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    }
  }
})

const missing: readonly (readonly [why: string, headers: Headers])[] = [
  ['nothing', {}],
  ['another scheme', { authorization: 'Basic YTpi' }],
  ['no token', { authorization: 'Bearer' }],
  ['a short token', { authorization: 'Bearer at_short' }],
  ['an API key', { authorization: `Bearer sk_${'a'.repeat(48)}` }],
  ['another cookie', { cookie: 'theme=dark' }],
  ['an empty cookie', { cookie: 'session=' }],
  ['a cookie of another program', { cookie: 'session=s%3Aabc.def' }],
]
for (const [why, headers] of missing) {
  test(`${why} is missing_or_invalid_login_token`, async () => {
    const answer = await show(headers)
    assert.deepEqual([answer.status, answer.error?.statusMessage], [401, 'missing_or_invalid_login_token'])
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  })
}

test('an unknown token is invalid_or_expired_login_token, and a header goes before a cookie', async () => {
  const { token } = await addMember(database)
  const unknownText = `at_${'a'.repeat(43)}`
  const headers = { authorization: `Bearer ${unknownText}`, cookie: `session=${token}` }
  assert.equal((await show(headers)).error?.statusMessage, 'invalid_or_expired_login_token')
  assert.equal((await show({ authorization: `bearer  ${token}` })).status, 200)
})

test('a refusal removes no cookie: a browser may have that of the next session by the time it arrives', async () => {
  const dead = `at_${'a'.repeat(43)}`
  for (const headers of [{ cookie: `session=${dead}` }, { 'x-forwarded-proto': 'https', cookie: `__Host-session=${dead}` }]) {
    const { status, headers: got } = await show(headers)
    assert.deepEqual([status, got.get('set-cookie')], [401, null])
  }
})
