import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { errors } from '../../src/contract/errors.ts'
import { lacks } from './files.ts'
import { startNginx } from './nginx.ts'

const PORT = 8_088
/** More than `burst` and what a second adds to it. */
const FLOOD = 1_500
/** What the server behind the balancer says for itself. */
const OWN_REFUSAL = JSON.stringify({ statusMessage: 'rate_limited', message: 'Of this key.' })

interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

function post(agent: Agent, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sentRequest = request({ host: '127.0.0.1', port: PORT, path, method: 'POST', agent }, async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body })
    })
    sentRequest.on('error', reject).end()
  })
}

test('a flood of one address ends at the balancer, in the words of an error of Pixelmill', {
  skip: lacks('nginx'),
}, async (t) => {
  let servedCount = 0
  const api = createServer(({ url }, response) => {
    servedCount++
    if (url === '/refused') response.writeHead(429, { 'retry-after': '7' }).end(OWN_REFUSAL)
    else response.end('ok')
  })
  await once(api.listen(0, '127.0.0.1'), 'listening')
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  t.after(() => {
    agent.destroy()
    api.closeAllConnections()
    api.close()
  })
  await using _nginx = await startNginx(String(PORT), {
    addresses: ['127.0.0.1'],
    port: String((api.address() as AddressInfo).port),
  })
  assert.deepEqual(await post(agent, '/refused'), { status: 429, retryAfter: '7', body: OWN_REFUSAL })
  servedCount = 0
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: FLOOD }, () => post(agent, '/api/v1/convert')))
  const seconds = (performance.now() - began) / 1000
  const refusedAnswers = answers.filter(({ status }) => status === 429)
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 429]))
  assert.equal(servedCount, FLOOD - refusedAnswers.length)
  assert.ok(servedCount >= 400 && servedCount <= 401 + 200 * (seconds + 1), `${servedCount} served in ${seconds} s`)
  for (const { retryAfter, body } of refusedAnswers) {
    assert.equal(retryAfter, '1')
    const { statusCode, statusMessage, message, requestId, docs } = JSON.parse(body) as Record<string, unknown>
    assert.deepEqual([statusCode, statusMessage, docs], [errors.rate_limited.status, 'rate_limited', '/docs/errors#rate_limited'])
    assert.equal(typeof message, 'string')
    assert.match(String(requestId), /^[\da-f]{32}$/)
  }
})
