import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { until } from '@pixelmill/engine/test/support/until'
import { z } from 'zod'
import { habits, SPENT, seenValue, startFakeVision, UPSTREAM_WORDS } from '../../../../test/support/fake-vision.ts'
import { parseAllowList } from '../../../outbound/allow-list.ts'
import { openOutbound } from '../../../outbound/outbound.ts'
import { AiError } from '../../client/ai-error.ts'
import { visionClient } from '../../client/ask-vision.ts'
import type { Question } from '../../client/question.ts'

const API_KEY = 'sk-canary-0123456789'
const IMAGE = 'data:image/jpeg;base64,/9j/4AAQ'
const question = {
  system: 'You describe images.',
  user: 'Describe this one.',
  images: [IMAGE],
  schema: z.object({ alt: z.string().min(1), decorative: z.boolean(), confidence: z.number().min(0).max(1) }),
  maxTokens: 300,
  deadlineMs: 10_000,
}
type Habit = keyof typeof habits

const fake = await startFakeVision()
const outbound = openOutbound({ allow: parseAllowList(`127.0.0.1:${fake.port}`) })
after(async () => {
  await outbound.close()
  await fake[Symbol.asyncDispose]()
})

const requestsOf = (model: string) => fake.requests.filter(({ asked }) => asked.model === model)
const none = new AbortController().signal

const ask = (model: Habit, changes: Partial<Question<typeof question.schema>> = {}, client = visionClient(), signal = none) =>
  client.askVision(
    { baseUrl: fake.url, model, apiKey: API_KEY, fetch: outbound.guardedFetch },
    { ...question, ...changes },
    signal,
  )

async function failure(asking: Promise<unknown>): Promise<AiError> {
  const error = await asking.then(
    (answer) => assert.fail(`it answered ${inspect(answer)}`),
    (thrownValue: unknown) => thrownValue,
  )
  assert.ok(error instanceof AiError, inspect(error))
  return error
}

const times = (count: number, { inputTokens, outputTokens, totalTokens } = SPENT) => ({
  inputTokens: count * inputTokens,
  outputTokens: count * outputTokens,
  totalTokens: count * totalTokens,
})

/** Habits that end in the answer: after how many requests, and how many of those were paid for. */
const answeredTexts: readonly (readonly [habit: Habit, requests: number, paid: number])[] = [
  ...(['ok', 'fenced', 'fenced-in-prose', 'prose', 'think', 'think-unopened', 'reasoning'] as const).map(
    (habit) => [habit, 1, 1] as const,
  ),
  ...(['content-null', 'reasoning-field', 'tool-call', 'single-quotes', 'curly-quotes'] as const).map(
    (habit) => [habit, 1, 1] as const,
  ),
  ...(['missing-brace', 'byte-order-mark', 'parts', 'wrapped', 'array', 'lm-studio'] as const).map(
    (habit) => [habit, 1, 1] as const,
  ),
  ['no-usage', 1, 0],
  ['odd-usage', 1, 0],
  ['model-path', 1, 1],
  ['odd-model', 1, 1],
  ['no-schema', 2, 1],
  ['no-format', 3, 1],
  ['new-parameters', 3, 1],
  ['once-429', 2, 1],
  ['once-500', 2, 1],
  ['once-cut', 2, 2],
  ['once-wrong', 2, 2],
  ['once-empty', 2, 2],
]
for (const [habit, requests, paidCount] of answeredTexts)
  test(`${habit}: the answer after ${requests}`, async () => {
    const { value, usage, model } = await ask(habit)
    assert.deepEqual(value, seenValue)
    assert.deepEqual(usage, times(paidCount))
    assert.equal(model, habit === 'odd-model' ? 'odd-model' : 'fake-vl')
    assert.equal(requestsOf(habit).length, requests)
  })

