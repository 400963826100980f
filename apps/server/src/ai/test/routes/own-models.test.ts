import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin } from '../../../../test/support/accounts.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { startFakeVision } from '../../../../test/support/fake-vision.ts'
import { hostileUrls } from '../../../../test/support/hostile-urls.ts'
import { type JsonAnswer, send } from '../../../../test/support/json-call.ts'
import { listen } from '../../../../test/support/listener.ts'
import { serverOn } from '../../../../test/support/server-on.ts'
import type { ShownKey } from '../../saved-keys.ts'

const SECRET = 'a secret for tests only'
/** Documentation's own range, opened here: no server has such an address, and nothing is called. */
const ALLOWED = 'http://192.0.2.7'
const savedValue = { baseUrl: `${ALLOWED}/v1`, model: 'vl', apiKey: 'sk-saved-0123456789abcdef' }

/** The model of a caller: the only address of this machine that is allowed. */
const model = await startFakeVision()
const running = await serverOn(
  TARGETS[0],
  { after },
  { AI_KEY_ENCRYPTION_SECRET: SECRET, AI_TIMEOUT_S: '1', EGRESS_ALLOW: `192.0.2.7,127.0.0.1:${model.port}` },
)
const listener = await listen((_, response) => response.end('reached'))
after(async () => {
  await model[Symbol.asyncDispose]()
  await listener[Symbol.asyncDispose]()
})

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
  const first = await put(token, savedValue)
  assert.equal(first.status, 200)
  const { updatedAt, ...shown } = first.body
  assert.deepEqual(shown, { ...savedValue, apiKey: 'sk-sav********cdef' })
  assert.deepEqual((await show(token)).body, first.body)

  const second = await put(token, { ...savedValue, model: 'other', apiKey: 'short' })
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
  const { baseUrl, apiKey } = savedValue
  const issuePaths = async (body: unknown) => (await put(token, body)).error?.issues?.map(({ path }) => path)
  assert.deepEqual(await issuePaths({ baseUrl, model: 'other' }), [['apiKey']])
  await put(token, savedValue)
  const { status, body } = await put(token, { baseUrl, model: 'other' })
  assert.deepEqual([status, body.model, body.baseUrl], [200, 'other', baseUrl])
  assert.deepEqual((await show(token)).body, body)
  assert.deepEqual(await issuePaths({ baseUrl: `${ALLOWED}/v2`, model: 'other' }), [['apiKey']])
  assert.deepEqual((await show(token)).body, { ...body, apiKey: `${apiKey.slice(0, 6)}********${apiKey.slice(-4)}` })
})

test('only its owner, signed in, can read or remove a saved key', async () => {
  const { token } = await person()
  await put(token, savedValue)
  const other = await person()
  assert.equal((await show(other.token)).status, 404)
  assert.equal((await remove(other.token)).status, 404)
  for (const call of [show, remove, (token: string) => put(token, savedValue)]) {
    const { status, error } = await call(running.server.key)
    assert.deepEqual([status, error?.statusMessage], [401, 'missing_or_invalid_login_token'])
  }
  assert.equal((await show(token)).status, 200)
})

test('a saved key is deleted with its account, and twenty calls at once save one key', async () => {
  const { id, token } = await person()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => put(token, { ...savedValue, model: `m${index}` })))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const count = async () => (await running.database.pool.query('select from ai_key where account_id = $1', [id])).rowCount
  assert.equal(await count(), 1)
  await running.database.pool.query('delete from account where id = $1', [id])
  assert.equal(await count(), 0)
})

