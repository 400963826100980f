import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { caller } from '../../../test/support/call.ts'
import { type JsonAnswer, send } from '../../../test/support/json-call.ts'
import { newAddress, signUp } from '../../../test/support/person.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import { addMember } from '../../../test/support/shared-server-on.ts'
import type { ManagedAccount } from '../../accounts/account.ts'
import type { AuditPage } from '../../accounts/audit.ts'
import type { Grant } from '../../accounts/grant-credits.ts'
import type { AccountsPage } from '../../accounts/manage-accounts.ts'
import type { PlanName } from '../../contract/plans.ts'
import type { Database } from '../../database/database.ts'
import { routes } from '../../routes.ts'

let server: SharedServer
let database: Database
let administrator: { readonly id: string; readonly token: string }
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  const { user, token } = await addMember(database)
  await database.pool.query(`update account set role = 'admin' where id = $1`, [user.id])
  administrator = { id: user.id, token }
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

const as =
  (token?: string) =>
  <Body = Record<string, unknown>>(route: string, body?: unknown) =>
    send<Body>(server.url, route, { body, ...(token !== undefined && { token }) })
const admin = <Body>(route: string, body?: unknown) => as(administrator.token)<Body>(route, body)
const change = (id: string, body: unknown) => admin<ManagedAccount>(`PATCH /api/admin/users/${id}`, body)
const grant = (id: string, body: unknown) => admin<Grant>(`POST /api/admin/users/${id}/credits`, body)
const log = async (id: string) => (await admin<AuditPage>(`GET /api/admin/audit?account=${id}`)).body.data
const isError = ({ status, error }: JsonAnswer<unknown>, expected: number, identifier: string, what = '') =>
  assert.deepEqual([status, error?.statusMessage], [expected, identifier], what)

async function person(plan: PlanName = 'free') {
  const { id, key } = await makeAccount(database, plan)
  return { id, key, token: await makeLogin(database, id) }
}

const image = await solid(8, 8, '#123456').png().toBuffer()
const convert = async (key: string) => {
  const { status, error } = await caller({ url: server.url, key }).post('convert', { format: 'png' }, { image })
  return error?.statusMessage ?? status
}

for (const route of routes.filter(({ admission }) => admission === 'admin')) {
  test(`${route.method} ${route.path} is for administrators, signed in`, async () => {
    const { id, key, token } = await person('enterprise')
    const path = route.path.replace(':id', id)
    const fields = { role: 'admin', plan: 'free', credits: 5, note: 'for me', email: newAddress(), password: 'correct horse' }
    const body = route.json ? fields : undefined
    isError(await as(token)(`${route.method} ${path}`, body), 403, 'forbidden', 'a user')
    isError(await as()(`${route.method} ${path}`, body), 401, 'missing_or_invalid_login_token', 'no credential')
    isError(await as(key)(`${route.method} ${path}`, body), 401, 'missing_or_invalid_login_token', 'an API key')
    isError(
      await as(server.key)(`${route.method} ${path}`, body),
      401,
      'missing_or_invalid_login_token',
      "the administrator's key",
    )
    assert.deepEqual(await log(id), [])
    const { rows } = await database.pool.query('select role, plan, credits from account where id = $1', [id])
    assert.deepEqual(rows[0], { role: 'user', plan: 'enterprise', credits: 0 })
  })
}

test('a plan counts from the next call on, in both directions', async () => {
  const { id, key } = await person()
  assert.equal(await convert(key), 'api_access_not_available')
  const { status, body } = await change(id, { plan: 'team' })
  assert.deepEqual([status, body.plan], [200, 'team'])
  assert.equal(await convert(key), 200)
  await change(id, { plan: 'pro' })
  assert.equal(await convert(key), 'api_access_not_available')
  const [second, first] = await log(id)
  assert.deepEqual([first?.action, first?.details], ['plan_changed', { from: 'free', to: 'team' }])
  assert.deepEqual([second?.actor?.id, second?.account.id, second?.address], [administrator.id, id, '127.0.0.1'])
  assert.match(second?.requestId ?? '', /^req_/)
})

