import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { removeBackground, studio } from '../../../test/support/background-call.ts'
import { startBatch, untilEnded, zipOf } from '../../../test/support/batch-call.ts'
import { send } from '../../../test/support/json-call.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import type { AuditPage } from '../../accounts/audit.ts'
import type { Database } from '../../database/database.ts'
import { settings } from '../../settings/index.ts'
import type { SystemState } from '../system.ts'

/** Values that no answer may contain, each in the form that its setting asks for. */
const secrets = {
  ADMIN_PASSWORD: 'known-to-the-operator-only',
  STRIPE_SECRET_KEY: 'sk_test_0123456789secret',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789secret',
  AI_API_KEY: 'sk-model-0123456789secret',
  AI_KEY_ENCRYPTION_SECRET: '2:a-new-secret-for-tests,1:an-old-secret-for-tests',
  BG_PROVIDER_KEY: 'removers-0123456789secret',
} as const
const settledValue = {
  ...secrets,
  AI_BASE_URL: 'http://127.0.0.1:9/in-the-path/v1',
  AI_MODEL: 'seeing',
  BG_PROVIDER: 'custom',
  BG_PROVIDER_URL: 'http://127.0.0.1:9/cut?token=in-the-address',
  BG_PROVIDER_EXTRA_FIELDS: '{"secret":"in-a-field"}',
  AI_DAILY_LIMIT: 'team=7,enterprise=unlimited',
  RENDER_QUEUE: '65',
}
let server: Server
let database: Database
let administrator: { readonly id: string; readonly token: string }
before(async () => {
  server = await startServer(settledValue)
  database = await openServerDatabase(server.dir)
  const { rows } = await database.pool.query(`select id from account where role = 'admin'`)
  administrator = { id: rows[0].id, token: await makeLogin(database, rows[0].id) }
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

async function look(): Promise<SystemState> {
  const { status, body } = await send<SystemState>(server.url, 'GET /api/admin/system', { token: administrator.token })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('the answer describes the process, its renderers, the database and the other servers', async () => {
  const { state, server: it, servers, database: keptValue, renderers, storage } = await look()
  assert.equal(state, 'good')
  assert.deepEqual([it.role, it.seen, it.node], ['all', true, process.versions.node])
  assert.ok(Math.abs(Date.now() - Date.parse(it.startedAt)) < 120_000)
  assert.deepEqual(
    servers.map(({ isThis, number }) => [isThis, number]),
    [[true, it.number]],
  )
  assert.deepEqual([keptValue.kind, keptValue.connections.most], ['embedded', 8])
  assert.ok(keptValue.bytes > 1_000_000 && keptValue.latencyMs > 0)
  assert.deepEqual([renderers.configured > 0, renderers.ready, renderers.full], [true, true, false])
  assert.deepEqual(
    renderers.lanes.map(({ name }) => name),
    ['sync', 'long', 'background', 'model'],
  )
  assert.deepEqual([storage.kind, storage.state], ['folder', 'works'])
  assert.ok((storage.disk?.freeBytes ?? 0) > (storage.disk?.reserveBytes ?? 0))
})

test('the answer has the settings that were changed, without secrets and without values that may contain one', async () => {
  const state = await look()
  const shownTexts = new Map(state.settings.map(({ name, value }) => [name, value]))
  for (const name of Object.keys(secrets)) assert.equal(shownTexts.get(name), null, name)
  assert.equal(shownTexts.get('AI_BASE_URL'), 'http://127.0.0.1:9')
  assert.equal(shownTexts.get('BG_PROVIDER_URL'), 'http://127.0.0.1:9')
  assert.equal(shownTexts.get('BG_PROVIDER_EXTRA_FIELDS'), null)
  assert.equal(shownTexts.get('AI_DAILY_LIMIT'), 'free=0, pro=0, team=7, enterprise=unlimited')
  assert.equal(shownTexts.get('RENDER_QUEUE'), '65')
  for (const name of ['UPLOAD_TIMEOUT_S', 'EGRESS_ALLOW', 'CREDIT_PACKAGES']) assert.equal(shownTexts.has(name), false, name)
  const text = JSON.stringify(state)
  const hiddenTexts = [...Object.values(secrets), 'secret-for-tests', server.key, 'in-the-path', 'in-the-address', 'in-a-field']
  for (const secret of hiddenTexts) assert.ok(!text.includes(secret), secret)
  const knownTexts: readonly string[] = Object.keys(settings)
  assert.ok(state.settings.every(({ name }) => knownTexts.includes(name)))
})

test('the answer describes the models that are in use', async () => {
  const { ai, background, models } = await look()
  assert.deepEqual([ai.model, ai.server, ai.savesKeys], ['seeing', 'http://127.0.0.1:9', true])
  assert.deepEqual(
    background.removers.map(({ name, service }) => [name, service]),
    [
      ['external', 'custom'],
      ['local', undefined],
    ],
  )
  assert.deepEqual(models, [])
})

test('a service that fails is shown as paused, with a sentence that says for how long', async () => {
  const { key } = await makeAccount(database, 'enterprise')
  const image = await studio().png().toBuffer()
  const resting = await until(async () => {
    await removeBackground(server.url, key, image)
    const { background, state, concerns } = await look()
    const [external] = background.removers
    if (external?.state !== 'resting') return false
    assert.equal(state, 'warning')
    assert.match(concerns[0]?.text ?? '', /custom does not work and is not called for \d+ s/)
    assert.ok(external.outcomes.some(({ outcome, pictures }) => outcome === 'unavailable' && pictures > 0))
    return true
  }, 30_000)
  assert.ok(resting)
})

test('batches that have ended and webhooks that wait are counted, in this process and all others', async () => {
  const { key, id } = await makeAccount(database, 'enterprise')
  const before = await look()
  const image = await solid(8, 8, '#123456').png().toBuffer()
  const api = { url: server.url, key }
  const { batch } = await startBatch(api, zipOf({ 'a.png': image }))
  await untilEnded(api, batch.id)
  await database.pool.query(
    `insert into webhook_delivery (account_id, batch_id, event, url, facts, next_attempt_at)
     values ($1, $2, 'batch.completed', 'http://127.0.0.1:9/', '{}', clock_timestamp() + interval '1 hour')`,
    [id, batch.id],
  )
  const { batches, webhooks, server: it } = await look()
  assert.deepEqual([batches.kept, batches.images, batches.worksHere], [before.batches.kept + 1, { waiting: 0, atWork: 0 }, true])
  assert.deepEqual([webhooks.waiting, webhooks.due, webhooks.lateSeconds], [before.webhooks.waiting + 1, before.webhooks.due, 0])
  assert.ok(it.answers.good > before.server.answers.good)
})

const change = (id: string, body: unknown, token = administrator.token) =>
  send(server.url, `PATCH /api/admin/users/${id}`, { token, body })

test('the audit log begins with the first administrator, whom no request made', async () => {
  const route = `GET /api/admin/audit?account=${administrator.id}`
  const { body } = await send<AuditPage>(server.url, route, { token: administrator.token })
  const first = body.data.at(-1)
  assert.deepEqual([first?.action, first?.actor, first?.requestId], ['first_administrator_made', null, null])
})

test('a password that an administrator sets is not logged', async () => {
  const { id } = await makeAccount(database, 'team')
  assert.equal((await change(id, { password: 'to be changed soon' })).status, 200)
  assert.doesNotMatch(server.output(), /to be changed soon|argon2/)
})

test('the last administrator can neither be demoted nor disabled', async () => {
  for (const body of [{ role: 'user' }, { disabled: true }]) {
    const { status, error } = await change(administrator.id, body)
    assert.deepEqual([status, error?.statusMessage], [409, 'last_administrator'])
  }
  assert.equal((await send(server.url, 'GET /api/admin/users', { token: administrator.token })).status, 200)
})

test('of two administrators who demote each other at once, one stays', async () => {
  const { id } = await makeAccount(database, 'free')
  const token = await makeLogin(database, id)
  await change(id, { role: 'admin' })
  const answers = await Promise.all([change(id, { role: 'user' }), change(administrator.id, { role: 'user' }, token)])
  const { rows } = await database.pool.query(`select id from account where role = 'admin'`)
  await database.pool.query(`update account set role = 'admin' where id = $1`, [administrator.id])
  assert.equal(rows.length, 1, JSON.stringify(answers.map(({ status }) => status)))
})

test('a server whose files are away is not ready, and is again when they are back', async () => {
  const READY = { status: 'ready', database: true, renderers: true, queue: true, storage: true, jobs: true }
  const ask = () => send(server.url, 'GET /readyz')
  const ready = await ask()
  assert.deepEqual([ready.status, ready.body], [200, READY])
  const blobs = join(server.dir, 'blobs')
  const away = join(server.dir, 'away')
  await rename(blobs, away)
  // The last answer is kept for five seconds.
  const answers = (status: number) => until(async () => (await ask()).status === status)
  assert.ok(await answers(503))
  const lacking = { ...READY, status: 'not ready', storage: false, statusMessage: 'storage_unavailable' }
  assert.partialDeepStrictEqual((await ask()).body, lacking)
  await rename(away, blobs)
  assert.ok(await answers(200))
})
