import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { writeHeic } from '@pixelmill/codecs/heic/write-heic'
import { corners } from '@pixelmill/codecs/test/support/corners'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { caller, form, read } from '../../../test/support/call.ts'
import { send } from '../../../test/support/json-call.ts'
import { newAddress, type SignedIn } from '../../../test/support/person.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import type { ManagedAccount } from '../../accounts/account.ts'
import type { AuditPage } from '../../accounts/audit.ts'
import { guess, takeAttempt } from '../../accounts/throttle.ts'
import type { PlanName } from '../../contract/plans.ts'
import type { Database } from '../../database/database.ts'

/** What some settings change, all on one server, as none of them changes what another does. */

/** One of the most common: an operator may choose it, a user may not. */
const PASSWORD = 'password1'
const GOOD = 'correct horse'
let server: Server
let database: Database
before(async () => {
  server = await startServer({
    RENDERERS: '1',
    LOG_LEVEL: 'debug',
    HEIC: 'off',
    BURST_PER_MINUTE: '30',
    TRIAL_CALLS: 'pro=2',
    SIGN_UP: 'closed',
    ADMIN_EMAIL: 'Root@Example.com',
    ADMIN_PASSWORD: PASSWORD,
  })
  database = await openServerDatabase(server.dir)
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

const image = await solid(8, 8, '#123456').png().toBuffer()
const signIn = (email: string, password = PASSWORD, headers = {}) =>
  send<SignedIn>(server.url, 'POST /api/auth/sign-in', { body: { email, password }, headers })

test('HEIC=off refuses HEIC as an image and as a watermark, and accepts all other formats', async () => {
  assert.match(server.output(), /"heicWriter":"none"/)
  const { post } = caller(server)
  const { bytes } = await writeHeic(corners(40, 30))
  for (const answer of [
    await post('convert', {}, { image: bytes }),
    await post('optimize', {}, { image: { bytes, name: 'photo.jpg', type: 'image/jpeg' } }),
    await post('watermark', {}, { image, watermark: bytes }),
  ])
    assert.deepEqual([answer.status, answer.error?.statusMessage], [400, 'invalid_image_type'])
  const avif = await solid(16, 16, '#123456').avif({ effort: 0 }).toBuffer()
  for (const acceptedBytes of [image, avif]) assert.equal((await post('convert', {}, { image: acceptedBytes })).status, 200)
})

test('SIGN_UP=closed refuses sign-ups, whatever their body is; accounts sign in as before', async () => {
  for (const body of [{ email: newAddress(), password: GOOD }, '{"email": 7}', 'nothing']) {
    const { status, error } = await send(server.url, 'POST /api/auth/sign-up', { body })
    assert.deepEqual([status, error?.statusMessage], [403, 'sign_up_closed'])
  }
  const { body } = await signIn('root@example.com')
  assert.deepEqual([body.user.role, body.user.plan], ['admin', 'enterprise'])
})

test('an administrator makes an account where sign-up is closed, only for an address that is free', async () => {
  const { token } = (await signIn('root@example.com')).body
  const account = { email: 'Ada@Example.com', password: GOOD, name: 'Ada', plan: 'team' }
  const add = () => send<ManagedAccount>(server.url, 'POST /api/admin/users', { body: account, token })
  const addedAnswer = await add()
  assert.equal(addedAnswer.status, 201)
  const { id, createdAt, ...rest } = addedAnswer.body
  const expected = {
    email: 'ada@example.com',
    name: 'Ada',
    role: 'user',
    plan: 'team',
    credits: 0,
    disabled: false,
    deliveryPlaces: [],
  }
  assert.deepEqual(rest, expected)
  const again = await add()
  assert.deepEqual([again.status, again.error?.statusMessage], [409, 'email_taken'])
  assert.equal((await signIn('ada@example.com', GOOD)).body.user.plan, 'team')
  const { body } = await send<AuditPage>(server.url, `GET /api/admin/audit?account=${id}`, { token })
  assert.deepEqual(
    body.data.map(({ action, details }) => [action, details]),
    [['account_added', { email: 'ada@example.com', plan: 'team' }]],
  )
})

test('TRIAL_CALLS sets the trial calls of each plan; a plan that it does not name has none', async () => {
  const attempt = async (plan: PlanName) => {
    const token = await makeLogin(database, (await makeAccount(database, plan)).id)
    const headers = { cookie: `session=${token}`, origin: server.url }
    const answer = await read(await fetch(`${server.url}/api/v1/convert`, { method: 'POST', headers, body: form({}, { image }) }))
    const usage = await send<{ readonly calls: unknown }>(server.url, 'GET /api/v2/usage', { token })
    return { answer, calls: usage.body.calls }
  }
  const free = await attempt('free')
  assert.equal(free.answer.error?.statusMessage, 'api_access_not_available')
  assert.deepEqual(free.calls, { by: 'credits', limit: 0, used: 0, remaining: 0 })
  const pro = await attempt('pro')
  assert.equal(pro.answer.headers.get('x-ratelimit-remaining'), '1')
  assert.deepEqual(pro.calls, { by: 'trial', limit: 2, used: 1, remaining: 1 })
})

test('BURST_PER_MINUTE=30 allows 30 calls in a minute, also of 40 at once', async () => {
  const { key } = await makeAccount(database, 'enterprise')
  const { post } = caller({ url: server.url, key })
  const answers = await Promise.all(Array.from({ length: 40 }, () => post('convert', { format: 'png' }, { image })))
  assert.equal(answers.filter(({ status }) => status === 200).length, 30)
  const refusedAnswers = answers.filter(({ error }) => error?.statusMessage === 'rate_limited')
  assert.equal(refusedAnswers.length, 10)
  for (const { status, headers } of refusedAnswers) {
    assert.equal(status, 429)
    assert.ok(Number(headers.get('retry-after')) >= 1 && Number(headers.get('retry-after')) <= 60)
  }
})

test('without TRUSTED_PROXIES, X-Forwarded-For does not change which client a wrong password counts for', async () => {
  const email = newAddress()
  for (let n = 0; n < 8; n++) await takeAttempt(database.kysely, guess(email, '127.0.0.1', false))
  const statuses: number[] = []
  for (const last of [1, 2, 3]) statuses.push((await signIn(email, GOOD, { 'x-forwarded-for': `192.0.2.${last}` })).status)
  assert.deepEqual(statuses, [401, 401, 429])
})

test('no API key is logged, however it is sent', async () => {
  for (const authorization of [`bearer   ${server.key}  `, `BEARER ${server.key}`])
    assert.equal((await caller(server).post('convert', {}, { image }, { headers: { authorization } })).status, 200)
  assert.ok(server.output().includes('"requestId"'))
  assert.ok(!server.output().includes(server.key))
})
