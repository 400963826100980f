import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { accountTotals, removalTotals } from '../../../../test/support/account-totals.ts'
import { grant, makeAccount, makeLogin } from '../../../../test/support/accounts.ts'
import { clutter, quotaOf, removeBackground, studio } from '../../../../test/support/background-call.ts'
import { caller } from '../../../../test/support/call.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { metricsOf } from '../../../../test/support/read-metric.ts'
import { serverOn } from '../../../../test/support/server-on.ts'
import type { PlanName } from '../../../contract/plans.ts'
import { usage } from '../../../metering/routes/usage.ts'

const LIMIT = 5
const settings = { BG_MONTHLY_LIMIT: `free=${LIMIT},team=${LIMIT},enterprise=unlimited`, BURST_PER_MINUTE: '0', RENDERERS: '1' }
const { server, database } = await serverOn(TARGETS[0], { after }, settings)

const picture = await studio(60, 40).png().toBuffer()
const noise = await clutter(48, 32).png().toBuffer()
const remove = (token: string, image: Buffer | undefined = picture, url = server.url, init: RequestInit = {}) =>
  removeBackground(url, token, image, {}, init)

async function person(plan: PlanName = 'free', credits = 0) {
  const account = await makeAccount(database, plan)
  if (credits > 0) await grant(database, account.id, credits)
  return { ...account, token: await makeLogin(database, account.id) }
}
const removalsOf = (id: string) => removalTotals(database, id)
const nextMonth = () => {
  const now = new Date()
  return String(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) / 1000)
}
interface Usage {
  readonly calls: { readonly used: number; readonly limit: number }
  readonly byEndpoint: readonly { readonly endpoint: string; readonly calls: number }[]
  readonly recent: readonly { readonly status: number; readonly endpoint: string; readonly statusMessage?: string }[]
  readonly background: { readonly limit: number | null; readonly used: number; readonly remaining: number | null }
}
async function usageWith(token: string, recent: number): Promise<Usage> {
  const ask = async () => (await send<Usage>(server.url, 'GET /api/v2/usage', { token })).body
  assert.ok(await until(async () => (await ask()).recent.length === recent), `${recent} requests are listed`)
  return ask()
}

test('a removal with a login token counts as one of the month on any plan, and is no call', async () => {
  const { id, token } = await person()
  const answer = await remove(token)
  assert.equal(answer.status, 200, String(answer.error?.message))
  assert.deepEqual(quotaOf(answer), [String(LIMIT), String(LIMIT - 1), nextMonth()])
  const header = (name: string) => answer.headers.get(name)
  assert.deepEqual([header('x-ratelimit-limit'), header('x-ratelimit-remaining')], [String(LIMIT), String(LIMIT - 1)])
  assert.match(header('ratelimit-policy') ?? '', /^"background";q=5;w=\d{7}$/)
  assert.match(header('ratelimit') ?? '', /^"background";r=4;t=\d+$/)
  assert.deepEqual(await removalsOf(id), { removals: 1, calls: 0, held: 0, reserved: 0 })
  const answeredUsage = await usageWith(token, 1)
  assert.deepEqual([answeredUsage.calls.used, answeredUsage.byEndpoint], [0, []])
  assert.deepEqual([answeredUsage.recent[0]?.endpoint, answeredUsage.recent[0]?.status], ['/api/background-remove', 200])
  const { limit, used, remaining } = answeredUsage.background
  assert.deepEqual([limit, used, remaining], [LIMIT, 1, LIMIT - 1])
  assert.deepEqual(usage.answer?.parse(answeredUsage), answeredUsage)
})

test('a removal with a key counts as one of the month and as a call, or a credit', async () => {
  const { id, key } = await person('team')
  const answer = await remove(key)
  assert.equal(answer.status, 200, String(answer.error?.message))
  assert.deepEqual(quotaOf(answer), [String(LIMIT), String(LIMIT - 1), nextMonth()])
  assert.deepEqual([answer.headers.get('x-ratelimit-limit'), answer.headers.get('x-ratelimit-remaining')], ['50000', '49999'])
  assert.match(answer.headers.get('ratelimit-policy') ?? '', /^"month";q=50000;w=\d+, "background";q=5;w=\d+$/)
  assert.deepEqual(await removalsOf(id), { removals: 1, calls: 1, held: 0, reserved: 0 })
  const answeredUsage = await usageWith(key, 1)
  assert.deepEqual([answeredUsage.calls.used, answeredUsage.byEndpoint], [1, [{ endpoint: '/api/background-remove', calls: 1 }]])

  const buyer = await person('free', 3)
  const paidAnswer = await remove(buyer.key)
  assert.deepEqual([paidAnswer.status, paidAnswer.headers.get('x-credits-remaining'), quotaOf(paidAnswer)[1]], [200, '2', '4'])
  assert.equal((await accountTotals(database, buyer.id)).credits, 2)
})