test('the answer for one account has its limits, what is used of them, and its keys by name', async () => {
  const { id, key, token } = await person('team')
  await grant(id, { credits: 9, note: 'welcome' })
  assert.equal(await convert(key), 200)
  const { status, body } = await admin<Record<string, unknown> & { keys: object[]; sessions: number }>(
    `GET /api/admin/users/${id}`,
  )
  assert.equal(status, 200)
  const { plan, credits, reservedCredits, disabled, disabledAt, calls, batches, background } = body
  assert.deepEqual(
    { plan, credits, reservedCredits, disabled, disabledAt },
    {
      plan: 'team',
      credits: 9,
      reservedCredits: 0,
      disabled: false,
      disabledAt: null,
    },
  )
  assert.deepEqual(calls, { by: 'plan', limit: 50_000, used: 1, remaining: 49_999 })
  assert.deepEqual(batches, { running: 0, imagesWaiting: 0 })
  assert.equal((background as { limit: number }).limit, 5_000)
  assert.equal(body.sessions, 1)
  assert.deepEqual(
    body.keys.map((each) => Object.keys(each).sort()),
    [['createdAt', 'id', 'lastFour', 'lastUsedAt', 'name', 'prefix', 'scopes']],
  )
  assert.ok(!JSON.stringify(body).includes(key) && !JSON.stringify(body).includes(token))
  await change(id, { disabled: true })
  const { body: after } = await admin<{ disabledAt: string; sessions: number }>(`GET /api/admin/users/${id}`)
  assert.deepEqual([after.sessions, Number.isNaN(Date.parse(after.disabledAt))], [0, false])
  for (const unknownText of [randomUUID(), 'unknown', '..%2f'])
    isError(await admin(`GET /api/admin/users/${unknownText}`), 404, 'not_found', unknownText)
})

test('credits open the API to a plan without it, one for each call', async () => {
  const { id, key } = await person()
  const { status, body } = await grant(id, { credits: 2, note: '  welcome ' })
  assert.deepEqual([status, body.credits, body.balance, body.note], [201, 2, 2, 'welcome'])
  assert.deepEqual([await convert(key), await convert(key), await convert(key)], [200, 200, 'insufficient_credits'])
  assert.equal((await grant(id, { credits: 1_000_000_000, note: 'a lot' })).body.balance, 1_000_000_000)
  const [entry] = await log(id)
  assert.deepEqual(entry?.details, { credits: 1_000_000_000, balance: 1_000_000_000, note: 'a lot' })
})

test('a grant that is sent again with its Idempotency-Key is made once', async () => {
  const { id } = await person()
  const again = () =>
    send<Grant>(server.url, `POST /api/admin/users/${id}/credits`, {
      token: administrator.token,
      body: { credits: 5, note: 'once' },
      headers: { 'idempotency-key': `grant for ${id}` },
    })
  const first = await again()
  const second = await again()
  assert.deepEqual([first.status, second.status, second.body], [201, 201, first.body])
  assert.equal((await log(id)).length, 1)
  assert.equal((await grant(id, { credits: 5, note: 'once' })).body.balance, 10, 'without the key it is another')
})

test('a grant whose first answer was never kept is not made again under its Idempotency-Key', async () => {
  const { id } = await person()
  const give = (credits: number) =>
    send<Grant>(server.url, `POST /api/admin/users/${id}/credits`, {
      token: administrator.token,
      body: { credits, note: 'once' },
      headers: { 'idempotency-key': `lost answer for ${id}` },
    })
  const first = await give(5)
  // As if the server had died between the grant and the keeping of its answer.
  const forget = () => database.pool.query('delete from idempotent_request where key = $1', [`lost answer for ${id}`])
  await forget()
  const second = await give(5)
  assert.deepEqual([second.status, second.body], [201, first.body])
  await forget()
  isError(await give(6), 409, 'idempotency_key_reused')
  const { rows } = await database.pool.query('select credits from account where id = $1', [id])
  assert.deepEqual([rows[0].credits, (await log(id)).length], [5, 1])
})

for (const credits of [0, -1, -0.5, 1.5, 1_000_000_001, 2 ** 53, '5', null, [1], undefined]) {
  test(`${JSON.stringify(credits)} credits cannot be granted`, async () => {
    const { id } = await person()
    isError(await grant(id, { credits, note: 'x' }), 400, 'invalid_params')
    assert.deepEqual(await log(id), [])
  })
}

for (const note of ['', '   ', 'x'.repeat(501), 'a\0b', 7, null]) {
  test(`${JSON.stringify(note).slice(0, 20)} is refused as a note`, async () => {
    const { id } = await person()
    const answer = await grant(id, { credits: 1, note })
    isError(answer, 400, 'invalid_params')
    assert.deepEqual(
      answer.error?.issues?.map(({ path }) => path),
      [['note']],
    )
  })
}

