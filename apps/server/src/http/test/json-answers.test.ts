import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { damagedText, dataUri } from '../../../test/support/ai-server.ts'
import { startBatch, untilEnded, zipOf } from '../../../test/support/batch-call.ts'
import { caller, form } from '../../../test/support/call.ts'
import { type FakeStripe, startFakeStripe } from '../../../test/support/fake-stripe.ts'
import { type FakeVision, says, startFakeVision } from '../../../test/support/fake-vision.ts'
import { send } from '../../../test/support/json-call.ts'
import { signUp } from '../../../test/support/person.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import { WEBHOOK_SECRET } from '../../../test/support/shop.ts'
import { bodyOf, signatureOf } from '../../../test/support/stripe-events.ts'
import { endBatch } from '../../../test/support/webhooks.ts'
import type { Database } from '../../database/database.ts'
import { routes } from '../../routes.ts'

const PASSWORD = 'a password for tests'
let stripe: FakeStripe
let model: FakeVision
let server: Server
let database: Database
let administrator: string
before(async () => {
  stripe = await startFakeStripe()
  const selling = { STRIPE_SECRET_KEY: stripe.key, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_API_BASE: stripe.url }
  const saving = {
    DELIVERY_FOLDERS: import.meta.dirname,
    AI_KEY_ENCRYPTION_SECRET: 'a secret for tests only',
    EGRESS_ALLOW: '127.0.0.1',
  }
  model = await startFakeVision({
    seeing: says(JSON.stringify({ altText: 'A blue square', subject: 'blue square', saw: 'red square' })),
  })
  const seeing = { AI_BASE_URL: model.url, AI_MODEL: 'seeing' }
  const settings = { ...selling, ...saving, ...seeing }
  server = await startServer({ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: PASSWORD, RENDERERS: '1', ...settings })
  database = await openServerDatabase(server.dir)
  const { rows } = await database.pool.query(`select id from account where role = 'admin'`)
  administrator = await makeLogin(database, rows[0].id)
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
  await stripe[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

const image = await solid(8, 8, '#123456').png().toBuffer()
const uri = dataUri(image)

async function person() {
  const account = await makeAccount(database, 'free')
  return { ...account, token: await makeLogin(database, account.id) }
}

const SOURCE = { type: 'web', baseUrl: 'http://127.0.0.1:9/' }

async function sourceOf(name: string) {
  const { token } = await person()
  await send(server.url, `PUT /api/user/sources/${name}`, { token, body: SOURCE })
  return { token, id: name }
}

/** An account that has a row in every table that its answers show. */
async function makeActiveAccount() {
  const account = await person()
  const credits = { credits: 5, note: 'for tests' }
  await send(server.url, `POST /api/admin/users/${account.id}/credits`, { token: administrator, body: credits })
  for (const file of [image, Buffer.from('no image')])
    await caller({ url: server.url, key: account.key }).post('convert', {}, { image: file })
  // Calls are collected before they are written down.
  const isListed = await until(async () => {
    const { body } = await send<{ recent: unknown[] }>(server.url, 'GET /api/v2/usage', { token: account.key })
    return body.recent.length === 2
  })
  assert.ok(isListed, 'the calls are listed')
  return account
}

async function ownKey() {
  const { token } = await person()
  const { body } = await send<[{ id: string }]>(server.url, 'GET /api/user/api-keys', { token })
  return { token, id: body[0].id }
}

/** An account with a webhook that has been sent. */
async function receiver() {
  const account = await person()
  await endBatch(database, account.id, 'http://127.0.0.1:9/')
  const isListed = await until(async () => {
    const { body } = await send<{ data: [{ attempts: unknown[] }] }>(server.url, 'GET /api/user/webhook-deliveries', account)
    return body.data[0].attempts.length === 1
  })
  assert.ok(isListed, 'there is an attempt')
  const { rows } = await database.pool.query('select id from webhook_delivery where account_id = $1', [account.id])
  return { token: account.token, id: rows[0].id }
}

const aiModel = { baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen2.5vl', apiKey: 'sk-0123456789abcdefghij' }

async function aiKeyOwner() {
  const account = await person()
  await send(server.url, 'PUT /api/user/ai-key', { ...account, body: aiModel })
  return account
}

/** An account whose plan has the API. */
async function customer() {
  const account = await makeAccount(database, 'team')
  return { ...account, token: account.key, login: await makeLogin(database, account.id) }
}

async function makeBatch() {
  const { key, login } = await customer()
  const { batch } = await startBatch({ url: server.url, key }, zipOf({ 'a.png': image, 'b.png': Buffer.from('none') }))
  return { token: key, id: (await untilEnded({ url: server.url, key }, batch.id)).id, login }
}

/** Made once, for all calls that only read. */
const once = <Made>(make: () => Promise<Made>) => {
  let madeValue: Promise<Made> | undefined
  return () => (madeValue ??= make())
}
const activeAccount = once(makeActiveAccount)
const ownBatch = once(makeBatch)

interface Request {
  readonly token?: string
  /** For `:id` or `:name` of the path. */
  readonly id?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** One successful call of each JSON route, by the route's name. */
const requests: Readonly<Record<string, () => Request | Promise<Request>>> = {
  startBatch: async () => ({ token: (await customer()).key, body: form({ format: 'png' }, { file: zipOf({ 'a.png': image }) }) }),
  showBatchLimits: customer,
  showBatch: ownBatch,
  listBatchEntries: ownBatch,
  deleteBatch: makeBatch,
  listBatches: async () => ({ token: (await ownBatch()).login }),
  inspect: async () => ({ token: (await customer()).key, body: form({}, { image }) }),
  altText: async () => ({ token: (await customer()).key, body: { images: [uri, damagedText] } }),
  rename: async () => ({ token: (await customer()).key, body: { images: [{ data: uri }, { data: damagedText }] } }),
  recommend: async () => ({
    token: (await customer()).key,
    body: { images: [{ data: uri }, { data: damagedText }], useCase: 'web' },
  }),
  signUp: () => ({ body: { email: 'ada@example.com', password: PASSWORD, name: 'Ada' } }),
  signIn: () => ({ body: { email: 'admin@example.com', password: PASSWORD } }),
  signOut: person,
  showUser: person,
  changeUser: async () => ({ ...(await person()), body: { name: 'Grace' } }),
  deleteUser: async () => ({ token: (await signUp(server.url)).token, body: { password: 'correct horse' } }),
  listSessions: person,
  endSession: async () => {
    const { token } = await person()
    const { body } = await send<[{ id: string }]>(server.url, 'GET /api/user/sessions', { token })
    return { token, id: body[0].id }
  },
  endOtherSessions: person,
  listApiKeys: person,
  makeApiKey: async () => ({ ...(await person()), body: { name: 'laptop' } }),
  renameApiKey: async () => ({ ...(await ownKey()), body: { name: 'desktop' } }),
  revokeApiKey: ownKey,
  usage: async () => ({ token: (await activeAccount()).key }),
  listCalls: async () => ({ token: (await activeAccount()).key }),
  credits: async () => ({ token: (await activeAccount()).key }),
  listLedger: async () => ({ token: (await activeAccount()).key }),
  showPurchase: async () => {
    const { token } = await person()
    await send(server.url, 'POST /api/user/credits/checkout', { token, body: { packageId: 'starter' } })
    return { token, id: stripe.sessions.at(-1)?.client_reference_id ?? '' }
  },
  buyCredits: async () => ({ ...(await person()), body: { packageId: 'starter' } }),
  stripeWebhook: () => {
    const body = bodyOf({ id: 'evt_1', type: 'customer.created', object: {} })
    return { body, headers: { 'stripe-signature': signatureOf(body, WEBHOOK_SECRET) } }
  },
  smartCrop: async () => ({
    token: (await customer()).key,
    body: { image: `data:image/png;base64,${image.toString('base64')}`, returnCroppedImage: true },
  }),
  enhance: async () => ({ token: (await customer()).key, body: { image: uri, mode: 'upscale' } }),
  showAi: aiKeyOwner,
  tryAiModel: async () => ({ ...(await person()), body: { baseUrl: model.url, model: 'seeing', apiKey: 'sk-0123456789' } }),
  showAiKey: aiKeyOwner,
  saveAiKey: async () => ({ ...(await person()), body: aiModel }),
  removeAiKey: aiKeyOwner,
  showWebhookSecret: person,
  rotateWebhookSecret: person,
  listWebhookDeliveries: async () => ({ token: (await receiver()).token }),
  redeliverWebhook: receiver,
  savePreset: async () => ({ ...(await person()), id: 'web', body: { recipe: { outputs: [{ name: 'a' }, { name: 'b' }] } } }),
  listPresets: async () => {
    const { token } = await person()
    await send(server.url, 'PUT /api/user/presets/web', { token, body: { recipe: { steps: [{ flip: {} }] } } })
    return { token }
  },
  listSources: async () => ({ token: (await sourceOf('listed')).token }),
  showSource: () => sourceOf('shown'),
  listSourceFiles: async () => {
    await send(server.url, 'PUT /api/user/sources/files', {
      token: administrator,
      body: { type: 'folder', path: import.meta.dirname },
    })
    return { token: administrator, id: 'files' }
  },
  saveSource: async () => ({ token: (await person()).token, id: 'saved', body: SOURCE }),
  rotateSourceSecret: () => sourceOf('rotated'),
  signSourceUrl: async () => ({ ...(await sourceOf('signs')), body: { path: 'a.jpg', query: 'w=5' } }),
  sendUpload: () => ({ token: server.key, body: 'a file', headers: { 'content-type': 'application/octet-stream' } }),
  resumeUpload: async () => {
    const token = server.key
    const begunValue = { 'content-type': 'image/png', 'upload-complete': '?0' }
    const { body } = await send<{ handle: string }>(server.url, 'PUT /api/v3/uploads', { token, body: 'a ', headers: begunValue })
    const ends = { 'content-type': 'application/partial-upload', 'upload-complete': '?1', 'upload-offset': '2' }
    return { token, id: body.handle, body: 'file', headers: ends }
  },
  shrink: () => {
    const authorization = `Basic ${Buffer.from(`api:${server.key}`).toString('base64')}`
    return { body: new Blob([new Uint8Array(image)]), headers: { authorization } }
  },
  listUsers: () => ({ token: administrator }),
  addUser: () => ({ token: administrator, body: { email: 'grace@example.com', password: PASSWORD, plan: 'team' } }),
  showAnyUser: async () => ({ id: (await activeAccount()).id, token: administrator }),
  systemState: () => ({ token: administrator }),
  changeAnyUser: async () => ({ id: (await person()).id, token: administrator, body: { plan: 'team', disabled: true } }),
  grantCredits: async () => ({ id: (await person()).id, token: administrator, body: { credits: 7, note: 'a gift' } }),
  listAudit: async () => {
    await activeAccount()
    return { token: administrator }
  },
}

for (const route of routes.filter(({ answer }) => answer)) {
  test(`${route.method} ${route.path} answers the documented fields, and no others`, async () => {
    const make = requests[route.name] ?? assert.fail(`add a call of ${route.name} to this table`)
    const { id = '', ...sent } = await make()
    const answer = await send(server.url, `${route.method} ${route.path.replace(/:(id|name|handle)/, id)}`, sent)
    assert.equal(answer.status, route.success ?? 200, JSON.stringify(answer.body))
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    // Parsing drops what is not declared.
    assert.deepEqual(route.answer?.parse(answer.body), answer.body)
  })
}
