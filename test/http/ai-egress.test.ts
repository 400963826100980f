import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TARGETS } from '../database/targets.ts'
import { makeAccount, makeLogin } from '../support/accounts.ts'
import { startFakeVision } from '../support/fake-vision.ts'
import { hostileUrls } from '../support/hostile-urls.ts'
import { type JsonAnswer, send } from '../support/json-call.ts'
import { listen } from '../support/listener.ts'
import { photo } from '../support/pictures.ts'
import { serverOn } from '../support/server-on.ts'
import { until } from '../support/until.ts'

/** The model of a caller: at one address of this machine, which is the only one that is opened. */
const model = await startFakeVision()
const listener = await listen((_, response) => response.end('reached'))
const { server, database } = await serverOn(TARGETS[0], { after }, { AI_TIMEOUT_S: '1', EGRESS_ALLOW: `127.0.0.1:${model.port}` })
after(async () => {
  await model[Symbol.asyncDispose]()
  await listener[Symbol.asyncDispose]()
})

const image = `data:image/png;base64,${(await photo(64, 64).png().toBuffer()).toString('base64')}`
const { id } = await makeAccount(database, 'free')
const token = await makeLogin(database, id)

function ask(baseUrl: string, habit = 'ok'): Promise<JsonAnswer<Record<string, unknown>>> {
  const body = { images: [image], userProvider: { baseUrl, model: habit, apiKey: 'sk-own' } }
  return send(server.url, 'POST /v1/ai/alt-text', { token, body })
}

test('no address trick leads to a model server, and what has no public address is refused in one sentence', async () => {
  const said = new Set<string>()
  // Those that need no name server: what a real one says is not for a test to know.
  for (const [written, reason] of hostileUrls.filter(([url]) => !url.includes('evil.com'))) {
    const { status, error, headers } = await ask(written.replace(':P', `:${listener.port}`))
    assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'], written)
    assert.deepEqual(
      error?.issues?.map(({ path }) => path.join('.')),
      ['userProvider.baseUrl'],
      written,
    )
    if (/URL$|^port/.test(reason)) continue
    const { requestId, ...answer } = error ?? {}
    const names = [...headers.keys()].sort().join(' ')
    said.add(`${JSON.stringify(answer).replaceAll(/adding \S+ to/g, 'adding … to')} ${names}`)
  }
  assert.equal(said.size, 1, [...said].join('\n'))
  assert.match([...said].join(), /no public address .* adding … to EGRESS_ALLOW/)
  assert.equal(listener.connections(), 0)
})

test('a redirect into the network is no way around, and is not followed', async () => {
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

test('what fails at a server of the caller is no error of the operator', async () => {
  assert.equal((await ask(model.url, '401')).status, 502)
  assert.match(server.output(), /"level":"warn"[^\n]*a model failed: auth, status 401/)
  assert.doesNotMatch(server.output(), /"level":"error"/)
})
