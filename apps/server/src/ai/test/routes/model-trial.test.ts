import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeAccount, makeLogin } from '../../../../test/support/accounts.ts'
import { type SharedAiServer, shareAiServer } from '../../../../test/support/ai-server.ts'
import { type habits, imageOf, SPENT, says, UPSTREAM_WORDS } from '../../../../test/support/fake-vision.ts'
import { send } from '../../../../test/support/json-call.ts'
import type { ModelTrial } from '../../tasks/try-model.ts'

const KEY = 'sk-tried-0123456789abcdef'
const seeing = says(JSON.stringify({ saw: 'A red square' }))
let server: SharedAiServer
before(async () => {
  server = await shareAiServer({ seeing, mine: seeing, other: seeing })
})
after(() => server[Symbol.asyncDispose]())

async function person() {
  const { id } = await makeAccount(server.database, 'pro')
  return { id, token: await makeLogin(server.database, id) }
}
const attempt = (token: string, body: unknown) => send<ModelTrial>(server.url, 'POST /api/user/ai-key/test', { token, body })
const model = (name: string) => ({ baseUrl: server.model.url, model: name, apiKey: KEY })

test('a model is tried before it is saved: what it saw, how long it took, what it spent', async () => {
  const { token } = await person()
  const { status, body } = await attempt(token, model('seeing'))
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(body.ok && Number.isInteger(body.ms))
  const { ms: _, ...rest } = body
  assert.deepEqual(rest, { ok: true, model: 'fake-vl', saw: 'A red square', usage: SPENT })
  const askedRequest = server.model.requests.at(-1)
  assert.equal(askedRequest?.headers.authorization, `Bearer ${KEY}`)
  // JPEG, SOI: as everything that models get from us.
  assert.deepEqual([...imageOf(askedRequest?.asked ?? assert.fail()).subarray(0, 2)], [0xff, 0xd8])
  assert.equal((await send(server.url, 'GET /api/user/ai-key', { token })).status, 404, 'nothing is saved by it')
})

test('a saved model is tried with its key, another model there too, and the key goes to no other address', async () => {
  const { token } = await person()
  assert.equal((await attempt(token, {})).error?.statusMessage, 'no_saved_ai_key')
  assert.equal((await attempt(token, { baseUrl: server.model.url, model: 'mine' })).error?.statusMessage, 'no_saved_ai_key')
  await send(server.url, 'PUT /api/user/ai-key', { token, body: model('mine') })
  for (const [body, askedText] of [
    [{}, 'mine'],
    [{ model: 'other' }, 'other'],
  ] as const) {
    assert.equal((await attempt(token, body)).body.ok, true)
    const last = server.model.requests.at(-1)
    assert.deepEqual([last?.asked.model, last?.headers.authorization], [askedText, `Bearer ${KEY}`])
  }
  const before = server.model.requests.length
  const { status, error } = await attempt(token, { baseUrl: server.model.url.replace('/v1', '/v2') })
  assert.deepEqual([status, error?.issues?.[0]?.path], [400, ['baseUrl']])
  assert.equal(server.model.requests.length, before)
})

const failing = {
  '401': 'auth',
  '402': 'quota',
  '404': 'model_not_found',
  '429': 'rate_limited',
  'no-vision': 'no_vision',
  'refuses-in-words': 'refused',
  html: 'bad_output',
  'too-long': 'bad_output',
  '503': 'network',
  '504': 'timeout',
} as const satisfies Partial<Record<keyof typeof habits, string>>

test('a trial is answered with the fault of its model server, in sentences without what that server said', async () => {
  const { token } = await person()
  for (const [habit, expected] of Object.entries(failing)) {
    const { status, body } = await attempt(token, model(habit))
    assert.equal(status, 200, habit)
    assert.ok(!body.ok, habit)
    assert.equal(body.error, expected, habit)
    assert.match(body.message, /^The (model|account) .+\.$/)
    assert.ok(!JSON.stringify(body).includes(UPSTREAM_WORDS) && !JSON.stringify(body).includes(KEY), habit)
  }
})

test('a private address is refused before anything is sent, at its field', async () => {
  const { token } = await person()
  for (const baseUrl of ['http://10.0.0.7/v1', 'http://169.254.169.254/latest', 'http://[::1]:8080/v1', 'no address']) {
    const { status, error } = await attempt(token, { ...model('mine'), baseUrl })
    assert.deepEqual([status, error?.statusMessage, error?.issues?.[0]?.path], [400, 'invalid_params', ['baseUrl']], baseUrl)
  }
})

test('a trial counts for no quota, needs a sign-in, and is limited to thirty a minute', async () => {
  const { token } = await person()
  const statuses: number[] = []
  for (let index = 0; index < 31; index++) statuses.push((await attempt(token, model('seeing'))).status)
  assert.deepEqual(statuses, [...Array.from({ length: 30 }, () => 200), 429])
  const usage = await send<{ ai: { today: { used: number } } }>(server.url, 'GET /api/v2/usage', { token })
  assert.equal(usage.body.ai.today.used, 0)
  assert.equal((await attempt(server.key, model('seeing'))).error?.statusMessage, 'missing_or_invalid_login_token')
})

test('an account can read which models there are', async () => {
  const show = (token: string) => send<Record<string, unknown>>(server.url, 'GET /api/user/ai', { token })
  const { token } = await person()
  const none = { platform: { model: 'platform', allowed: true }, savesKeys: true, saved: null }
  assert.deepEqual((await show(token)).body, none)
  const savedValue = (await send(server.url, 'PUT /api/user/ai-key', { token, body: model('mine') })).body
  assert.deepEqual((await show(token)).body, { ...none, saved: savedValue })
  assert.deepEqual((await show(await server.signedIn('free'))).body, { ...none, platform: { model: 'platform', allowed: false } })
})
