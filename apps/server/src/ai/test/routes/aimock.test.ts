import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ChaosConfig, LLMock } from '@copilotkit/aimock'
import { picture, shareServerOf } from '../../../../test/support/ai-server.ts'
import { send } from '../../../../test/support/json-call.ts'
import type { SharedServer } from '../../../../test/support/shared-server.ts'

// A server of OpenAI's interface that was written by others: what we make of that interface is not what we took it for.
let mock: LLMock
let server: SharedServer
let image: string
before(async () => {
  image = await picture('#c00')
  ;[{ mock }, server] = await shareServerOf(async (port) => {
    const mock = new LLMock({ port })
    await mock.start()
    return { mock, url: `${mock.url}/v1` }
  })
  mock.on(
    { userMessage: /^Write altText in French: /, responseFormat: 'json_schema' },
    { content: JSON.stringify({ altText: 'Un carré rouge', decorative: false, textInImage: 'ROUGE', confidence: 0.8 }) },
  )
  mock.on(
    { userMessage: /^Name this image\. .*IMG_1\.png/, responseFormat: 'json_schema' },
    { content: JSON.stringify({ subject: 'red square', alternatives: ['crimson tile'], confidence: 1 }) },
  )
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await mock.stop()
})

const ask = (endpoint: string, body: unknown) =>
  send<{ results: Record<string, unknown>[]; usage: { totalTokens: number }; kind?: string }>(
    server.url,
    `POST /v1/ai/${endpoint}`,
    { body, token: server.key },
  )

test('aimock: alternative texts', async () => {
  const { status, body } = await ask('alt-text', { images: [image, image], language: 'fr', style: 'concise' })
  assert.equal(status, 200, JSON.stringify(body))
  for (const { altText, textInImage, confidence } of body.results)
    assert.deepEqual([altText, textInImage, confidence], ['Un carré rouge', 'ROUGE', 0.8])
  assert.ok(body.usage.totalTokens > 0)
})

test('aimock: names', async () => {
  const { status, body } = await ask('rename', {
    images: [{ data: image, originalName: 'IMG_1.png' }],
    rules: { style: 'title' },
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.results[0]?.newName, body.results[0]?.alternatives], ['Red Square.png', ['Crimson Tile.png']])
})

const chaos: readonly (readonly [config: ChaosConfig, status: number, name: string, kind?: string])[] = [
  [{ dropRate: 1 }, 502, 'ai_provider_error', 'network'],
  [{ malformedRate: 1 }, 502, 'ai_provider_error', 'bad_output'],
  [{ disconnectRate: 1 }, 502, 'ai_provider_error', 'network'],
  [{ rateLimitRate: 1 }, 503, 'ai_service_unavailable'],
]
for (const [config, status, name, kind] of chaos)
  test(`aimock with ${JSON.stringify(config)}: ${status} ${name}`, async () => {
    mock.setChaos(config)
    const answer = await ask('alt-text', { images: [image], language: 'fr' })
    mock.clearChaos()
    assert.deepEqual([answer.status, answer.error?.statusMessage, answer.body.kind], [status, name, kind])
  })
