import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin } from '../../../../test/support/accounts.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { startOwnModel } from '../../../../test/support/own-model.ts'
import { serverOn } from '../../../../test/support/server-on.ts'

const image = `data:image/png;base64,${(await solid(8, 8, '#123456').png().toBuffer()).toString('base64')}`
const LIMIT = 5

const model = await startOwnModel()
after(() => model[Symbol.asyncDispose]())
const settings = {
  AI_BASE_URL: model.url,
  AI_MODEL: 'own-model',
  AI_DAILY_LIMIT: `pro=${LIMIT},enterprise=unlimited`,
  EGRESS_ALLOW: '127.0.0.1,192.0.2.7',
}
const { server, database, another } = await serverOn(
  TARGETS[0],
  { after },
  { ...settings, AI_KEY_ENCRYPTION_SECRET: 'a secret for tests only' },
)
const second = await another({ ...settings, AI_KEY_ENCRYPTION_SECRET: '' })

async function person() {
  const account = await makeAccount(database, 'pro')
  return { ...account, token: await makeLogin(database, account.id) }
}
const altText = (token: string, images: number, more = {}, url = server.url) =>
  send(url, 'POST /v1/ai/alt-text', { token, body: { images: Array(images).fill(image), ...more } })
const usedToday = async (token: string) =>
  (await send<{ ai: { today: { used: number } } }>(server.url, 'GET /api/v2/usage', { token })).body.ai.today.used

test('a server without the secret saves no key, but shows saved ones masked and removes them', async () => {
  const { token } = await person()
  const call = (method: string, { url } = second, body?: object) =>
    send(url, `${method} /api/user/ai-key`, { token, ...(body && { body }) })
  const savedValue = { baseUrl: 'http://192.0.2.7/v1', model: 'vl', apiKey: 'sk-saved-0123456789abcdef' }
  const { body } = await call('PUT', server, savedValue)
  assert.equal(body.apiKey, 'sk-sav********cdef')
  const { status, error } = await call('PUT', second, savedValue)
  assert.deepEqual([status, error?.statusMessage], [503, 'ai_key_encryption_disabled'])
  assert.deepEqual((await call('GET')).body, body)
  assert.deepEqual((await call('DELETE')).body, { deleted: true })
})

test('two servers on one database share a quota: of twelve requests at once as many are answered as there are images', async () => {
  const { key, token } = await person()
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => altText(key, 1, {}, [server, second][n % 2]?.url)))
  const statuses = Map.groupBy(answers, ({ status, error }) => `${status} ${error?.statusMessage ?? ''}`.trim())
  assert.equal(statuses.get('200')?.length ?? 0, LIMIT, [...statuses.keys()].join())
  assert.equal(await usedToday(token), LIMIT)
})

test('images that a killed server had reserved are refunded when another server starts', async () => {
  const { token, id } = await person()
  const release = model.hold()
  const askedCount = model.asked()
  const call = altText(token, 4, {}, second.url)
  assert.ok(await until(async () => model.asked() === askedCount + 4))
  second.child.kill('SIGKILL')
  await assert.rejects(call)
  release()
  assert.equal(await usedToday(token), 4)
  // A server that starts refunds them before it listens.
  await another(settings)
  assert.equal(await usedToday(token), 0)
  const { rows } = await database.pool.query(`select from reservation where account_id = $1 and meter = 'ai_image'`, [id])
  assert.equal(rows.length, 0)
})