test('a disabled account is refused at once, by key and token; its key is accepted again when it is enabled', async () => {
  const { id, key, token } = await person('team')
  assert.equal((await change(id, { disabled: true })).body.disabled, true)
  assert.equal(await convert(key), 'invalid_or_revoked_api_key')
  isError(await as(token)('GET /api/admin/users'), 401, 'invalid_or_expired_login_token')
  assert.equal((await change(id, { disabled: false })).body.disabled, false)
  assert.equal(await convert(key), 200)
  isError(await as(token)('GET /api/admin/users'), 401, 'invalid_or_expired_login_token', 'a session stays ended')
})

test('a password set by an administrator opens the account and ends its sessions', async () => {
  const { id, key, token } = await person('team')
  const { email } = (await as(token)('GET /api/user')).body
  const password = 'to be changed soon'
  assert.equal((await change(id, { password })).status, 200)
  isError(await as(token)('GET /api/user'), 401, 'invalid_or_expired_login_token')
  assert.equal((await as()('POST /api/auth/sign-in', { email, password })).status, 200)
  assert.equal(await convert(key), 200)
  const [entry] = await log(id)
  assert.deepEqual([entry?.action, entry?.details], ['password_set', { tokensRevoked: 1 }])
  assert.doesNotMatch(JSON.stringify(entry), /to be changed soon|argon2/)
})

test('an administrator has the rights from the promotion to the demotion', async () => {
  const { id, token } = await person()
  await change(id, { role: 'admin' })
  assert.equal((await as(token)('GET /api/admin/users')).status, 200)
  assert.equal((await as(token)(`PATCH /api/admin/users/${id}`, { role: 'user' })).body.role, 'user')
  isError(await as(token)('GET /api/admin/users'), 403, 'forbidden')
})

for (const body of [{}, { credits: 5 }, { plan: undefined }]) {
  test(`${JSON.stringify(body)} is refused as a change`, async () => {
    const { id } = await person()
    isError(await change(id, body), 400, 'invalid_params')
  })
}

for (const [field, value] of [
  ['plan', 'gold'],
  ['plan', 'Team'],
  ['plan', 'toString'],
  ['role', 'root'],
  ['disabled', 'true'],
  ['disabled', 1],
  ['password', '1234567'],
  ['password', 'x'.repeat(2_000)],
] as const) {
  test(`${field} cannot be ${JSON.stringify(value).slice(0, 20)}`, async () => {
    const { id } = await person()
    const answer = await change(id, { [field]: value })
    isError(answer, 400, 'invalid_params')
    assert.deepEqual(
      answer.error?.issues?.map(({ path }) => path),
      [[field]],
    )
    assert.deepEqual(await log(id), [])
  })
}

test('a field that a route does not have is refused by its name, however deep, and whatever it is called', async () => {
  const { id } = await person()
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  const body = `{"plan": "pro", "id": "x", "credits": 5, "deep": ${deep}, "__proto__": {"role": "admin"}, "constructor": {"role": "admin"}}`
  const answer = await change(id, body)
  isError(answer, 400, 'invalid_params')
  const namedTexts = answer.error?.issues?.map(({ path, code }) => [path[0], code])
  const names = ['id', 'credits', 'deep', '__proto__', 'constructor']
  assert.deepEqual(
    namedTexts,
    names.map((name) => [name, 'unrecognized_keys']),
  )
  const { plan, role, credits } = (await change(id, { disabled: false })).body
  assert.deepEqual([plan, role, credits], ['free', 'user', 0])
})

test('of a name that comes twice the last counts, as JSON.parse has it, and a byte order mark is passed over', async () => {
  const { id } = await person()
  const response = await fetch(`${server.url}/api/admin/users/${id}`, {
    method: 'PATCH',
    // RFC 8259 §8.1 lets a reader pass over the byte order mark.
    body: '\uFEFF{"plan": "enterprise", "plan": "pro"}',
    headers: { 'content-type': 'Application/JSON; charset="UTF-8"', authorization: `Bearer ${administrator.token}` },
  })
  assert.equal(((await response.json()) as { plan: string }).plan, 'pro')
})

