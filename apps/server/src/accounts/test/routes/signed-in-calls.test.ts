import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { grant, makeAccount, makeLogin, openServerDatabase } from '../../../../test/support/accounts.ts'
import { form, read } from '../../../../test/support/call.ts'
import { send } from '../../../../test/support/json-call.ts'
import { signUp } from '../../../../test/support/person.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import { zipFile } from '../../../../test/support/zip.ts'
import type { PlanName } from '../../../contract/plans.ts'
import type { Database } from '../../../database/database.ts'

let server: SharedServer
let database: Database
let image: Buffer

before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  image = await solid(8, 8, 'teal').png().toBuffer()
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

async function person(plan: PlanName) {
  const { id, key } = await makeAccount(database, plan)
  return { id, key, token: await makeLogin(database, id) }
}

const convert = async (headers: Record<string, string>) =>
  read(await fetch(`${server.url}/api/v1/convert`, { method: 'POST', headers, body: form({}, { image }) }))
const session = (token: string) => ({ cookie: `session=${token}`, origin: server.url })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

interface Usage {
  readonly calls: { readonly limit: number | null; readonly used: number; readonly remaining: number | null }
}

async function callsOf(token: string): Promise<Usage['calls']> {
  const response = await fetch(`${server.url}/api/v2/usage`, { headers: bearer(token) })
  return ((await response.json()) as Usage).calls
}

test('a signed-in user sends images without a key, by a page of this server or by a login token, and the calls count for the account', async () => {
  const { token } = await person('team')
  assert.equal((await convert({ cookie: `session=${token}`, origin: server.url })).status, 200)
  const second = await convert(bearer(token))
  assert.equal(second.headers.get('x-ratelimit-remaining'), '49998')
  assert.equal((await callsOf(token)).used, 2)
})

test('a page of another site cannot spend the calls of a signed-in user', async () => {
  const { token } = await person('team')
  const { error } = await convert({ cookie: `session=${token}`, origin: 'https://elsewhere.example' })
  assert.equal(error?.statusMessage, 'forbidden')
})

test("trial calls are for the dashboard's session, not for keys and bearer tokens, and end", async () => {
  const { id, key, token } = await person('free')
  for (const credential of [key, token])
    assert.equal((await convert(bearer(credential))).error?.statusMessage, 'api_access_not_available')
  assert.equal((await convert(session(token))).headers.get('x-ratelimit-remaining'), '49')
  assert.deepEqual(await callsOf(token), { by: 'trial', limit: 50, used: 1, remaining: 49 })
  assert.equal((await convert({ ...session(token), ...bearer(token) })).error?.statusMessage, 'api_access_not_available')
  await database.pool.query('update usage_month set used = 50 where account_id = $1', [id])
  const { error } = await convert(session(token))
  assert.equal(error?.statusMessage, 'monthly_limit_exceeded')
})

test('the plan Pro has no API access by a bearer token either', async () => {
  const { token } = await person('pro')
  assert.equal((await convert(bearer(token))).error?.statusMessage, 'api_access_not_available')
  assert.equal((await convert(session(token))).headers.get('x-ratelimit-remaining'), '199')
})

test('an account with credits pays with them, signed in or not', async () => {
  const { id, token } = await person('free')
  await grant(database, id, 5)
  assert.equal((await convert(bearer(token))).headers.get('x-credits-remaining'), '4')
})

test('a batch is no trial call, and a plan with calls can start one in a session too', async () => {
  const archive = zipFile([{ name: 'a.png', data: image }])
  const start = async (token: string) =>
    read(await fetch(`${server.url}/api/v2/batch`, { method: 'POST', headers: bearer(token), body: form({}, { file: archive }) }))
  assert.equal((await start((await person('free')).token)).error?.statusMessage, 'api_access_not_available')
  const headers = session((await person('free')).token)
  const bySession = await fetch(`${server.url}/api/v2/batch`, { method: 'POST', headers, body: form({}, { file: archive }) })
  assert.equal((await read(bySession)).error?.statusMessage, 'api_access_not_available')
  assert.equal((await start((await person('team')).token)).status, 202)
})

test('a session that has ended is refused as such, and not as a wrong key', async () => {
  const { error } = await convert(bearer(`at_${'a'.repeat(43)}`))
  assert.equal(error?.statusMessage, 'invalid_or_expired_login_token')
})

test('an account that signed up has the plan free, whose key is refused with a message that says what to do', async () => {
  const { token, user } = await signUp(server.url)
  assert.equal(user.plan, 'free')
  const { body } = await send<{ readonly key: string }>(server.url, 'POST /api/user/api-keys', {
    token,
    body: { name: 'laptop' },
  })
  const { status, error } = await convert(bearer(body.key))
  assert.deepEqual([status, error?.statusMessage], [401, 'api_access_not_available'])
  assert.match(error?.message ?? '', /Buy API credits .*, or ask the administrator .* plan Team or Enterprise\./)
})
