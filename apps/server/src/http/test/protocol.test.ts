import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, test } from 'node:test'
import type { ErrorBody } from '../../../test/support/call.ts'
import { raw } from '../../../test/support/raw.ts'
import { readMetric } from '../../../test/support/read-metric.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'

/**
 * Requests that are wrong in HTTP itself: each answer has the error body and the headers of every response and is counted,
 * and the server goes on.
 */

let server: SharedServer
before(async () => {
  server = await shareServer()
})
after(() => server[Symbol.asyncDispose]())

interface Answer {
  readonly status: string
  readonly headers: Headers
  readonly body: string
}

function parse(answer: string): Answer {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const pairs = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return { status, headers: new Headers(pairs), body: rest.join('\r\n\r\n') }
}

const ask = async (line: string, headers: readonly string[] = ['Host: x', 'Connection: close'], body = '') =>
  parse(await raw(server.url, [`${[line, ...headers].join('\r\n')}\r\n\r\n${body}`]))

/** How many answers with an identifier were counted. */
const errorCount = async (error: string): Promise<number> => (await readMetric(server, 'errors_total', { error })) ?? 0

const authorisedHead = () => ['Host: x', 'Connection: close', `Authorization: Bearer ${server.key}`]

const rows: readonly (readonly [name: string, status: number, identifier: string, request: () => Promise<Answer>])[] = [
  ['no HTTP at all', 400, 'bad_request', () => ask('NONSENSE', [])],
  ['a version that does not exist', 400, 'bad_request', () => ask('GET /healthz HTTP/9.9')],
  ['a header without a colon', 400, 'bad_request', () => ask('GET /healthz HTTP/1.1', ['Host: x', 'nonsense'])],
  ['20 KB of headers', 400, 'bad_request', () => ask('GET /healthz HTTP/1.1', ['Host: x', `X-Long: ${'x'.repeat(20_000)}`])],
  ['no Host', 400, 'bad_request', () => ask('GET /healthz HTTP/1.1', ['Connection: close'])],
  [
    'a length that is no number',
    400,
    'bad_request',
    () => ask('POST /api/v1/convert HTTP/1.1', [...authorisedHead(), 'Content-Length: ten']),
  ],
  [
    'two lengths',
    400,
    'bad_request',
    () => ask('POST /api/v1/convert HTTP/1.1', [...authorisedHead(), 'Content-Length: 3', 'Content-Length: 4']),
  ],
  [
    'a length and chunks, as smugglers send',
    400,
    'bad_request',
    () => ask('POST /api/v1/convert HTTP/1.1', [...authorisedHead(), 'Content-Length: 5', 'Transfer-Encoding: chunked'], 'hello'),
  ],
  [
    'an expectation that is unknown',
    400,
    'bad_request',
    () => ask('POST /api/v1/convert HTTP/1.1', [...authorisedHead(), 'Expect: miracles']),
  ],
  ['a path that cannot be decoded', 404, 'not_found', () => ask('GET /%zz HTTP/1.1')],
  ['a path of control characters', 404, 'not_found', () => ask('GET /%01%0d%0aX:1 HTTP/1.1')],
  ['a path with U+0000', 400, 'invalid_params', () => ask('GET /%00 HTTP/1.1')],
  ['a path that climbs', 404, 'not_found', () => ask('GET /docs/../../etc/passwd HTTP/1.1')],
  ['a method of another protocol on a known path', 405, 'method_not_allowed', () => ask('TRACE /api/v1/convert HTTP/1.1')],
  ['a method of WebDAV on a known path', 405, 'method_not_allowed', () => ask('PROPFIND /healthz HTTP/1.1')],
  ['a method on an unknown path', 404, 'not_found', () => ask('DELETE /api/v1/nothing HTTP/1.1')],
]
for (const [name, status, identifier, request] of rows) {
  test(`${name} is ${status} ${identifier}`, async () => {
    const before = await errorCount(identifier)
    const answer = await request()
    assert.equal(await errorCount(identifier), before + 1)
    assert.equal(answer.status, `HTTP/1.1 ${status} ${identifier}`)
    const body = JSON.parse(answer.body) as ErrorBody
    assert.deepEqual([body.statusCode, body.statusMessage, body.docs], [status, identifier, `/docs/errors#${identifier}`])
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.ok(body.requestId)
    assert.equal(answer.headers.get('x-request-id'), body.requestId)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
  })
}

