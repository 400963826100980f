import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { makeAccount, makeLogin } from '../../../../test/support/accounts.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { listen } from '../../../../test/support/listener.ts'
import { metricsOf } from '../../../../test/support/read-metric.ts'
import { serverOn } from '../../../../test/support/server-on.ts'

/** Secrets that are sent everywhere and may be found nowhere. */
const canary = () => `sk-${randomBytes(24).toString('hex')}`
const secrets = {
  AI_API_KEY: canary(),
  AI_KEY_ENCRYPTION_SECRET: canary(),
  'the older secret': canary(),
  'apiKey of a request': canary(),
  'the saved key': canary(),
}

/** The middle of a secret, which no mask shows, as it is and in the encodings that things are written in. */
const traces = Object.entries(secrets).flatMap(([name, secret]) => {
  const middle = secret.slice(10, -6)
  const inBase64 = [0, 1, 2].map((skippedCount) =>
    Buffer.from(middle)
      .subarray(skippedCount, skippedCount + 30 - (30 % 3))
      .toString('base64'),
  )
  return [middle, Buffer.from(middle).toString('hex'), ...inBase64].map((text) => [name, text] as const)
})
function assertNoSecret(text: string, where: string): void {
  for (const [name, trace] of traces) assert.ok(!text.includes(trace), `${name} is in ${where}`)
}

const completionOf = (content: unknown, message = {}) => ({
  model: 'm',
  choices: [{ message: { content, ...message }, finish_reason: 'stop' }],
})
const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** Answers of a model server that repeats the key wherever it can. */
const answers: Readonly<Record<string, (response: ServerResponse, key: string) => void>> = {
  well: (response) => json(response, 200, completionOf(JSON.stringify({ altText: 'A wall.', kind: 'photo', confidence: 1 }))),
  'with 401': (response, key) => json(response, 401, { error: { message: `Incorrect API key provided: ${key}`, code: key } }),
  'with 400': (response, key) => json(response, 400, { error: `max_tokens temperature response_format ${key}` }),
  'with 404': (response, key) => json(response, 404, { detail: key }),
  'with 429': (response, key) => json(response, 429, { error: { message: key, type: key } }, { 'retry-after': '9' }),
  'with 500': (response, key) => json(response, 500, { error: { message: key } }, { 'x-key': key }),
  'with another status line': (response, key) => void response.writeHead(503, key).end(key),
  'with a redirect': (response, key) => json(response, 302, {}, { location: `http://127.0.0.1:1/?key=${key}` }),
  'with a page': (response, key) => void response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${key}</p>`),
  'with no JSON of its own': (response, key) => json(response, 200, completionOf(`I would say ${key}`)),
  'with another form': (response, key) => json(response, 200, completionOf(JSON.stringify({ [key]: key, kind: { key } }))),
  'by declining': (response, key) => json(response, 200, completionOf(null, { refusal: key })),
  'with headers that are too long': (response, key) => json(response, 200, {}, { 'x-key': key.repeat(1_000) }),
  'with half of an answer': (response, key) => {
    response.writeHead(200, { 'content-length': '9999' }).write(key)
    response.destroy()
  },
  'by hanging up': (response) => void response.destroy(),
  never: () => {},
}
const modes = Object.keys(answers)

let mode = 'well'
const receivedTexts = new Set<string>()
const model = await listen((request, response) => {
  const key = request.headers.authorization?.replace('Bearer ', '') ?? ''
  receivedTexts.add(key)
  request.resume()
  request.once('end', () => answers[mode]?.(response, key))
})
after(() => model[Symbol.asyncDispose]())

const running = await serverOn(
  TARGETS[0],
  { after },
  {
    AI_BASE_URL: `${model.url}/v1`,
    AI_MODEL: 'vl',
    AI_API_KEY: secrets.AI_API_KEY,
    AI_KEY_ENCRYPTION_SECRET: `2:${secrets.AI_KEY_ENCRYPTION_SECRET},1:${secrets['the older secret']}`,
    AI_TIMEOUT_S: '1',
    EGRESS_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'debug',
  },
)
const { server, database } = running
const { url } = server
const images = [`data:image/png;base64,${(await photo(64, 64).png().toBuffer()).toString('base64')}`]
const own = { baseUrl: `${model.url}/v1`, model: 'mine' }

async function person() {
  const { id, key } = await makeAccount(database, 'team')
  return { id, key, token: await makeLogin(database, id) }
}
/** A call whose answer, headers included, has been looked through. */
async function call(route: string, token: string | undefined, body?: unknown) {
  const answer = await send(url, route, { ...(token && { token }), ...(body !== undefined && { body }) })
  assertNoSecret(JSON.stringify([answer.body, ...answer.headers]), `the answer ${answer.status} of ${route}`)
  return answer
}

test('callers get no key, whatever a model server answers', async () => {
  const { key, token } = await person()
  const savedValue = { ...own, apiKey: secrets['the saved key'] }
  assert.equal((await call('PUT /api/user/ai-key', token, savedValue)).status, 200)
  const statuses = new Map<string, number[]>()
  for (mode of modes) {
    const askedTexts = [
      [key, undefined],
      [token, { ...own, apiKey: secrets['apiKey of a request'] }],
      [token, { ...own, useAccountKey: true }],
    ] as const
    const givenAnswers = await Promise.all(
      askedTexts.map(([bearer, userProvider]) => call('POST /v1/ai/alt-text', bearer, { images, userProvider })),
    )
    statuses.set(
      mode,
      givenAnswers.map(({ status }) => status),
    )
    assert.equal((await call('POST /api/user/ai-key/test', token, {})).status, 200, `a trial, answered ${mode}`)
  }
  assert.deepEqual(statuses.get('well'), [200, 200, 200])
  assert.deepEqual(statuses.get('with 429'), [503, 429, 429])
  assert.deepEqual(statuses.get('never'), [504, 504, 504])
  for (const mode of modes.slice(1)) for (const status of statuses.get(mode) ?? []) assert.ok(status >= 429, `${mode}: ${status}`)
  for (const name of ['AI_API_KEY', 'apiKey of a request', 'the saved key'] as const)
    assert.ok(receivedTexts.has(secrets[name]), `${name} was sent`)
})

test('answers to invalid requests have no key', async () => {
  mode = 'well'
  const { key, token } = await person()
  const apiKey = secrets['apiKey of a request']
  const bodies: readonly unknown[] = [
    { ...own, apiKey: `${apiKey}\r\nx-key: ${apiKey}` },
    { ...own, apiKey: [apiKey] },
    { ...own, model: 7, apiKey },
    { ...own, apiKey, useAccountKey: apiKey },
    { ...own, baseUrl: `http://user:${apiKey}@10.0.0.1/`, apiKey },
    { ...own, baseUrl: `http://10.0.0.1/?key=${apiKey}`, apiKey },
    { ...own, baseUrl: `${model.url}/v1?key=${apiKey}`, useAccountKey: true },
    { apiKey },
    apiKey,
  ]
  for (const body of bodies) {
    for (const bearer of [token, key, undefined]) {
      const { status } = await call('POST /v1/ai/alt-text', bearer, { images, userProvider: body })
      assert.ok(status === 400 || status === 403, `${status}`)
      assert.ok((await call('PUT /api/user/ai-key', bearer, body)).status >= 400 || bearer === token)
    }
  }
  for (const broken of [`{"apiKey": "${apiKey}"`, `{"apiKey": ${apiKey}}`, `"${apiKey}"`])
    for (const route of ['PUT /api/user/ai-key', 'POST /v1/ai/alt-text'])
      assert.equal((await call(route, token, broken)).status, 400)
})

