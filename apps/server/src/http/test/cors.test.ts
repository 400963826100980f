import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { form } from '../../../test/support/call.ts'
import { shareServer } from '../../../test/support/shared-server.ts'

const SHOP = 'https://shop.example'
const image = await solid(8, 8, '#123456').png().toBuffer()

test('pages of CORS_ORIGINS may call the API, and no others', async (t) => {
  await using server = await shareServer({ CORS_ORIGINS: `${SHOP}, http://localhost:5173` })
  const ask = (path: string, origin: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { origin, authorization: `Bearer ${server.key}`, ...init.headers } })
  const preflight = (path: string, origin: string) =>
    ask(path, origin, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' },
    })

  await t.test('a preflight is answered without a key, for uploads too', async () => {
    for (const path of ['/api/v1/convert', '/api/v3/uploads', '/api/v3/tus', '/v1/ai/alt-text']) {
      const { status, headers } = await preflight(path, SHOP)
      assert.equal(status, 204, path)
      assert.equal(headers.get('access-control-allow-origin'), SHOP)
      assert.equal(headers.get('access-control-allow-headers'), 'authorization,content-type')
      assert.match(headers.get('access-control-allow-methods') ?? '', /POST/)
      assert.equal(headers.get('access-control-allow-credentials'), null)
      assert.match(headers.get('vary') ?? '', /Origin/)
    }
  })

  await t.test('answers and errors can be read, with their headers', async () => {
    const answer = await ask('/api/v1/convert', SHOP, { method: 'POST', body: form({ format: 'best' }, { image }) })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), SHOP)
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /X-Saved-Percent.*X-Request-Id/)
    assert.equal(answer.headers.get('vary'), 'Accept, Origin')
    const refusal = await ask('/api/v1/convert', SHOP, { method: 'POST', headers: { authorization: 'none' } })
    assert.deepEqual([refusal.status, refusal.headers.get('access-control-allow-origin')], [401, SHOP])
    assert.equal((await ask('/api/nothing', SHOP)).headers.get('access-control-allow-origin'), SHOP)
  })

  await t.test('other pages get no such header, nor do other paths', async () => {
    for (const [path, origin] of [
      ['/api/v1/convert', 'https://shop.example.evil.test'],
      ['/api/v1/convert', 'http://shop.example'],
      ['/api/v1/convert', 'null'],
      ['/mcp', SHOP],
    ] as const)
      assert.equal((await preflight(path, origin)).headers.get('access-control-allow-origin'), null, `${path} ${origin}`)
    const plain = await ask('/api/v2/usage', 'https://other.example')
    assert.deepEqual([plain.status, plain.headers.get('access-control-allow-origin')], [200, null])
  })
})

test('without CORS_ORIGINS there is no such header, and with * it is for every page', async () => {
  for (const [settings, expected] of [
    [{}, null],
    [{ CORS_ORIGINS: '*' }, '*'],
  ] as const) {
    await using server = await shareServer(settings)
    const { headers } = await fetch(`${server.url}/api/v2/usage`, { headers: { origin: SHOP } })
    assert.equal(headers.get('access-control-allow-origin'), expected)
  }
})

test("a caller's X-Request-Id is echoed where it is harmless, else another is made", async () => {
  await using server = await shareServer()
  const idOf = async (id: string) =>
    (await fetch(`${server.url}/api/v2/usage`, { headers: { 'x-request-id': id } })).headers.get('x-request-id')
  assert.equal(await idOf('order-4711_checkout'), 'order-4711_checkout')
  for (const id of ['short', 'with a space', 'x'.repeat(65), 'semi;colon=1'])
    assert.match((await idOf(id)) ?? '', /^req_[0-9a-f]{32}$/)
})
