import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeAccount, openServerDatabase } from '../support/accounts.ts'
import { dataUri, picture } from '../support/ai-server.ts'
import { send } from '../support/json-call.ts'
import { type Server, startServer } from '../support/server.ts'

let server: Server
let key: string
before(async () => {
  server = await startServer()
  const database = await openServerDatabase(server.dir)
  key = (await makeAccount(database, 'pro')).key
  await database.close()
})
after(() => server[Symbol.asyncDispose]())

const ask = (endpoint: string, body: unknown, token = key) => send(server.url, `POST /v1/ai/${endpoint}`, { body, token })

test('enhance takes what the specification says, and says that it comes later', async () => {
  const image = await picture('#f00')
  for (const mode of ['upscale', 'denoise', 'deblur', 'auto']) {
    const { status, error, headers } = await ask('enhance', { image, mode, intensity: 3, returnPreview: false })
    assert.deepEqual([status, error?.statusMessage], [503, 'ai_service_unavailable'])
    assert.match(error?.message ?? '', /later/)
    assert.equal(headers.get('x-ai-remaining'), '100')
  }
})

for (const [field, value] of [
  ['mode', 'magic'],
  ['intensity', 0],
  ['intensity', 4],
  ['intensity', 1.5],
  ['returnPreview', 'yes'],
  ['image', 'https://example.com/a.jpg'],
  ['image', dataUri(Buffer.from('<svg/>'), 'image/svg+xml')],
] as const)
  test(`enhance refuses ${field} ${String(value).slice(0, 30)}`, async () => {
    const { status, error } = await ask('enhance', { image: await picture('#f00'), [field]: value })
    assert.deepEqual([status, error?.statusMessage, error?.issues?.[0]?.path], [400, 'invalid_params', [field]])
  })

test('where the platform has no model, alt-text and rename say so, and count nothing', async () => {
  const image = await picture('#f00')
  const answers = [await ask('alt-text', { images: [image] }), await ask('rename', { images: [{ data: image }] })]
  for (const { status, error } of answers) assert.deepEqual([status, error?.statusMessage], [503, 'ai_service_unavailable'])
  assert.equal((await ask('enhance', { image })).headers.get('x-ai-remaining'), '100')
})
