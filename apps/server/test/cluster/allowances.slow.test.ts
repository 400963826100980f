import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { makeApiKey, saveApiKey } from '../../src/accounts/api-keys.ts'
import type { PlanName } from '../../src/contract/plans.ts'
import { findMismatches } from '../../src/metering/ledger.ts'
import { accountTotals } from '../support/account-totals.ts'
import { grant, makeAccount, makeLogin } from '../support/accounts.ts'
import { removeBackground, studio } from '../support/background-call.ts'
import { caller } from '../support/call.ts'
import { send } from '../support/json-call.ts'
import { startOwnModel } from '../support/own-model.ts'
import { clusterOf, noCluster } from './cluster.ts'

/** Fifty callers at once, of three calls each, one to each API. */
const CALLERS = 50
const CALLS = 3 * CALLERS
const BURST = 60
const AI_IMAGES = 30
const AI_TOGETHER = 4
const REMOVALS = 10

const model = await startOwnModel()
after(() => model[Symbol.asyncDispose]())
const cluster = clusterOf(0, {
  BURST_PER_MINUTE: String(BURST),
  RENDER_QUEUE: '200',
  BATCH_NICE: '0',
  EGRESS_ALLOW: '127.0.0.1',
  AI_BASE_URL: model.url,
  AI_MODEL: 'own-model',
  AI_DAILY_LIMIT: `pro=${AI_IMAGES}`,
  BG_MONTHLY_LIMIT: `free=${REMOVALS}`,
})

const image = await solid(8, 8, '#123456').png().toBuffer()
const broken = image.subarray(0, 40)

/** An account with keys enough that the burst limit of none is met. */
async function account(plan: PlanName, keys = 5) {
  const { database } = cluster()
  const { id, key } = await makeAccount(database, plan)
  const more = Array.from({ length: keys - 1 }, () => makeApiKey())
  for (const [nth, one] of more.entries()) await saveApiKey(database.kysely, id, `${nth}`, one)
  return { id, keys: [key, ...more] }
}

/** What each of `calls` calls was answered, by how often: its status, or what was wrong. */
async function answers(calls: number, call: (nth: number, url: string) => Promise<Outcome>) {
  const { api } = cluster()
  const saidTexts: string[] = []
  let next = 0
  const one = async () => {
    for (let nth = next++; nth < calls; nth = next++) {
      const { status, error } = await untilServed(() => call(nth, api(nth).url))
      saidTexts.push(error?.statusMessage ?? String(status))
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, one))
  return Object.fromEntries([...Map.groupBy(saidTexts, (what) => what)].map(([what, all]) => [what, all.length]))
}
/** Comes again where a machine that has much else to do makes the database too slow: what is refused so is not counted. */
async function untilServed(call: () => Promise<Outcome>): Promise<Outcome> {
  for (let tries = 1; ; tries++) {
    const outcome = await call()
    if (outcome.status !== 503 || tries === 10) return outcome
  }
}
interface Outcome {
  readonly status: number
  readonly error: { readonly statusMessage: string } | undefined
}

/** Calls by the account's keys in turn; with `faulty` each so manyth sends what is no image. */
const convert =
  (keys: readonly string[], faulty = 0) =>
  (nth: number, url: string): Promise<Outcome> => {
    const key = keys[nth % keys.length] ?? ''
    return caller({ url, key }).post('convert', { format: 'png' }, { image: faulty && nth % faulty === 0 ? broken : image })
  }

