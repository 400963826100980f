import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { type ErrorName, errors } from 'pixelmill-server/contract/errors'
import { scopeNames } from 'pixelmill-server/contract/scopes'
import type { Database } from 'pixelmill-server/database/database'
import { errorsOf } from 'pixelmill-server/http/openapi-errors'
import type { Route } from 'pixelmill-server/http/route'
import { exampleCall } from 'pixelmill-server/pages/examples'
import { documentedRoutes } from 'pixelmill-server/routes'
import { makeAccount, makeLogin, openServerDatabase } from 'pixelmill-server/test/support/accounts'
import { startBatch, untilEnded, zipOf } from 'pixelmill-server/test/support/batch-call'
import { type FakeStripe, startFakeStripe } from 'pixelmill-server/test/support/fake-stripe'
import { type FakeVision, says, startFakeVision } from 'pixelmill-server/test/support/fake-vision'
import { send } from 'pixelmill-server/test/support/json-call'
import { signUp } from 'pixelmill-server/test/support/person'
import { languages, Runner } from 'pixelmill-server/test/support/sample-programs'
import { type Server, startServer } from 'pixelmill-server/test/support/server'
import { WEBHOOK_SECRET } from 'pixelmill-server/test/support/shop'
import { endBatch } from 'pixelmill-server/test/support/webhooks'

/** The samples of every endpoint of the reference, in each language, run as they are shown. */

/** The samples have it. */
const PASSWORD = 'a long password'
/** Samples at once. */
const CONCURRENCY = 4
/** What the samples read. */
const FILES = ['photo.jpg', 'logo.png', 'photos.zip']

