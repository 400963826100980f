import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { startServer } from '../../../test/support/server.ts'

/** More than IDLE_CONNECTIONS_PER_ADDRESS allows one address. */
const IDLE = 300
const CALLS = 2_000
const AT_ONCE = 8

const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'usage', arguments: {} } })
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

async function idleConnection(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  return socket
}

test('the requests of 2,000 calls of tools are no connections: beside 300 idle ones the server goes on', {
  skip: skipByDay,
}, async (t) => {
  await using server = await startServer({ RENDERERS: '1' })
  const idle = await Promise.all(Array.from({ length: IDLE }, () => idleConnection(server.url)))
  t.after(() => {
    for (const socket of idle) socket.destroy()
  })
  const headers = { ...HEADERS, authorization: `Bearer ${server.key}` }
  async function callInTurn(calls: number): Promise<void> {
    for (let call = 0; call < calls; call++) {
      const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: CALL })
      assert.match(await answer.text(), /"structuredContent"/)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, () => callInTurn(CALLS / AT_ONCE)))
  assert.equal(server.child.exitCode, null, server.output())
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
  assert.doesNotMatch(server.output(), /"level":"error"/)
})