test('fifty callers over three APIs: a month gives what it has left, whatever fails among them', {
  skip: noCluster,
}, async () => {
  const { database } = cluster()
  const { id, keys } = await account('team')
  await database.pool.query(`insert into usage_month values ($1, date_trunc('month', now() at time zone 'utc'), 49900)`, [id])
  const { 200: deliveredCount = 0, invalid_image: refusedCount = 0, ...others } = await answers(CALLS, convert(keys, 4))
  const { monthly_limit_exceeded: over = 0, ...unexpected } = others
  assert.deepEqual([deliveredCount + refusedCount + over, unexpected], [CALLS, {}])
  assert.ok(deliveredCount <= 100 && refusedCount > 0)
  assert.deepEqual(await accountTotals(database, id), {
    credits: 0,
    reserved: 0,
    booked: 0,
    open: 0,
    used: 49_900 + deliveredCount,
  })
  const rest = await answers(CALLS, convert(keys))
  assert.deepEqual(rest, {
    ...(deliveredCount < 100 && { 200: 100 - deliveredCount }),
    monthly_limit_exceeded: CALLS - 100 + deliveredCount,
  })
  assert.equal((await accountTotals(database, id)).used, 50_000)
})

test('fifty callers over three APIs: credits pay what they can, and the ledger adds up', { skip: noCluster }, async () => {
  const { database } = cluster()
  const { id, keys } = await account('free')
  await grant(database, id, 100)
  const { 200: deliveredCount = 0, invalid_image: refusedCount = 0, ...others } = await answers(CALLS, convert(keys, 4))
  const { insufficient_credits: over = 0, ...unexpected } = others
  assert.deepEqual([deliveredCount + refusedCount + over, unexpected], [CALLS, {}])
  const left = 100 - deliveredCount
  assert.ok(left >= 0 && refusedCount > 0)
  assert.deepEqual(await accountTotals(database, id), { credits: left, reserved: 0, booked: left, open: 0, used: 0 })
  const rest = await answers(CALLS, convert(keys))
  assert.deepEqual(rest, { ...(left > 0 && { 200: left }), insufficient_credits: CALLS - left })
  assert.deepEqual(await accountTotals(database, id), { credits: 0, reserved: 0, booked: 0, open: 0, used: 0 })
  const { rows } = await database.pool.query(
    'select array_agg(balance order by id) as balances from credit_entry where account_id = $1',
    [id],
  )
  assert.deepEqual(rows[0].balances.map(Number), [100, ...Array.from({ length: 100 }, (_, nth) => 99 - nth)])
  assert.deepEqual(await findMismatches(database), [])
})

test('fifty callers over three APIs: of one key as many start in a minute as its limit says', { skip: noCluster }, async () => {
  const { database } = cluster()
  const { id, keys } = await account('enterprise', 1)
  assert.deepEqual(await answers(CALLS, convert(keys)), { 200: BURST, rate_limited: CALLS - BURST })
  assert.equal((await accountTotals(database, id)).used, BURST)
})

test('twelve callers over three APIs: AI images of the day, of a request all or none', { skip: noCluster }, async () => {
  const { database } = cluster()
  const { id } = await account('pro', 1)
  const token = await makeLogin(database, id)
  const body = { images: Array(AI_TOGETHER).fill(`data:image/png;base64,${image.toString('base64')}`) }
  // As many as an account may have at work: four in each process.
  const askedValue = await answers(12, (_, url) => send(url, 'POST /v1/ai/alt-text', { token, body }))
  const fit = Math.floor(AI_IMAGES / AI_TOGETHER)
  assert.deepEqual(askedValue, { 200: fit, ai_daily_limit_exceeded: 12 - fit })
  assert.equal(model.asked(), fit * AI_TOGETHER)
})

test('fifty callers over three APIs: backgrounds removed in the month', { skip: noCluster }, async () => {
  const { database } = cluster()
  const { id } = await account('free', 1)
  const token = await makeLogin(database, id)
  const picture = await studio().png().toBuffer()
  const askedValue = await answers(CALLERS, (_, url) => removeBackground(url, token, picture))
  assert.deepEqual(askedValue, { 200: REMOVALS, background_quota_exceeded: CALLERS - REMOVALS })
  const { rows } = await database.pool.query('select used from background_month where account_id = $1', [id])
  assert.deepEqual(rows, [{ used: REMOVALS }])
})