let server: Server
let database: Database
let stripe: FakeStripe
let model: FakeVision
/** The folder has the files of the samples, and a source of images. */
let folder: string
let administrator: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixelmill-samples-'))
  const image = await product()
  await Promise.all([
    writeFile(join(folder, 'photo.jpg'), image),
    writeFile(join(folder, 'logo.png'), await solid(64, 32, '#123456').png().toBuffer()),
    writeFile(join(folder, 'photos.zip'), zipOf({ 'a.jpg': image })),
  ])
  ;[stripe, model] = await Promise.all([
    startFakeStripe(),
    startFakeVision({ seeing: says(JSON.stringify({ altText: 'A hill', subject: 'green hill', saw: 'red square' })) }),
  ])
  server = await startServer({
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: PASSWORD,
    RENDERERS: '2',
    DELIVERY_FOLDERS: folder,
    STRIPE_SECRET_KEY: stripe.key,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: stripe.url,
    AI_BASE_URL: model.url,
    AI_MODEL: 'seeing',
    AI_KEY_ENCRYPTION_SECRET: 'a secret for tests only',
    EGRESS_ALLOW: '127.0.0.1',
  })
  database = await openServerDatabase(server.dir)
  const { rows } = await database.pool.query(`select id from account where role = 'admin'`)
  administrator = await makeLogin(database, rows[0].id)
})
after(async () => {
  await database?.close()
  await server?.[Symbol.asyncDispose]()
  await stripe?.[Symbol.asyncDispose]()
  await model?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** In front of a plain background, so that it can be cut out. */
async function product(): Promise<Buffer> {
  const shape = Buffer.from('<svg width="800" height="600"><ellipse cx="400" cy="300" rx="200" ry="160" fill="#a03020"/></svg>')
  return solid(800, 600, '#f4f4f4')
    .composite([{ input: shape }])
    .jpeg()
    .toBuffer()
}

/** An account of its own for each sample: nothing that one does is seen by another. */
interface Account {
  readonly id: string
  readonly key: string
  readonly token: string
}

/** Its key may do what the samples show, which is more than that of a new key. */
async function newAccount(): Promise<Account> {
  const account = await makeAccount(database, 'team')
  await database.pool.query('update api_key set scopes = $2 where account_id = $1', [account.id, scopeNames])
  return { ...account, token: await makeLogin(database, account.id) }
}

type Values = Readonly<Record<string, string>>

const call = async <Body = { readonly id: string }>(
  { token }: Pick<Account, 'token'>,
  line: string,
  body?: unknown,
  headers?: Values,
): Promise<Body> => {
  const answer = await send<Body>(server.url, line, { token, body, ...(headers && { headers }) })
  assert.ok(answer.status < 300, `${line}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const preset = async (account: Account): Promise<Values> => {
  await call(account, 'PUT /api/user/presets/web', { recipe: { outputs: [{ format: 'webp' }] } })
  return { name: 'web' }
}

const source = async (account: Account): Promise<Values> => {
  const name = `s${account.id.replaceAll('-', '').slice(-20)}`
  await call(account, `PUT /api/user/sources/${name}`, { type: 'folder', path: folder })
  return { name }
}

async function deliver(account: Account): Promise<Values> {
  const { name = '' } = await source(account)
  const { url } = await call<{ url: string }>(account, `POST /api/user/sources/${name}/sign`, {
    path: 'photo.jpg',
    query: 'w=640',
  })
  return { source: name, signature: new URL(url, server.url).searchParams.get('s') ?? '' }
}

/** A part of an upload, or a whole one. */
const upload =
  (complete: '?0' | '?1') =>
  async ({ key: token }: Account): Promise<Values> => {
    const headers = { 'content-type': 'image/jpeg', 'upload-complete': complete }
    const { handle } = await call<{ handle: string }>({ token }, 'PUT /api/v3/uploads', complete === '?1' ? 'bytes' : '', headers)
    return { handle }
  }

async function tusUpload({ key }: Account): Promise<Values> {
  const headers = { authorization: `Bearer ${key}`, 'tus-resumable': '1.0.0', 'upload-length': '5000000' }
  const response = await fetch(`${server.url}/api/v3/tus`, { method: 'POST', headers })
  return { handle: response.headers.get('location')?.split('/').at(-1) ?? assert.fail(await response.text()) }
}

async function batch({ key }: Pick<Account, 'key'>): Promise<Values> {
  const file = zipOf({ 'a.png': await solid(8, 8, '#123456').png().toBuffer() })
  const { batch } = await startBatch({ url: server.url, key }, file)
  return { id: (await untilEnded({ url: server.url, key }, batch.id)).id }
}

/** A batch for samples that only read. */
let readBatch: Promise<Values> | undefined
const sharedBatch = () =>
  (readBatch ??= newAccount().then(async (account) => ({ ...(await batch(account)), seq: '0', key: account.key })))

const firstOf =
  (list: string) =>
  async (account: Account): Promise<Values> => ({ id: (await call<[{ id: string }]>(account, `GET ${list}`))[0].id })

async function delivery({ id }: Account): Promise<Values> {
  await endBatch(database, id, 'http://127.0.0.1:9/')
  const { rows } = await database.pool.query('select id from webhook_delivery where account_id = $1', [id])
  return { id: rows[0].id }
}

async function aiKey(account: Account): Promise<Values> {
  await call(account, 'PUT /api/user/ai-key', { baseUrl: model.url, model: 'seeing', apiKey: 'sk-0123456789abcdef' })
  return {}
}

async function purchase(account: Account): Promise<Values> {
  await call(account, 'POST /api/user/credits/checkout', { packageId: 'starter' })
  const { rows } = await database.pool.query('select id from purchase where account_id = $1', [account.id])
  return { id: rows[0].id }
}

/** What must be there before, and the values for the placeholders of the path. */
const preparations: Readonly<Record<string, (account: Account) => Promise<Values>>> = {
  savePreset: async () => ({ name: 'web' }),
  removePreset: preset,
  deliverImage: deliver,
  saveSource: async ({ id }) => ({ name: `n${id.replaceAll('-', '').slice(-20)}` }),
  ...Object.fromEntries(
    ['showSource', 'listSourceFiles', 'removeSource', 'rotateSourceSecret', 'purgeSource', 'signSourceUrl'].map((name) => [
      name,
      source,
    ]),
  ),
  ...Object.fromEntries(['downloadUpload', 'deleteUpload', 'showTusUpload'].map((name) => [name, upload('?1')])),
  resumeUpload: upload('?0'),
  appendTusUpload: tusUpload,
  overrideTusUpload: tusUpload,
  deleteTusUpload: tusUpload,
  ...Object.fromEntries(
    ['showBatch', 'listBatchEntries', 'followBatch', 'downloadBatch', 'downloadBatchEntry'].map((name) => [name, sharedBatch]),
  ),
  deleteBatch: batch,
  showAiKey: aiKey,
  removeAiKey: aiKey,
  endSession: firstOf('/api/user/sessions'),
  renameApiKey: firstOf('/api/user/api-keys'),
  revokeApiKey: firstOf('/api/user/api-keys'),
  redeliverWebhook: delivery,
  showPurchase: purchase,
  ...Object.fromEntries(['showAnyUser', 'changeAnyUser', 'grantCredits'].map((name) => [name, async ({ id }) => ({ id })])),
}

interface Refusal {
  readonly error: ErrorName
  /** A part of the message. */
  readonly says: string
}

/** What cannot succeed as it stands: only Stripe can sign, and a reader fills in the token and the method. */
const refusals: Readonly<Record<string, Refusal>> = {
  stripeWebhook: { error: 'invalid_stripe_signature', says: errors.invalid_stripe_signature.message },
  metrics: { error: 'missing_or_invalid_api_key', says: 'METRICS_TOKEN' },
  overrideTusUpload: { error: 'method_not_allowed', says: errors.method_not_allowed.message },
}

/** What a reader replaces: an account is made once, and other companies cannot be reached from here. */
const ownWords = (email: string): Values => ({
  'ada@example.com': email,
  'https://images.example.com/': 'http://127.0.0.1:9/',
  'https://api.openai.com/v1': model.url,
  'gpt-4o-mini': 'seeing',
})

async function accountFor({ name }: Route): Promise<Account & { readonly email?: string }> {
  if (name !== 'deleteUser' && name !== 'signIn') return newAccount()
  const { token, user, email } = await signUp(server.url, PASSWORD)
  return { id: user.id, key: '', token, email }
}

for (const language of languages)
  describe(`samples in ${language.name}`, { skip: language.skip, concurrency: CONCURRENCY }, () => {
    const runners: Runner[] = []
    before(async () => {
      for (let count = 0; count < CONCURRENCY; count++) runners.push(await Runner.start(language, folder))
    })
    after(() => {
      for (const runner of runners) runner[Symbol.dispose]()
    })

    for (const route of documentedRoutes)
      test(`${route.method} ${route.path}`, async () => {
        const account = await accountFor(route)
        const prepare = preparations[route.name]
        const { key = account.key, ...values } = prepare ? await prepare(account) : {}
        const cwd = join(folder, `${language.name}-${route.name}`)
        for (const file of FILES) await cp(join(folder, file), join(cwd, file))
        const token = route.admission === 'admin' ? administrator : account.token
        const env = { PIXELMILL_URL: server.url, PIXELMILL_KEY: key, PIXELMILL_TOKEN: token }
        const email = account.email ?? `${language.name.toLowerCase()}-${route.name.toLowerCase()}@example.com`
        const code = Object.entries(ownWords(email)).reduce(
          (lines, [sample, own]) => lines.replaceAll(sample, own),
          language.lines(exampleCall(route)),
        )
        const runner = runners.pop() ?? assert.fail('more tests than runners')
        const { status, failed, printed } = await runner.run(code, cwd, env, values)
        runners.push(runner)
        const refusal = refusals[route.name]
        if (!refusal) {
          assert.deepEqual({ status, failed }, { status: route.success ?? 200, failed: false }, printed)
          const { output } = exampleCall(route)
          if (output !== undefined) assert.ok((await stat(join(cwd, output))).size > 0, output)
          return
        }
        const { error, says } = refusal
        assert.ok(errorsOf(route).includes(error), 'the error is documented')
        assert.equal(status, errors[error].status, printed)
        assert.ok(printed.includes(language.name === 'curl' ? error : says), printed)
        assert.equal(failed, language.name !== 'curl', 'a program ends with the reason')
      })
  })