const paths = [
  ['/api/v1/convert', 'POST'],
  ['/api/v1/resize', 'POST'],
  ['/api/v1/crop', 'POST'],
  ['/api/v1/flip', 'POST'],
  ['/api/v1/flop', 'POST'],
  ['/api/v1/watermark', 'POST'],
  ['/api/v1/optimize', 'POST'],
  ['/healthz', 'GET, HEAD'],
  ['/readyz', 'GET, HEAD'],
  ['/openapi.json', 'GET, HEAD'],
  ['/docs', 'GET, HEAD'],
  ['/docs/errors', 'GET, HEAD'],
] as const
for (const [path, allow] of paths) {
  test(`${path} accepts ${allow} and nothing else`, async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allow.includes(method)) continue
      const { status, headers, statusText } = await fetch(server.url + path, { method })
      assert.deepEqual([status, statusText, headers.get('allow')], [405, 'method_not_allowed', allow], method)
    }
  })
  if (allow.includes('HEAD')) {
    test(`HEAD ${path} has the headers of GET and no body`, async () => {
      const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => fetch(server.url + path, { method })))
      assert.deepEqual([head?.status, head?.headers.get('content-type')], [200, get?.headers.get('content-type')])
      assert.equal((await head?.arrayBuffer())?.byteLength, 0)
    })
  }
}

test('every method that Node can read is 405 with Allow on a known path, and 404 on an unknown one', async () => {
  const others = METHODS.filter((method) => !['POST', 'CONNECT'].includes(method))
  assert.ok(others.includes('QUERY') && others.length > 30)
  const json = ['Host: x', 'Connection: close', 'Content-Type: application/json', 'Content-Length: 2']
  for (const method of others) {
    const knownAnswer = await ask(`${method} /api/v1/convert HTTP/1.1`)
    assert.deepEqual([knownAnswer.status, knownAnswer.headers.get('allow')], ['HTTP/1.1 405 method_not_allowed', 'POST'], method)
    assert.equal((await ask(`${method} /api/v1/nothing HTTP/1.1`)).status, 'HTTP/1.1 404 not_found', method)
    const withBody = await ask(`${method} /api/v1/convert HTTP/1.1`, json, '{}')
    assert.equal(withBody.status, 'HTTP/1.1 405 method_not_allowed', method)
  }
  const before = await errorCount('not_found')
  assert.equal((await ask('CONNECT example.com:443 HTTP/1.1')).status, 'HTTP/1.1 404 not_found')
  assert.equal(await errorCount('not_found'), before + 1)
})

test('a key in lower-case bearer, and one with spaces around it, are taken; the connection stays open after a refusal', async () => {
  const request = (authorization: string) =>
    `POST /api/v1/convert HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 0\r\n\r\n`
  const pieces = [request(`bearer   ${server.key}  `), request('nonsense'), request(`BEARER ${server.key}`)]
  const answers = (await raw(server.url, pieces, { pauseMs: 200, ms: 300 })).match(/HTTP\/1\.1 \d+ \w+/g)
  assert.deepEqual(answers, [
    'HTTP/1.1 400 missing_form_data',
    'HTTP/1.1 401 missing_or_invalid_api_key',
    'HTTP/1.1 400 missing_form_data',
  ])
})

test('an unknown path asks for no key and reads no body', async () => {
  const { status } = await fetch(`${server.url}/api/v1/nothing`, { method: 'POST', body: Buffer.alloc(100_000) })
  assert.equal(status, 404)
})