test('metrics, usage and audit log have no key', async () => {
  const { token, key } = await person()
  await call('PUT /api/user/ai-key', token, { ...own, apiKey: secrets['the saved key'] })
  assert.match(JSON.stringify((await call('GET /api/user/ai-key', token)).body), /sk-[0-9a-f]{3}\*{8}[0-9a-f]{4}/)
  await call('GET /api/v2/usage', key)
  const metrics = await metricsOf({ url })
  assert.match(metrics, /v1\/ai\/alt-text/)
  assertNoSecret(metrics, 'the metrics')
  const { rows } = await database.pool.query(`select id from account where role = 'admin'`)
  const audit = await call('GET /api/admin/audit?limit=100', await makeLogin(database, rows[0].id))
  assert.match(JSON.stringify(audit.body), /ai_key_saved/)
})

test('no table, log line or file of the server has a key in plain text', async () => {
  const { rows: tables } = await database.pool.query<{ schema: string; name: string }>(
    `select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  assert.ok(
    tables.some(({ name }) => name === 'housekeeping_job'),
    'that of the jobs is among them',
  )
  let dump = ''
  for (const { schema, name } of tables) {
    const { rows } = await database.pool.query<{ row: string }>(`select t::text as row from "${schema}"."${name}" t`)
    for (const { row } of rows) dump += `${row}\n`
    assertNoSecret(rows.map(({ row }) => row).join('\n'), `${schema}.${name}`)
  }
  assert.match(dump, /v1\.2\.[\w-]+\.[\w-]+\.[\w-]+/, 'there are encrypted keys')

  const log = server.output()
  assert.match(log, /a model failed: auth, status 401/)
  assertNoSecret(log, 'the log')

  // What the database has on disk, its journal included.
  await database.pool.query('checkpoint')
  const files = (await readdir(server.dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  assert.ok(files.length > 100)
  for (const { parentPath, name } of files) assertNoSecret(await readFile(join(parentPath, name), 'latin1').catch(() => ''), name)
})
