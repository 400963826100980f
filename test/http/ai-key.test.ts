import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ShownKey } from '../../src/ai/saved-keys.ts'
import { TARGETS } from '../database/targets.ts'
import { makeAccount, makeLogin } from '../support/accounts.ts'
import { hostileUrls } from '../support/hostile-urls.ts'
import { send } from '../support/json-call.ts'
import { listen } from '../support/listener.ts'
import { serverOn } from '../support/server-on.ts'

const SECRET = 'a secret for tests only'
/** Documentation's own range, opened here: no server has such an address, and nothing is called. */
const ALLOWED = 'http://192.0.2.7'
const saved = { baseUrl: `${ALLOWED}/v1`, model: 'vl', apiKey: 'sk-saved-0123456789abcdef' }

const running = await serverOn(TARGETS[0], { after }, { AI_KEY_ENCRYPTION_SECRET: SECRET, EGRESS_ALLOW: '192.0.2.7' })
const listener = await listen((_, response) => response.end('reached'))
after(() => listener[Symbol.asyncDispose]())

async function person() {
  const { id } = await makeAccount(running.database, 'free')
  return { id, token: await makeLogin(running.database, id) }
}
const put = (token: string, body: unknown, url = running.server.url) =>
  send<ShownKey>(url, 'PUT /api/user/ai-key', { token, body })
const show = (token: string, url = running.server.url) => send<ShownKey>(url, 'GET /api/user/ai-key', { token })
const remove = (token: string, url = running.server.url) => send(url, 'DELETE /api/user/ai-key', { token })

test('a key is saved, shown masked, replaced and removed, and the audit log tells it without the key', async () => {
  const { id, token } = await person()
  assert.equal((await show(token)).error?.statusMessage, 'ai_key_not_found')
  const first = await put(token, saved)
  assert.equal(first.status, 200)
  const { updatedAt, ...shown } = first.body
  assert.deepEqual(shown, { ...saved, apiKey: 'sk-sav********cdef' })
  assert.deepEqual((await show(token)).body, first.body)

  const second = await put(token, { ...saved, model: 'other', apiKey: 'short' })
  assert.deepEqual([second.body.model, second.body.apiKey], ['other', '********'])
  assert.ok(second.body.updatedAt > updatedAt)
  assert.deepEqual((await show(token)).body, second.body)

  const { status, body } = await remove(token)
  assert.deepEqual([status, body], [200, { deleted: true }])
  for (const call of [remove, show]) {
    const { status, error } = await call(token)
    assert.deepEqual([status, error?.statusMessage], [404, 'ai_key_not_found'])
  }
  const { rows } = await running.database.pool.query(
    'select action, details from audit_entry where account_id = $1 and actor_id = $1 order by id',
    [id],
  )
  assert.deepEqual(rows, [
    { action: 'ai_key_saved', details: { server: ALLOWED, model: 'vl' } },
    { action: 'ai_key_saved', details: { server: ALLOWED, model: 'other' } },
    { action: 'ai_key_removed', details: { server: ALLOWED } },
  ])
})

test('another model is saved with the key that is there, and not for another address', async () => {
  const { token } = await person()
  const { baseUrl, apiKey } = saved
  const needed = async (body: unknown) => (await put(token, body)).error?.issues?.map(({ path }) => path)
  assert.deepEqual(await needed({ baseUrl, model: 'other' }), [['apiKey']])
  await put(token, saved)
  const { status, body } = await put(token, { baseUrl, model: 'other' })
  assert.deepEqual([status, body.model, body.baseUrl], [200, 'other', baseUrl])
  assert.deepEqual((await show(token)).body, body)
  assert.deepEqual(await needed({ baseUrl: `${ALLOWED}/v2`, model: 'other' }), [['apiKey']])
  assert.deepEqual((await show(token)).body, { ...body, apiKey: `${apiKey.slice(0, 6)}********${apiKey.slice(-4)}` })
})

test('only its owner, signed in, can read or remove a saved key', async () => {
  const { token } = await person()
  await put(token, saved)
  const other = await person()
  assert.equal((await show(other.token)).status, 404)
  assert.equal((await remove(other.token)).status, 404)
  for (const call of [show, remove, (token: string) => put(token, saved)]) {
    const { status, error } = await call(running.server.key)
    assert.deepEqual([status, error?.statusMessage], [401, 'missing_or_invalid_login_token'])
  }
  assert.equal((await show(token)).status, 200)
})

test('a saved key is deleted with its account, and twenty calls at once save one key', async () => {
  const { id, token } = await person()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => put(token, { ...saved, model: `m${index}` })))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const count = async () => (await running.database.pool.query('select from ai_key where account_id = $1', [id])).rowCount
  assert.equal(await count(), 1)
  await running.database.pool.query('delete from account where id = $1', [id])
  assert.equal(await count(), 0)
})

test('no address trick is saved, and what has no public address is refused in one sentence', async () => {
  let { token } = await person()
  let tries = 0
  const said = new Set<string>()
  // Those that need no name server: what a real one says is not for a test to know.
  for (const [written, reason] of hostileUrls.filter(([url]) => !url.includes('evil.com'))) {
    // An account has thirty tries an hour.
    if (tries++ % 30 === 0) token = (await person()).token
    const { status, error } = await put(token, { ...saved, baseUrl: written.replace(':P', `:${listener.port}`) })
    assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'], written)
    assert.deepEqual(
      error?.issues?.map(({ path }) => path),
      [['baseUrl']],
      written,
    )
    if (!/URL$|^port/.test(reason)) said.add((error?.message ?? '').replace(/adding \S+ to/, 'adding … to'))
  }
  assert.equal(said.size, 1, [...said].join('\n'))
  assert.equal(listener.connections(), 0)
  assert.equal((await show(token)).status, 404)
})

test('an account saves thirty keys an hour', async () => {
  const { token } = await person()
  const answers = []
  for (let index = 0; index < 31; index++) answers.push(await put(token, saved))
  assert.deepEqual(new Set(answers.slice(0, 30).map(({ status }) => status)), new Set([200]))
  const last = answers.at(-1)
  assert.deepEqual([last?.status, last?.error?.statusMessage], [429, 'rate_limited'])
  assert.ok(Number(last?.headers.get('retry-after')) > 3_000)
})
