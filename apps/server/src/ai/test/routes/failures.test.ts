import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@pixelmill/engine/test/support/until'
import { type AiServer, OPERATOR_KEY, picture, startAiServer } from '../../../../test/support/ai-server.ts'
import { type Habit, habits, says, UPSTREAM_WORDS } from '../../../../test/support/fake-vision.ts'
import { send } from '../../../../test/support/json-call.ts'

type HabitName = keyof typeof habits

/** What the platform's model does next. */
let now: Habit
let server: AiServer
let image: string
before(async () => {
  image = await picture('#f00')
  server = await startAiServer({ platform: (...request) => now(...request) }, { AI_TIMEOUT_S: '1', RENDERERS: '1' })
})
after(() => server[Symbol.asyncDispose]())

const fault = (kind: string) => [502, 'ai_provider_error', kind] as const

interface Told {
  readonly byok: readonly [status: number, name: string, kind?: string]
  readonly platform?: readonly [status: number, name: string, kind?: string]
  readonly retryAfter?: string
}

/** What is said of each way in which a model server fails. */
const failures: Partial<Record<HabitName, Told>> = {
  '401': { byok: fault('auth') },
  '403': { byok: fault('auth') },
  '402': { byok: fault('quota') },
  'quota-429': { byok: fault('quota') },
  '404': { byok: fault('model_not_found') },
  'no-vision': { byok: fault('no_vision') },
  'no-projector': { byok: fault('no_vision') },
  '413': { byok: fault('bad_output') },
  refusal: { byok: fault('refused') },
  filter: { byok: fault('refused') },
  'cut-off': { byok: fault('bad_output') },
  'no-json': { byok: fault('bad_output') },
  'echoes-schema': { byok: fault('bad_output') },
  'wrong-type': { byok: fault('bad_output') },
  html: { byok: fault('bad_output') },
  redirect: { byok: fault('bad_output') },
  bomb: { byok: fault('bad_output') },
  giant: { byok: fault('bad_output') },
  'bad-gateway': { byok: fault('network') },
  'error-200': { byok: fault('network') },
  reset: { byok: fault('network') },
  '503': { byok: fault('network') },
  '504': { byok: [504, 'ai_provider_timeout'] },
  silent: { byok: [504, 'ai_provider_timeout'] },
  drip: { byok: [504, 'ai_provider_timeout'] },
  '429': { byok: [429, 'ai_provider_rate_limited'], platform: [503, 'ai_service_unavailable'], retryAfter: '7' },
}

for (const [habit, { byok, platform = byok, retryAfter }] of Object.entries(failures))
  test(`${habit}: ${byok.slice(1).join(' ')}`, async () => {
    now = habits[habit as HabitName]
    const [signedIn, pro] = await Promise.all([server.signedIn('free'), server.signedIn('pro')])
    const answers = await Promise.all([
      server.ask('alt-text', { images: [image], ...server.ownModel(habit) }, signedIn),
      server.ask('alt-text', { images: [image] }, pro),
    ])
    for (const [index, { status, error, headers, body }] of answers.entries()) {
      const expected = index === 0 ? byok : platform
      assert.deepEqual([status, error?.statusMessage, body.kind], [expected[0], expected[1], expected[2]])
      if (retryAfter) assert.equal(headers.get('retry-after'), retryAfter)
      for (const secret of [UPSTREAM_WORDS, OPERATOR_KEY, 'sk-own-canary', 'nginx'])
        assert.ok(!JSON.stringify(body).includes(secret))
    }
    // All of it was given back.
    assert.equal(answers[1]?.headers.get('x-ai-remaining'), '100')
  })

test('what every image would fail with ends the request: the other images are not asked about', async () => {
  now = habits['401']
  const before = server.model.requests.length
  const { status, error } = await server.ask('alt-text', { images: Array(10).fill(image) })
  assert.deepEqual([status, error?.statusMessage], [502, 'ai_provider_error'])
  const askedCount = server.model.requests.length - before
  assert.ok(askedCount <= 8, `${askedCount} questions`)
})

const ANSWER = says('{"altText": "A red square."}')

/** The first question in a language gets one habit. Questions of the test before, which may arrive late, are in English. */
function firstIn(language: string, first: Habit, others: Habit): Habit {
  let questions = 0
  return (...request) => {
    const isOwn = JSON.stringify(request[1].messages).includes(language)
    return (isOwn && ++questions === 1 ? first : others)(...request)
  }
}

test('what is wrong with one image alone does not end the request', async () => {
  now = firstIn('German', habits.refusal, ANSWER)
  const { status, body } = await server.ask<{ summary: unknown }>('alt-text', { images: Array(4).fill(image), language: 'de' })
  assert.equal(status, 200)
  assert.deepEqual(body.summary, { total: 4, succeeded: 3, failed: 1 })
})

test('a key that is refused half-way leaves what was answered before', async () => {
  now = firstIn('French', ANSWER, async (...request) => {
    await sleep(300)
    habits['401'](...request)
  })
  const token = await server.signedIn('pro')
  const { status, body, headers } = await server.ask<{ results: { error?: unknown }[] }>(
    'alt-text',
    { images: Array(10).fill(image), language: 'fr' },
    token,
  )
  assert.equal(status, 200)
  const errors = body.results.flatMap(({ error }) => error ?? [])
  assert.equal(errors.length, 9)
  assert.deepEqual(errors[8], {
    code: 'ai_provider_error',
    message: 'The model server returned an error or an invalid answer.',
    kind: 'auth',
  })
  assert.equal(headers.get('x-ai-remaining'), '99')
})

test('an address inside the network is refused like one that does not exist, before anything is asked', async () => {
  const token = await server.signedIn('free')
  const answers = await Promise.all(
    ['http://10.1.2.3/v1', 'http://169.254.169.254/', 'https://nothing.invalid/v1'].map((baseUrl) =>
      server.ask('rename', { images: [{ data: image }], userProvider: { baseUrl, model: 'm', apiKey: 'k' } }, token),
    ),
  )
  for (const { status, error } of answers) {
    assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'])
    assert.deepEqual(error?.issues?.[0]?.path, ['userProvider', 'baseUrl'])
  }
  // But for the host and port that the caller sent.
  const sentences = answers.map(({ error }) => error?.message?.replace(/by adding \S+ to/, 'by adding HOST to'))
  assert.equal(new Set(sentences).size, 1)
})

test('the log has why a trial or a recommendation failed, also where the caller gets another answer', async () => {
  const faults = () => server.output().match(/a model failed: auth, status 401/g)?.length ?? 0
  const before = faults()
  const { userProvider } = server.ownModel('401')
  const token = await server.signedIn('pro')
  const trial = await send(server.url, 'POST /api/user/ai-key/test', { token, body: userProvider })
  assert.deepEqual([trial.status, trial.body.error], [200, 'auth'])
  const silent = await send(server.url, 'POST /api/user/ai-key/test', { token, body: server.ownModel('silent').userProvider })
  assert.deepEqual([silent.status, silent.body.error], [200, 'timeout'])
  now = habits['401']
  assert.equal((await server.ask('recommend', { images: [{ data: image, filename: 'a.png' }] }, token)).status, 200)
  assert.ok(await until(async () => faults() >= before + 2))
})

test('the log has why, and neither keys nor what model servers said', () => {
  assert.match(server.output(), /a model failed: auth, status 401/)
  for (const secret of [UPSTREAM_WORDS, OPERATOR_KEY, 'sk-own-canary']) assert.ok(!server.output().includes(secret))
})