test('refused: no credentials, an unknown key, a plan without the API, no credits left, a plan without removals', async () => {
  const ask = async (token: string, init: RequestInit = {}) => {
    const { status, error } = await remove(token, picture, server.url, init)
    return [status, error?.statusMessage]
  }
  const poor = await person()
  const spentValue = await person('free', 1)
  await remove(spentValue.key)
  const without = await person('pro')
  assert.deepEqual(await ask('', { headers: { authorization: '' } }), [401, 'missing_or_invalid_api_key'])
  assert.deepEqual(await ask(`sk_${'x'.repeat(48)}`), [401, 'invalid_or_revoked_api_key'])
  assert.deepEqual(await ask(`at_${'x'.repeat(43)}`), [401, 'invalid_or_expired_login_token'])
  assert.deepEqual(await ask(poor.key), [401, 'api_access_not_available'])
  assert.deepEqual(await ask(spentValue.key), [402, 'insufficient_credits'])
  assert.deepEqual(await ask(without.token), [429, 'background_quota_exceeded'])
  // A browser's session, of our own page and of another.
  const cookie = `session=${poor.token}`
  const byCookie = (origin: string) =>
    fetch(`${server.url}/api/background-remove`, { method: 'POST', headers: { cookie, origin } })
  assert.equal((await byCookie(server.url)).status, 400)
  assert.equal((await byCookie('https://elsewhere.example')).status, 403)
})

test('over the quota the answer is 429 with the time of the reset; the body is not read and no call is charged', async () => {
  const { id, key, token } = await person('team')
  for (let n = LIMIT - 1; n >= 0; n--) assert.equal(quotaOf(await remove(n % 2 ? key : token))[1], String(n))
  for (const [by, left] of [
    [key, '49998'],
    [token, '0'],
  ] as const) {
    const refusedAnswer = await remove(by, Buffer.from('no image'))
    assert.deepEqual([refusedAnswer.status, refusedAnswer.error?.statusMessage], [429, 'background_quota_exceeded'])
    assert.deepEqual(quotaOf(refusedAnswer), [String(LIMIT), '0', nextMonth()])
    assert.equal(refusedAnswer.headers.get('x-ratelimit-remaining'), left)
    const seconds = Number(refusedAnswer.headers.get('retry-after'))
    assert.ok(Math.abs(Date.now() / 1000 + seconds - Number(nextMonth())) < 5, `${seconds} s`)
  }
  assert.deepEqual(await removalsOf(id), { removals: LIMIT, calls: 2, held: 0, reserved: 0 })
  const { recent, background } = await usageWith(token, LIMIT + 2)
  assert.deepEqual(
    recent.slice(0, 2).map(({ statusMessage }) => statusMessage),
    Array(2).fill('background_quota_exceeded'),
  )
  assert.deepEqual([background.used, background.remaining], [LIMIT, 0])
  // Other work goes on.
  assert.equal((await caller({ url: server.url, key }).post('convert', {}, { image: picture })).status, 200)
})

test('an image that is refused or has no subject costs nothing, by key, credit and login token', async () => {
  const team = await person('team')
  const buyer = await person('free', 2)
  for (const { id, by, credits } of [
    { id: team.id, by: team.key, credits: 0 },
    { id: buyer.id, by: buyer.key, credits: 2 },
    { id: buyer.id, by: buyer.token, credits: 2 },
  ]) {
    for (const [image, status] of [
      [noise, 422],
      [picture.subarray(0, 60), 400],
      [Buffer.from('no image'), 400],
      [undefined, 400],
    ] as const) {
      const answer = await removeBackground(server.url, by, image)
      assert.equal(answer.status, status)
      assert.deepEqual(quotaOf(answer).slice(0, 2), [String(LIMIT), String(LIMIT)])
    }
    assert.deepEqual(await removalsOf(id), { removals: 0, calls: 0, held: 0, reserved: 0 })
    assert.equal((await accountTotals(database, id)).credits, credits)
  }
})

test('a client that hangs up gets its removal and its call refunded', async () => {
  const large = await photo(1_500, 1_000).jpeg({ quality: 60 }).toBuffer()
  const { id, key, token } = await person('team')
  for (const by of [key, token]) {
    const impatient = new AbortController()
    const left = remove(by, large, server.url, { signal: impatient.signal }).catch(({ name }: Error) => name)
    assert.ok(await until(async () => (await removalsOf(id)).removals === 1))
    impatient.abort()
    assert.equal(await left, 'AbortError')
    assert.ok(await until(async () => (await removalsOf(id)).held === 0))
    assert.deepEqual(await removalsOf(id), { removals: 0, calls: 0, held: 0, reserved: 0 })
  }
})

test('of twelve calls at once as many are answered as there are removals', async () => {
  const { id, key, token } = await person('team')
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => remove(n % 3 ? key : token)))
  const statuses = Map.groupBy(answers, ({ status }) => status)
  assert.deepEqual([statuses.get(200)?.length, statuses.get(429)?.length], [LIMIT, 12 - LIMIT])
  const { removals, held, calls } = await removalsOf(id)
  assert.deepEqual([removals, held], [LIMIT, 0])
  assert.ok(calls <= LIMIT && calls >= 0)
})

test('metrics count removals by remover and outcome', async () => {
  const text = await metricsOf(server)
  for (const outcome of ['cut_out', 'unsure', 'failed'])
    assert.match(
      text,
      new RegExp(`^pixelmill_background_removal_seconds_count\\{remover="local",outcome="${outcome}"\\} [1-9]`, 'm'),
    )
  assert.match(text, /^pixelmill_image_output_bytes_total\{operation="background-remove"\} [1-9]/m)
})
