import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin } from '../../../../test/support/accounts.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { SPENT, startOwnModel } from '../../../../test/support/own-model.ts'
import { metricsOf } from '../../../../test/support/read-metric.ts'
import { serverOn } from '../../../../test/support/server-on.ts'
import type { PlanName } from '../../../contract/plans.ts'
import { usage } from '../../../metering/routes/usage.ts'

const image = `data:image/png;base64,${(await solid(8, 8, '#123456').png().toBuffer()).toString('base64')}`
const LIMIT = 5

const model = await startOwnModel()
after(() => model[Symbol.asyncDispose]())
const settings = {
  AI_BASE_URL: model.url,
  AI_MODEL: 'own-model',
  AI_DAILY_LIMIT: `pro=${LIMIT},enterprise=unlimited`,
  AI_PRICE_INPUT: '0.15',
  AI_PRICE_OUTPUT: '0.6',
  EGRESS_ALLOW: '127.0.0.1',
  BURST_PER_MINUTE: '30',
}
const { server, database } = await serverOn(TARGETS[0], { after }, settings)

interface Answer {
  readonly summary: { readonly total: number; readonly succeeded: number; readonly failed: number }
  readonly quota?: { readonly limit: number; readonly used: number; readonly remaining: number; readonly resetsAt: string }
}
interface Usage {
  readonly calls: { readonly used: number }
  readonly byEndpoint: readonly object[]
  readonly recent: readonly { readonly status: number; readonly endpoint: string; readonly ai?: object }[]
  readonly ai: {
    readonly today: { readonly limit: number | null; readonly used: number; readonly remaining: number | null }
    readonly month: object
  }
}

async function person(plan: PlanName = 'pro') {
  const account = await makeAccount(database, plan)
  return { ...account, token: await makeLogin(database, account.id) }
}
const altText = (token: string, images: number, more = {}, url = server.url) =>
  send<Answer>(url, 'POST /v1/ai/alt-text', { token, body: { images: Array(images).fill(image), ...more } })
