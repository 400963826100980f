import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PlanName } from '../../src/contract/plans.ts'
import type { Database } from '../../src/database/database.ts'
import { grant, makeAccount, makeLogin, openServerDatabase } from '../support/accounts.ts'
import { form, read } from '../support/call.ts'
import { send } from '../support/json-call.ts'
import { signUp } from '../support/person.ts'
import { solid } from '../support/pictures.ts'
import { type Server, startServer } from '../support/server.ts'
import { zipFile } from '../support/zip.ts'

let server: Server
let database: Database
let image: Buffer

before(async () => {
  server = await startServer()
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
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

interface Usage {
  readonly calls: { readonly limit: number | null; readonly used: number; readonly remaining: number | null }
}

async function callsOf(token: string): Promise<Usage['calls']> {
  const response = await fetch(`${server.url}/api/v2/usage`, { headers: bearer(token) })
  return ((await response.json()) as Usage).calls
}

test('who is signed in sends images without a key, by a page of ours or by a login token, and they count as theirs', async () => {
  const { token } = await person('team')
  assert.equal((await convert({ cookie: `session=${token}`, origin: server.url })).status, 200)
  const second = await convert(bearer(token))
  assert.equal(second.headers.get('x-ratelimit-remaining'), '49998')
  assert.equal((await callsOf(token)).used, 2)
})

test('a page of another site cannot spend the calls of who is signed in here', async () => {
  const { token } = await person('team')
  const { error } = await convert({ cookie: `session=${token}`, origin: 'https://elsewhere.example' })
  assert.equal(error?.statusMessage, 'forbidden')
})

test('the calls for trying are for who is signed in, not for keys, and end', async () => {
  const { id, key, token } = await person('free')
  assert.equal((await convert(bearer(key))).error?.statusMessage, 'api_access_not_available')
  assert.equal((await convert(bearer(token))).headers.get('x-ratelimit-remaining'), '49')
  assert.deepEqual(await callsOf(token), { by: 'trial', limit: 50, used: 1, remaining: 49 })
  await database.pool.query('update usage_month set used = 50 where account_id = $1', [id])
  const { error } = await convert(bearer(token))
  assert.equal(error?.statusMessage, 'monthly_limit_exceeded')
})

test('an account with credits pays with them, signed in or not', async () => {
  const { id, token } = await person('free')
  await grant(database, id, 5)
  assert.equal((await convert(bearer(token))).headers.get('x-credits-remaining'), '4')
})

test('a batch is nothing to try, and a plan with calls has it by a session too', async () => {
  const archive = zipFile([{ name: 'a.png', data: image }])
  const start = async (token: string) =>
    read(await fetch(`${server.url}/api/v2/batch`, { method: 'POST', headers: bearer(token), body: form({}, { file: archive }) }))
  assert.equal((await start((await person('free')).token)).error?.statusMessage, 'api_access_not_available')
  assert.equal((await start((await person('team')).token)).status, 202)
})

test('a session that has ended says so, and not that a key is wrong', async () => {
  const { error } = await convert(bearer(`at_${'a'.repeat(43)}`))
  assert.equal(error?.statusMessage, 'invalid_or_expired_login_token')
})

test('DEFAULT_PLAN is the plan of those who sign up; without it a key is refused in words that say what to do', async () => {
  await using team = await startServer({ DEFAULT_PLAN: 'team' })
  for (const [url, plan, answered] of [
    [server.url, 'free', 'api_access_not_available'],
    [team.url, 'team', undefined],
  ] as const) {
    const { token, user } = await signUp(url)
    assert.equal(user.plan, plan)
    const { body } = await send<{ readonly key: string }>(url, 'POST /api/user/api-keys', { token, body: { name: 'laptop' } })
    const call = { method: 'POST', headers: bearer(body.key), body: form({}, { image }) }
    const { status, error } = await read(await fetch(`${url}/api/v1/convert`, call))
    assert.deepEqual([status, error?.statusMessage], [answered ? 401 : 200, answered])
    if (error) assert.match(error.message, /Buy API credits .*, or ask the administrator .* plan Team or Enterprise\./)
  }
})