test('no address trick is saved, and addresses that are not public are refused with one message', async () => {
  let { token } = await person()
  let tries = 0
  const saidTexts = new Set<string>()
  // Those that need no name server: what a real one says is not for a test to know.
  for (const [writtenText, reason] of hostileUrls.filter(([url]) => !url.includes('evil.com'))) {
    // An account has thirty tries an hour.
    if (tries++ % 30 === 0) token = (await person()).token
    const { status, error } = await put(token, { ...savedValue, baseUrl: writtenText.replace(':P', `:${listener.port}`) })
    assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'], writtenText)
    assert.deepEqual(
      error?.issues?.map(({ path }) => path),
      [['baseUrl']],
      writtenText,
    )
    if (!/URL$|^port/.test(reason)) saidTexts.add((error?.message ?? '').replace(/adding \S+ to/, 'adding … to'))
  }
  assert.equal(saidTexts.size, 1, [...saidTexts].join('\n'))
  assert.equal(listener.connections(), 0)
  assert.equal((await show(token)).status, 404)
})

test('an account saves thirty keys an hour', async () => {
  const { token } = await person()
  const answers = []
  for (let index = 0; index < 31; index++) answers.push(await put(token, savedValue))
  assert.deepEqual(new Set(answers.slice(0, 30).map(({ status }) => status)), new Set([200]))
  const last = answers.at(-1)
  assert.deepEqual([last?.status, last?.error?.statusMessage], [429, 'rate_limited'])
  assert.ok(Number(last?.headers.get('retry-after')) > 3_000)
})

const image = `data:image/png;base64,${(await photo(64, 64).png().toBuffer()).toString('base64')}`
const { token: callers } = await person()

function ask(baseUrl: string, habit = 'ok'): Promise<JsonAnswer<Record<string, unknown>>> {
  const body = { images: [image], userProvider: { baseUrl, model: habit, apiKey: 'sk-own' } }
  return send(running.server.url, 'POST /v1/ai/alt-text', { token: callers, body })
}

test('no address trick reaches a model server, and addresses that are not public are refused with one message', async () => {
  const saidTexts = new Set<string>()
  // Those that need no name server: what a real one says is not for a test to know.
  for (const [writtenText, reason] of hostileUrls.filter(([url]) => !url.includes('evil.com'))) {
    const { status, error, headers } = await ask(writtenText.replace(':P', `:${listener.port}`))
    assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'], writtenText)
    assert.deepEqual(
      error?.issues?.map(({ path }) => path.join('.')),
      ['userProvider.baseUrl'],
      writtenText,
    )
    if (/URL$|^port/.test(reason)) continue
    const { requestId, ...answer } = error ?? {}
    const names = [...headers.keys()].sort().join(' ')
    saidTexts.add(`${JSON.stringify(answer).replaceAll(/adding \S+ to/g, 'adding … to')} ${names}`)
  }
  assert.equal(saidTexts.size, 1, [...saidTexts].join('\n'))
  assert.match([...saidTexts].join(), /no public address .* adding … to EGRESS_ALLOW/)
  assert.equal(listener.connections(), 0)
})

test('a redirect to an internal address is not followed', async () => {
  const { status, body } = await ask(model.url, 'redirect')
  assert.deepEqual([status, body.statusMessage, body.kind], [502, 'ai_provider_error', 'bad_output'])
})

/** Model servers that never end, or answer with more than fits: 504, or 502 with this kind. */
const endless: readonly (readonly [habit: string, status: number, kind?: string])[] = [
  ['silent', 504],
  ['drip', 504],
  ['bomb', 502, 'bad_output'],
  ['giant', 502, 'bad_output'],
]
for (const [habit, status, kind] of endless)
  test(`a model server of the kind "${habit}" ends in ${status}, and its connection with it`, async () => {
    const before = model.requests.length
    const answer = await ask(model.url, habit)
    assert.deepEqual([answer.status, answer.body.kind], [status, kind])
    assert.ok(model.requests.length > before)
    assert.ok(await until(async () => model.answering() === 0), 'nothing is read any more')
  })

test('a caller’s model server gets the key of that caller', async () => {
  await ask(model.url)
  assert.equal(model.requests.at(-1)?.headers.authorization, 'Bearer sk-own')
})

test('a failure of a caller’s model server is logged as a warning, not as an error', async () => {
  assert.equal((await ask(model.url, '401')).status, 502)
  assert.match(running.server.output(), /"level":"warn"[^\n]*a model failed: auth, status 401/)
  assert.doesNotMatch(running.server.output(), /"level":"error"/)
})
