import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { raw } from '../../../test/support/raw.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import type { Database } from '../../database/database.ts'
import { callsOf } from './agent.ts'

/** What comes to POST /mcp, and is no message of the protocol. */

let server: SharedServer
let database: Database
let account: { readonly id: string; readonly key: string }
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  account = await makeAccount(database, 'team')
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

type Headers = Readonly<Record<string, string>>

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params })
const list = message('tools/list')
/** What a request of the newest revision says of itself. */
const meta = (version: string) => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
})
const modern = (method: string, version = '2026-07-28'): Headers => ({ 'mcp-protocol-version': version, 'mcp-method': method })

async function post(body: unknown, headers: Headers = {}, method = 'POST') {
  const answer = await fetch(`${server.url}/mcp`, {
    method,
    headers: {
      authorization: `Bearer ${account.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const json = text.replace(/^event: message\ndata: /, '').trim()
  return { status: answer.status, headers: answer.headers, body: json === '' ? undefined : JSON.parse(json) }
}

/** The status, and the error's number in JSON-RPC. */
const refusals: readonly (readonly [what: string, status: number, code: number, body: unknown, headers?: Headers])[] = [
  ['text', 400, -32_700, 'not JSON'],
  ['nothing', 400, -32_700, ''],
  ['half of a message', 400, -32_700, JSON.stringify(list).slice(0, 20)],
  ['an empty object', 400, -32_600, {}],
  ['a number', 400, -32_600, 5],
  ['null', 400, -32_600, 'null'],
  ['another version of JSON-RPC', 400, -32_600, { ...list, jsonrpc: '1.0' }],
  ['a method that is a number', 400, -32_600, { ...list, method: 5 }],
  ['an id that is an object', 400, -32_600, { ...list, id: {} }],
  ['an empty batch', 400, -32_600, []],
  ['a batch', 400, -32_600, [list, { ...list, id: 8 }]],
  ['a batch behind spaces', 400, -32_600, `\n  [${JSON.stringify(list)}]`],
  ['an unknown method', 200, -32_601, message('tools/lost')],
  ['prompts, of which there are none', 200, -32_601, message('prompts/list')],
  ['an unknown tool', 200, -32_602, message('tools/call', { name: 'rm', arguments: {} })],
  ['a tool of every object', 200, -32_602, message('tools/call', { name: 'constructor', arguments: {} })],
  ['a call without a name', 200, -32_602, message('tools/call')],
  ['arguments that are a list', 200, -32_602, message('tools/call', { name: 'usage', arguments: [] })],
  ['a revision that never was', 400, -32_000, list, { 'mcp-protocol-version': '1999-01-01' }],
  ['a revision of the future', 400, -32_022, message('tools/list', meta('2030-01-01')), modern('tools/list', '2030-01-01')],
  ['a header that names another method', 400, -32_020, message('tools/list', meta('2026-07-28')), modern('tools/call')],
  ['text/plain', 415, -32_000, list, { 'content-type': 'text/plain' }],
  ['a client that accepts neither type', 406, -32_000, list, { accept: 'text/html' }],
  ['a client that accepts no events', 406, -32_000, list, { accept: 'application/json, text/event-stream;q=0, */*' }],
]
for (const [what, status, code, body, headers] of refusals) {
  test(`${what} is answered with ${code}`, async () => {
    const answer = await post(body, headers)
    assert.deepEqual([answer.status, answer.body?.error?.code], [status, code], JSON.stringify(answer.body))
    assert.ok(answer.body.error.message)
  })
}

for (const accept of ['*/*', 'application/*, text/*;q=0.5', 'Application/JSON, Text/Event-Stream', 'text/html;q=0, */*;q=0.1']) {
  test(`Accept: ${accept} takes both types of answers`, async () => {
    const handshake = message('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'tests', version: '1' },
    })
    for (const askedValue of [list, handshake]) assert.equal((await post(askedValue, { accept })).status, 200)
    const newest = await post(message('tools/list', meta('2026-07-28')), { ...modern('tools/list'), accept })
    assert.equal(newest.status, 200)
  })
}

test('without Accept any type is taken', async () => {
  const body = JSON.stringify(list)
  const head = ['POST /mcp HTTP/1.1', 'Host: x', 'Connection: close', `Authorization: Bearer ${account.key}`]
  const fields = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  assert.match(await raw(server.url, [`${[...head, ...fields].join('\r\n')}\r\n\r\n${body}`]), /^HTTP\/1.1 200 /)
})

test('a request of the page of another server is refused, with a key or without', async () => {
  const { host, port } = new URL(server.url)
  const origins = [
    ['http://attacker.example', host],
    // An attacker's name that leads to this machine, as by DNS rebinding.
    [`http://attacker.example:${port}`, `attacker.example:${port}`],
    ['null', host],
    ['https://', host],
    [`http://127.0.0.1:${Number(port) + 1}`, host],
    ['vscode-webview://abc', host],
  ]
  for (const [origin = '', askedText = ''] of origins) {
    for (const key of [account.key, 'sk_wrong']) {
      const body = JSON.stringify(list)
      const head = [`POST /mcp HTTP/1.1`, `Host: ${askedText}`, `Origin: ${origin}`, `Authorization: Bearer ${key}`]
      const fields = ['Connection: close', 'Content-Type: application/json', `Content-Length: ${body.length}`]
      const answer = await raw(server.url, [`${[...head, ...fields].join('\r\n')}\r\n\r\n${body}`])
      assert.match(answer, /^HTTP\/1.1 403 forbidden[\s\S]*PUBLIC_URL/, `${origin} ${askedText}`)
    }
  }
  assert.equal((await post(list, { origin: server.url })).status, 200)
})

test('a subscription is acknowledged without notifications, since nothing changes, and ends', async () => {
  for (const notifications of [{ toolsListChanged: true, resourceSubscriptions: ['file:///a'] }, {}]) {
    const params = { notifications, ...meta('2026-07-28') }
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...modern('subscriptions/listen'),
      },
      body: JSON.stringify(message('subscriptions/listen', params)),
    })
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/event-stream'])
    const events = (await answer.text()).split('\n\n').filter((event) => event !== '')
    const [acknowledgedItem, result] = events.map((event) => JSON.parse(event.replace(/^event: message\ndata: /, '')))
    assert.equal(events.length, 2)
    const id = { 'io.modelcontextprotocol/subscriptionId': 7 }
    assert.deepEqual(acknowledgedItem, {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: {}, _meta: id },
    })
    assert.equal(result.id, 7)
    assert.equal(result.result.resultType, 'complete')
    assert.equal(result.result._meta['io.modelcontextprotocol/subscriptionId'], 7)
  }
  const without = await post(message('subscriptions/listen', meta('2026-07-28')), modern('subscriptions/listen'))
  assert.deepEqual([without.status, without.body.error.code], [200, -32_602])
})