/** Habits that end in an error: after how many requests, and how many of those were paid for. */
const failedTexts: readonly (readonly [habit: Habit, kind: AiError['kind'], requests: number, paid: number])[] = [
  ['cut-off', 'bad_output', 2, 2],
  ['empty', 'bad_output', 2, 2],
  ['wrong-type', 'bad_output', 2, 2],
  ['echoes-schema', 'bad_output', 2, 2],
  ['no-json', 'bad_output', 2, 2],
  ['deep', 'bad_output', 2, 2],
  ['html', 'bad_output', 2, 0],
  ['no-choices', 'bad_output', 2, 0],
  ['json-null', 'bad_output', 2, 0],
  ['event-stream', 'bad_output', 2, 0],
  ['bad-gateway', 'network', 2, 0],
  ['error-200', 'network', 2, 0],
  ['no-vision', 'no_vision', 1, 0],
  ['no-projector', 'no_vision', 1, 0],
  ['no-endpoint', 'no_vision', 1, 0],
  ['401', 'auth', 1, 0],
  ['403', 'auth', 1, 0],
  ['wrong-key-400', 'auth', 1, 0],
  ['404', 'model_not_found', 1, 0],
  ['no-model-400', 'model_not_found', 1, 0],
  ['402', 'quota', 1, 0],
  ['quota-429', 'quota', 1, 0],
  ['429', 'rate_limited', 1, 0],
  ['413', 'rejected', 3, 0],
  ['too-long', 'rejected', 3, 0],
  ['flood', 'bad_output', 1, 0],
  ['503', 'network', 1, 0],
  ['504', 'timeout', 1, 0],
  ['refuses-in-words', 'refused', 1, 1],
  ['refusal', 'refused', 1, 1],
  ['filter', 'refused', 1, 1],
  ['filter-400', 'refused', 1, 0],
  ['redirect', 'bad_output', 1, 0],
  ['reset', 'network', 2, 0],
  ['giant', 'bad_output', 1, 0],
  ['bomb', 'bad_output', 1, 0],
]
for (const [habit, kind, requests, paidCount] of failedTexts)
  test(`${habit}: ${kind} after ${requests}, without the server’s words`, async () => {
    const error = await failure(ask(habit))
    assert.deepEqual([error.kind, error.usage], [kind, times(paidCount)])
    assert.equal(requestsOf(habit).length, requests)
    const everything = inspect(error, { depth: 10, showHidden: true })
    assert.ok(!everything.includes(UPSTREAM_WORDS) && !everything.includes(API_KEY), everything)
  })

for (const habit of ['silent', 'drip'] as const)
  test(`${habit}: timeout at the deadline, and the connection is closed`, async () => {
    const began = performance.now()
    const { kind } = await failure(ask(habit, { deadlineMs: 400 }))
    assert.equal(kind, 'timeout')
    assert.ok(performance.now() - began < 10_000)
    assert.ok(await until(async () => fake.answering() === 0))
  })

const unendedTexts = ['silent', 'drip', 'once-wrong-then-silent']

test('every habit is tried', () => {
  const triedTexts = [...answeredTexts.map(([habit]) => habit), ...failedTexts.map(([habit]) => habit), ...unendedTexts]
  assert.deepEqual(triedTexts.sort(), Object.keys(habits).sort())
})

test('the wait that a server asks for is part of the error, and is not waited for', async () => {
  const began = performance.now()
  const { retryAfterSeconds, status } = await failure(ask('429'))
  assert.deepEqual([retryAfterSeconds, status], [7, 429])
  assert.ok(performance.now() - began < 6_000)
})

test('what a server takes is remembered for it alone, for as long as the client lives', async () => {
  const client = visionClient()
  const from = requestsOf('no-format').length
  await ask('no-format', {}, client)
  await ask('no-format', {}, client)
  const formats = requestsOf('no-format').slice(from)
  assert.deepEqual(
    formats.map(({ asked }) => asked.response_format?.type),
    ['json_schema', 'json_object', undefined, undefined],
  )
  await ask('ok', {}, client)
  assert.equal(requestsOf('ok').at(-1)?.asked.response_format?.type, 'json_schema')
})