const usageOf = async (token: string) => (await send<Usage>(server.url, 'GET /api/v2/usage', { token })).body
/** The usage, once as many requests are listed. */
async function untilListed(token: string, requests: number): Promise<Usage> {
  assert.ok(await until(async () => (await usageOf(token)).recent.length === requests), `${requests} requests are listed`)
  return usageOf(token)
}
const headersOf = (headers: Headers) => ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ai-${name}`))
const midnight = () => String((Math.floor(Date.now() / 86_400_000) + 1) * 86_400)

test('images count down the day, by key and by login alike, and are no calls of the month', async () => {
  const { key, token } = await person()
  const first = await altText(key, 2)
  assert.equal(first.status, 200, JSON.stringify(first.body))
  assert.deepEqual(headersOf(first.headers), [String(LIMIT), '3', midnight()])
  const { resetsAt, ...quota } = first.body.quota ?? assert.fail('it tells the quota')
  assert.deepEqual(quota, { limit: LIMIT, used: 2, remaining: 3 })
  assert.equal(Date.parse(resetsAt) / 1000, Number(midnight()))
  assert.equal(first.headers.get('ratelimit-policy'), '"burst";q=30;w=60')
  assert.match(first.headers.get('ratelimit') ?? '', /^"burst";r=29;t=(59|60)$/)
  assert.equal(first.headers.get('x-ratelimit-limit'), null)
  assert.equal((await altText(token, 1)).headers.get('x-ai-remaining'), '2')

  const { calls, byEndpoint, recent, ai } = await untilListed(token, 2)
  assert.deepEqual([calls.used, byEndpoint], [0, []])
  assert.deepEqual([ai.today.limit, ai.today.used, ai.today.remaining], [LIMIT, 3, 2])
  // Three questions of 1,000 tokens at $ 0.15 and 50 at $ 0.60 a million.
  assert.deepEqual(ai.month, { images: 3, inputTokens: 3_000, outputTokens: 150, cost: 0.00054 })
  const [byLogin, byKey] = recent
  assert.deepEqual([byKey?.endpoint, byKey?.status], ['/v1/ai/alt-text', 200])
  assert.deepEqual(byKey?.ai, {
    provider: 'platform',
    model: 'own-model',
    images: 2,
    cost: 0.00036,
    inputTokens: 2 * SPENT.inputTokens,
    outputTokens: 2 * SPENT.outputTokens,
  })
  // The answer is what is documented, and nothing else.
  const answeredUsage = await usageOf(token)
  assert.deepEqual(usage.answer?.parse(answeredUsage), answeredUsage)
  assert.deepEqual(byLogin?.ai, { provider: 'platform', model: 'own-model', images: 1, cost: 0.00018, ...SPENT })
})

test('failed images are refunded, also where all failed; their tokens are counted', async () => {
  const { token } = await person()
  model.decline(1)
  const { status, body, headers } = await altText(token, 3)
  assert.deepEqual([status, body.summary], [200, { total: 3, succeeded: 2, failed: 1 }])
  assert.deepEqual([headers.get('x-ai-remaining'), body.quota?.used], ['3', 2])
  model.decline(2)
  const failedAnswer = await altText(token, 2)
  assert.deepEqual([failedAnswer.status, failedAnswer.error?.statusMessage], [502, 'ai_provider_error'])
  // An error too says what is left.
  assert.deepEqual(headersOf(failedAnswer.headers), [String(LIMIT), '3', midnight()])
  const { recent, ai } = await untilListed(token, 2)
  assert.equal(ai.today.used, 2)
  assert.deepEqual(ai.month, { images: 2, inputTokens: 5_000, outputTokens: 250, cost: 0.0009 })
  assert.deepEqual(recent[0]?.ai, {
    provider: 'platform',
    model: 'own-model',
    images: 0,
    cost: 0.00036,
    inputTokens: 2 * SPENT.inputTokens,
    outputTokens: 2 * SPENT.outputTokens,
  })
})

test('more images than are left are refused with the time of the reset: no model is asked, and none is counted', async () => {
  const { token } = await person()
  assert.equal((await altText(token, 3)).status, 200)
  const askedCount = model.asked()
  const refusedAnswer = await altText(token, 3)
  assert.deepEqual([refusedAnswer.status, refusedAnswer.error?.statusMessage], [429, 'ai_daily_limit_exceeded'])
  assert.deepEqual(headersOf(refusedAnswer.headers), [String(LIMIT), '2', midnight()])
  assert.ok(Math.abs(Date.now() / 1000 + Number(refusedAnswer.headers.get('retry-after')) - Number(midnight())) < 10)
  assert.equal(model.asked(), askedCount)
  assert.equal((await altText(token, 2)).headers.get('x-ai-remaining'), '0')
  const { recent } = await untilListed(token, 3)
  assert.deepEqual([recent[1]?.status, recent[1] && 'ai' in recent[1]], [429, false])
})

test('Enterprise is unlimited, and counted', async () => {
  const { key } = await person('enterprise')
  const { headers, body } = await altText(key, 10)
  assert.deepEqual([...headersOf(headers), body.quota], ['unlimited', 'unlimited', midnight(), undefined])
  const { today } = (await usageOf(key)).ai
  assert.deepEqual([today.limit, today.used, today.remaining], [null, 10, null])
})

test('a caller’s own model has no quota on any plan, and its usage is shown without a price', async () => {
  const { token } = await person('free')
  const userProvider = { baseUrl: model.url, model: 'mine', apiKey: 'sk-mine' }
  const { status, headers, body } = await altText(token, 8, { userProvider })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([...headersOf(headers), body.quota], [null, null, null, undefined])
  const { recent, ai } = await untilListed(token, 1)
  assert.deepEqual([ai.today.limit, ai.today.used], [0, 0])
  assert.deepEqual(recent[0]?.ai, { provider: 'byok', model: 'mine', images: 8, inputTokens: 8_000, outputTokens: 400 })
})

test('of four requests at once as many are answered as there are images left', async () => {
  const { key, token } = await person()
  assert.equal((await altText(key, LIMIT - 2)).status, 200)
  const answers = await Promise.all(Array.from({ length: 4 }, () => altText(key, 1)))
  const statuses = answers.map(({ status, error }) => `${status} ${error?.statusMessage ?? ''}`.trim()).sort()
  assert.deepEqual(statuses, ['200', '200', '429 ai_daily_limit_exceeded', '429 ai_daily_limit_exceeded'])
  assert.equal((await usageOf(token)).ai.today.used, LIMIT)
})

test('a client that hangs up gets its images refunded, and its request is listed', async () => {
  const { token, id } = await person()
  const release = model.hold()
  const client = new AbortController()
  const body = JSON.stringify({ images: [image, image] })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const askedCount = model.asked()
  const call = fetch(`${server.url}/v1/ai/alt-text`, { method: 'POST', body, headers, signal: client.signal })
  assert.ok(await until(async () => model.asked() === askedCount + 2))
  assert.equal((await usageOf(token)).ai.today.used, 2)
  client.abort()
  await assert.rejects(call)
  const { recent } = await untilListed(token, 1)
  release()
  assert.equal((await usageOf(token)).ai.today.used, 0)
  const { rows } = await database.pool.query(`select from reservation where account_id = $1 and meter = 'ai_image'`, [id])
  assert.equal(rows.length, 0)
  assert.equal(recent[0]?.status, 499)
})

test('an account has at most four AI requests at once, which do not delay other accounts', async () => {
  const { token } = await person('enterprise')
  const other = await person('enterprise')
  const release = model.hold()
  const askedCount = model.asked()
  const four = Array.from({ length: 4 }, () => altText(token, 1))
  assert.ok(await until(async () => model.asked() === askedCount + 4))
  const fifth = await altText(token, 1)
  assert.deepEqual([fifth.status, fifth.error?.statusMessage, fifth.headers.get('retry-after')], [429, 'rate_limited', '1'])
  const others = altText(other.token, 1)
  assert.ok(await until(async () => model.asked() === askedCount + 5))
  release()
  for (const { status } of await Promise.all([...four, others])) assert.equal(status, 200)
  assert.equal((await altText(token, 1)).status, 200)
})

test('the metrics have questions and tokens of models, and no names or keys of callers', async () => {
  const { token } = await person('free')
  const userProvider = { baseUrl: model.url, model: 'a-name-of-mine', apiKey: 'sk-mine' }
  assert.equal((await altText(token, 1, { userProvider })).status, 200)
  model.decline(1)
  assert.equal((await altText((await person()).token, 1)).status, 502)
  const metrics = await metricsOf(server)
  const questions = /^pixelmill_ai_question_seconds_count\{provider="byok",outcome="ok"\} (\d+)$/m.exec(metrics)
  assert.ok(Number(questions?.[1]) >= 1)
  assert.match(metrics, /^pixelmill_ai_question_seconds_count\{provider="platform",outcome="refused"\} [1-9]/m)
  assert.match(metrics, /^pixelmill_ai_tokens_total\{provider="byok",direction="input"\} \d+000$/m)
  assert.match(metrics, /^pixelmill_ai_questions_waiting\{provider="platform"\} 0$/m)
  for (const word of ['a-name-of-mine', 'own-model', 'sk-mine', `:${model.port}`]) assert.ok(!metrics.includes(word), word)
})
