import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '../../src/database/database.ts'
import type { SystemState } from '../../src/routes/administration/system.ts'
import { settings } from '../../src/settings/index.ts'
import { makeAccount, makeLogin, openServerDatabase } from '../support/accounts.ts'
import { removeBackground, studio } from '../support/background-call.ts'
import { ended, startBatch, zipOf } from '../support/batch-call.ts'
import { send } from '../support/json-call.ts'
import { solid } from '../support/pictures.ts'
import { type Server, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

/** What no answer may repeat; each in the form that its setting asks for. */
const secrets = {
  ADMIN_PASSWORD: 'not-for-anybody-else',
  STRIPE_SECRET_KEY: 'sk_test_0123456789secret',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789secret',
  AI_API_KEY: 'sk-model-0123456789secret',
  AI_KEY_ENCRYPTION_SECRET: '2:a-new-secret-for-tests,1:an-old-secret-for-tests',
  BG_PROVIDER_KEY: 'removers-0123456789secret',
} as const
const settled = {
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
let administrator: string
before(async () => {
  server = await startServer(settled)
  database = await openServerDatabase(server.dir)
  const { rows } = await database.pool.query(`select id from account where role = 'admin'`)
  administrator = await makeLogin(database, rows[0].id)
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

async function look(): Promise<SystemState> {
  const { status, body } = await send<SystemState>(server.url, 'GET /api/admin/system', { token: administrator })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('it tells of the process, its renderers, the database and the other servers', async () => {
  const { state, server: it, servers, database: kept, renderers, storage } = await look()
  assert.equal(state, 'good')
  assert.deepEqual([it.role, it.seen, it.node], ['all', true, process.versions.node])
  assert.ok(Math.abs(Date.now() - Date.parse(it.startedAt)) < 120_000)
  assert.deepEqual(
    servers.map(({ isThis, number }) => [isThis, number]),
    [[true, it.number]],
  )
  assert.deepEqual([kept.kind, kept.connections.most], ['embedded', 8])
  assert.ok(kept.bytes > 1_000_000 && kept.latencyMs > 0)
  assert.deepEqual([renderers.configured > 0, renderers.ready, renderers.full], [true, true, false])
  assert.deepEqual(
    renderers.lanes.map(({ name }) => name),
    ['sync', 'long', 'background', 'model'],
  )
  assert.deepEqual([storage.kind, storage.state], ['folder', 'works'])
  assert.ok((storage.disk?.freeBytes ?? 0) > (storage.disk?.reserveBytes ?? 0))
})

test('settings that were changed are named; no secret is in the answer, nor what may hold one', async () => {
  const state = await look()
  const told = new Map(state.settings.map(({ name, value }) => [name, value]))
  for (const name of Object.keys(secrets)) assert.equal(told.get(name), null, name)
  assert.equal(told.get('AI_BASE_URL'), 'http://127.0.0.1:9')
  assert.equal(told.get('BG_PROVIDER_URL'), 'http://127.0.0.1:9')
  assert.equal(told.get('BG_PROVIDER_EXTRA_FIELDS'), null)
  assert.equal(told.get('AI_DAILY_LIMIT'), 'free=0, pro=0, team=7, enterprise=unlimited')
  assert.equal(told.get('RENDER_QUEUE'), '65')
  for (const name of ['UPLOAD_TIMEOUT_S', 'EGRESS_ALLOW', 'CREDIT_PACKAGES']) assert.equal(told.has(name), false, name)
  const text = JSON.stringify(state)
  const hidden = [...Object.values(secrets), 'secret-for-tests', server.key, 'in-the-path', 'in-the-address', 'in-a-field']
  for (const secret of hidden) assert.ok(!text.includes(secret), secret)
  const known: readonly string[] = Object.keys(settings)
  assert.ok(state.settings.every(({ name }) => known.includes(name)))
})

test('it tells of the models that are asked', async () => {
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

test('a service that fails is seen to rest, with a sentence of what is done meanwhile', async () => {
  const { key } = await makeAccount(database, 'enterprise')
  const image = await studio().png().toBuffer()
  const resting = await until(async () => {
    await removeBackground(server.url, key, image)
    const { background, state, concerns } = await look()
    const [external] = background.removers
    if (external?.state !== 'resting') return false
    assert.equal(state, 'warning')
    assert.match(concerns[0]?.text ?? '', /custom does not work and is left alone for \d+ s/)
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
  await ended(api, batch.id)
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