for (const id of [randomUUID(), 'x', '1', '00000000-0000-0000-0000-00000000000', '%27%3B%20drop%20table%20account%3B%20--']) {
  test(`there is no account "${id}"`, async () => {
    isError(await change(id, { plan: 'team' }), 404, 'not_found')
    isError(await grant(id, { credits: 1, note: 'x' }), 404, 'not_found')
  })
}

test('accounts are found by a part of their e-mail address, page by page, and show no secret', async () => {
  const marker = randomUUID()
  for (const index of [1, 2, 3]) {
    const values = { email: `${marker}-${index}@example.com`, password_hash: 'secret' }
    await database.kysely.insertInto('account').values(values).execute()
  }
  const first = (await admin<AccountsPage>(`GET /api/admin/users?query=${marker.toUpperCase()}&limit=2`)).body
  assert.deepEqual(
    first.data.map(({ email }: { email: string }) => email.at(37)),
    ['3', '2'],
  )
  const second = (await admin<AccountsPage>(`GET /api/admin/users?query=${marker}&limit=2&cursor=${first.nextCursor}`)).body
  assert.deepEqual([second.data.length, second.nextCursor], [1, null])
  const fields = ['id', 'email', 'name', 'role', 'plan', 'credits', 'disabled', 'deliveryPlaces', 'createdAt']
  assert.deepEqual(Object.keys(second.data[0] ?? {}).toSorted(), fields.toSorted())
})

for (const query of [
  'limit=0',
  'limit=101',
  'limit=x',
  'limit=1.5',
  'limit=0x10',
  'limit=2&limit=3',
  'cursor=x',
  `cursor=${'x'.repeat(300)}`,
  `query=${'x'.repeat(101)}`,
]) {
  test(`users?${query.slice(0, 20)} is refused`, async () => {
    isError(await admin(`GET /api/admin/users?${query}`), 400, 'invalid_params')
  })
}

test('what users do with their own accounts is in the audit log, without their secrets', async () => {
  const { token, user, password } = await signUp(server.url)
  const own = as(token)
  const madeValue = (await own<{ id: string; key: string }>('POST /api/user/api-keys', { name: 'laptop' })).body
  await own(`DELETE /api/user/api-keys/${madeValue.id}`)
  isError(await own(`DELETE /api/user/api-keys/${madeValue.id}`), 404, 'not_found')
  const email = newAddress()
  await own('PATCH /api/user', { email, currentPassword: password, name: 'not worth an entry' })
  await own('PATCH /api/user', { email, currentPassword: password })
  await own('POST /api/auth/sign-in', { email, password })
  await own('PATCH /api/user', { password: 'another horse', currentPassword: password })
  isError(await own('PATCH /api/user', { password: 'a third horse', currentPassword: 'wrong' }), 401, 'invalid_credentials')
  await own('POST /api/auth/sign-out', { everywhere: true })
  const entries = await log(user.id)
  const key = { keyId: madeValue.id, name: 'laptop' }
  assert.deepEqual(entries.map(({ action, details, actor }) => [action, details, actor?.id]).reverse(), [
    ['signed_up', { email: user.email }, undefined],
    ['api_key_made', { ...key, scopes: ['images', 'batch', 'usage'] }, user.id],
    ['api_key_revoked', key, user.id],
    ['email_changed', { from: user.email, to: email }, user.id],
    ['password_changed', { tokensRevoked: 1 }, user.id],
    ['signed_out_everywhere', { tokensRevoked: 1 }, user.id],
  ])
  const secrets = [token, madeValue.key, password, 'another horse']
  assert.ok(secrets.every((secret) => !JSON.stringify(entries).includes(secret)))
})

test('the log is read page by page, of one account or of all', async () => {
  const { id } = await person()
  for (const plan of ['pro', 'team', 'enterprise']) await change(id, { plan })
  const first = (await admin<AuditPage>(`GET /api/admin/audit?account=${id}&limit=2`)).body
  const second = (await admin<AuditPage>(`GET /api/admin/audit?account=${id}&limit=2&cursor=${first.nextCursor}`)).body
  const to = [...first.data, ...second.data].map(({ details }) => details.to)
  assert.deepEqual([to, second.nextCursor], [['enterprise', 'team', 'pro'], null])
  assert.equal((await admin<AuditPage>('GET /api/admin/audit?limit=1')).body.data[0]?.account.id, id)
  isError(await admin('GET /api/admin/audit?account=x'), 400, 'invalid_params')
})