test('arguments that do not suit a tool are a result, which a model can read and correct', async () => {
  const strange: readonly (readonly [tool: string, params: object])[] = [
    ['edit_image', {}],
    ['edit_image', { image: {}, recipe: {} }],
    ['edit_image', { image: { handle: 'a', base64: 'b' }, recipe: {} }],
    ['edit_image', { image: { source: 'a' }, recipe: {} }],
    ['edit_image', { image: { base64: 5 }, recipe: {} }],
    ['edit_image', { image: { base64: 'AAAA' }, recipe: 'webp' }],
    ['edit_image', { image: { base64: 'AAAA' }, recipe: {}, force: true }],
    ['inspect_image', { image: { base64: 'AAAA' }, fields: ['soul'] }],
    ['batch_status', { id: 5 }],
    ['suggest_crop', { image: { base64: 'AAAA' }, ratio: { width: -1, height: 1 } }],
  ]
  for (const [name, params] of strange) {
    const { status, body } = await post(message('tools/call', { name, arguments: params }))
    assert.deepEqual([status, body.result?.isError], [200, true], JSON.stringify([params, body]))
    assert.match(body.result.content[0].text, /Invalid arguments for tool/)
  }
})

test('a message that is too large is refused before it has come', async () => {
  const { status, body } = await post(message('tools/call', { name: 'usage', arguments: { x: 'x'.repeat(512 * 1024) } }))
  assert.deepEqual([status, body.statusMessage], [400, 'invalid_params'])
  const head = `POST /mcp HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n`
  assert.match(await raw(server.url, [`${head}Authorization: Bearer ${account.key}\r\n\r\n`]), /^HTTP\/1.1 400 invalid_params/)
  assert.match(
    await raw(server.url, [`${head}\r\n`]),
    /^HTTP\/1.1 401 missing_or_invalid_api_key[\s\S]*www-authenticate: Bearer/i,
  )
})

test('GET, DELETE and PUT are not there: there are no sessions and no stream of events', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const { status, headers } = await post(undefined, {}, method)
    assert.deepEqual([status, headers.get('allow')], [405, 'POST'], method)
  }
})

test('a notification is accepted, and answered with nothing', async () => {
  const { status, body } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  assert.deepEqual([status, body], [202, undefined])
})

test('the handshake offers the newest revision that has one to clients of others', async () => {
  for (const askedText of ['2025-11-25', '2025-06-18', '1999-01-01']) {
    const params = { protocolVersion: askedText, capabilities: {}, clientInfo: { name: 'tests', version: '1' } }
    const { body } = await post(message('initialize', params))
    assert.equal(body.result.protocolVersion, askedText === '1999-01-01' ? '2025-11-25' : askedText)
    assert.equal(body.result.serverInfo.name, 'pixelmill')
  }
})

test('none of this was charged', async () => {
  assert.equal(await callsOf(database, account.id), 0)
})
