import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { lacks } from 'pixelmill-server/test/deploy/files'
import { makeAccount, makeLogin } from 'pixelmill-server/test/support/accounts'
import { type AiServer, startAiServer } from 'pixelmill-server/test/support/ai-server'
import { says } from 'pixelmill-server/test/support/fake-vision'

/** Schemathesis makes requests from the OpenAPI document, right and wrong ones, and compares the answers with it. */

const skip = skipByDay || lacks('schemathesis')
const EXAMPLES = 20
const MOST_MS = 900_000
/** An answer that every question of ours can be read from. */
const ANSWER = JSON.stringify({
  altText: 'A red bicycle.',
  decorative: false,
  textInImage: '',
  confidence: 0.9,
  subject: 'red bicycle',
  alternatives: ['bicycle'],
  kind: 'photo',
  hasText: false,
  needsLossless: false,
  reason: 'It is a photograph.',
})

let server: AiServer
let folder: string
let document: string
before(async () => {
  if (skip) return
  server = await startAiServer({ platform: says(ANSWER) }, { SIGN_UPS_PER_HOUR: '0', EGRESS_ALLOW: '' })
  folder = await mkdtemp(join(tmpdir(), 'schemathesis-'))
  document = join(folder, 'openapi.json')
  const openapi = (await (await fetch(`${server.url}/openapi.json`)).json()) as Json
  await writeFile(document, JSON.stringify(withLeniency(whole(openapi))))
  await writeFile(join(folder, 'schemathesis.toml'), CONFIG)
})
after(async () => {
  if (skip) return
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/**
 * 502 to 504 are documented answers of a server without a model or Stripe. Right data may be refused for reasons that no schema can
 * state: bytes that are no picture, a cursor that was not given out, an address that is private.
 */
const CONFIG = `
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", "502", "503", "504"]
[checks.positive_data_acceptance]
enabled = false
[checks.negative_data_rejection]
expected-statuses = ["4xx", "5xx"]
`

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keys inside a request body: Schemathesis cannot write these types, nor a part that is said to be a ZIP. */
const LEFT_OUT = ['application/zip', 'application/partial-upload', 'application/offset+octet-stream', 'encoding']

/** The document with the schemas of request bodies in place of references, and without bodies that cannot be written. */
function whole(document: Json): Json {
  const resolve = (value: unknown, inBody: boolean): unknown => {
    if (Array.isArray(value)) return value.map((each) => resolve(each, inBody))
    if (!isObject(value)) return value
    const { $ref, ...rest } = value
    if (inBody && typeof $ref === 'string') return { ...(resolve(at(document, $ref), true) as Json), ...rest }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !(inBody && LEFT_OUT.includes(name)))
        .map(([name, each]) => [name, resolve(each, inBody || name === 'requestBody')]),
    )
  }
  return resolve(document, false) as Json
}

const at = (document: Json, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), document)

/** What the API takes beyond the schemas: null or blank for an optional field, and in forms 1 and 0 for a boolean. */
const ABSENT = [{ type: 'null' }, { type: 'string', pattern: '^\\s*$' }]
/** A list in a form is sent as one field for each entry, so that one blank entry is a blank field. */
const LIST = { type: 'array' }
const FLAGS = [{ enum: ['0', '1', 0, 1] }]

function withLeniency(value: unknown, inBody = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withLeniency(each, inBody))
  if (!isObject(value)) return value
  const { properties, required = [] } = value
  const entries = Object.entries(value).map(([name, each]) => [name, withLeniency(each, inBody || name === 'requestBody')])
  if (!inBody || !isObject(properties)) return Object.fromEntries(entries)
  const isForm = Object.values(properties).some((field) => isObject(field) && 'contentMediaType' in field)
  const fields = Object.entries(properties).map(([name, field]) => {
    const inner = withLeniency(field, true)
    const isOptional = !(required as readonly string[]).includes(name)
    const flags = isObject(field) && field.type === 'boolean' ? FLAGS : []
    return [name, isOptional ? { anyOf: [inner, ...ABSENT, ...(isForm ? [LIST] : []), ...flags] } : inner]
  })
  return { ...Object.fromEntries(entries), properties: Object.fromEntries(fields) }
}

async function findings(token: string, selection: readonly string[]): Promise<string> {
  const args = ['run', document, '--url', server.url, '-H', `Authorization: Bearer ${token}`, '-n', String(EXAMPLES)]
  const options = ['--phases', 'examples,coverage,fuzzing', '--workers', '1', '--no-color', '--continue-on-failure']
  const more = ['--warnings', 'off', '--request-timeout', '60', '--generation-database', 'none', '--seed', '1']
  const run = promisify(execFile)('schemathesis', [...args, ...options, ...more, ...selection], {
    cwd: folder,
    timeout: MOST_MS,
    maxBuffer: 64 * 1024 * 1024,
  })
  return run.then(
    () => '',
    ({ stdout = '', stderr = '' }: { stdout?: string; stderr?: string }) => stdout + stderr,
  )
}

const BY_KEY = '^/(v1|api/v1|api/v2|api/background-remove)'
/** These may end the login that a run has, so each has a run of its own: ids that an answer tells are used in later requests. */
const ENDS_LOGIN = ['^/api/auth/sign-out$', '^/api/user/sessions', '^/api/admin/users/']

test('with an API key, answers are as the document says', { skip, timeout: MOST_MS }, async () => {
  assert.equal(await findings(server.key, ['--include-path-regex', BY_KEY]), '')
})

async function administrator(): Promise<string> {
  const { id } = await makeAccount(server.database, 'team')
  await server.database.pool.query(`update account set role = 'admin' where id = $1`, [id])
  return makeLogin(server.database, id)
}

test("with an administrator's login token, answers are as the document says", { skip, timeout: MOST_MS }, async () => {
  const others = [BY_KEY, ...ENDS_LOGIN].map((path) => `(${path})`).join('|')
  assert.equal(await findings(await administrator(), ['--exclude-path-regex', others]), '')
})

for (const path of ENDS_LOGIN) {
  test(`${path}: answers are as the document says`, { skip, timeout: MOST_MS }, async () => {
    assert.equal(await findings(await administrator(), ['--include-path-regex', path]), '')
  })
}