test('a request carries the image, the schema in its strictest form, and the key in one header', async () => {
  await ask('ok')
  const request = requestsOf('ok').at(-1)
  assert.ok(request)
  const { asked, headers, path } = request
  assert.deepEqual([path, headers.authorization], ['/v1/chat/completions', `Bearer ${API_KEY}`])
  assert.deepEqual([asked.stream, asked.max_tokens], [false, 300])
  assert.deepEqual(asked.messages[1], {
    role: 'user',
    content: [
      { type: 'text', text: question.user },
      { type: 'image_url', image_url: { url: IMAGE } },
    ],
  })
  const schema = {
    type: 'object',
    properties: { alt: { type: 'string' }, decorative: { type: 'boolean' }, confidence: { type: 'number' } },
    required: ['alt', 'decorative', 'confidence'],
    additionalProperties: false,
  }
  assert.deepEqual(asked.response_format, { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } })
  assert.ok(String(asked.messages[0]?.content).endsWith(JSON.stringify(schema)))
  assert.ok(!JSON.stringify(asked).includes(API_KEY))
})

test('an invalid answer is corrected without the image; one that was cut off is asked for again with more tokens', async () => {
  await ask('wrong-type').catch(() => {})
  const mendedText = JSON.stringify(requestsOf('wrong-type').at(-1)?.asked.messages)
  assert.match(mendedText, /does not follow the schema/)
  assert.ok(!mendedText.includes(IMAGE))
  await ask('cut-off').catch(() => {})
  const again = requestsOf('cut-off').at(-1)?.asked
  assert.equal(again?.max_tokens, 600)
  assert.ok(JSON.stringify(again?.messages).includes(IMAGE))
})

test('a client that leaves ends the request, with its own reason', async () => {
  const reason = new Error('the client left')
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), 100)
  await assert.rejects(ask('silent', {}, visionClient(), controller.signal), reason)
})

test('tokens spent before a client hangs up are reported', async () => {
  const controller = new AbortController()
  const askedCount = requestsOf('once-wrong-then-silent').length
  let reportedValue: unknown
  const asking = visionClient().askVision(
    { baseUrl: fake.url, model: 'once-wrong-then-silent', fetch: outbound.guardedFetch },
    question,
    controller.signal,
    (usage) => {
      reportedValue = usage
    },
  )
  const left = assert.rejects(asking, /the client left/)
  assert.ok(await until(async () => requestsOf('once-wrong-then-silent').length === askedCount + 2))
  controller.abort(new Error('the client left'))
  await left
  assert.deepEqual(reportedValue, times(1))
})

test('an address that is not allowed, or is none, is not called', async () => {
  const askModelAt = (baseUrl: string, fetch = outbound.guardedFetch) =>
    failure(visionClient().askVision({ baseUrl, model: 'ok', fetch }, question, none))
  const before = fake.requests.length
  for (const baseUrl of ['http://127.0.0.1:1/v1', `http://localhost:${fake.port}/v1`, 'file:///etc', 'nonsense'])
    assert.equal((await askModelAt(baseUrl)).kind, 'address')
  assert.equal(fake.requests.length, before)
  // The operator's own server may stand where it likes.
  assert.equal((await askModelAt('http://127.0.0.1:1/v1', outbound.operatorFetch)).kind, 'network')
})

test('a key that no header can carry is a wrong key; without one, no header is sent', async () => {
  const server = { baseUrl: fake.url, model: 'ok', fetch: outbound.guardedFetch }
  const before = fake.requests.length
  for (const apiKey of ['a\r\nb', 'ключ', 'a b', ''])
    assert.equal((await failure(visionClient().askVision({ ...server, apiKey }, question, none))).kind, 'auth')
  assert.equal(fake.requests.length, before)
  await visionClient().askVision(server, question, none)
  assert.equal(fake.requests.at(-1)?.headers.authorization, undefined)
})
