import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '../support/server.ts'

const MOST = 5

interface Open {
  readonly socket: Socket
}

function open(t: TestContext, server: Server): Open {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {})
  t.after(() => socket.destroy())
  return { socket }
}
const closed = (connections: readonly Open[]) => connections.filter(({ socket }) => socket.destroyed).length

for (const [says, settings] of [
  ['a trusted proxy', { IDLE_CONNECTIONS_PER_ADDRESS: String(MOST), TRUSTED_PROXIES: '10.0.0.0/8, loopback' }],
  ['no address, where the limit is off,', { IDLE_CONNECTIONS_PER_ADDRESS: '0' }],
] as const) {
  test(`${says} keeps all its connections`, async (t) => {
    await using server = await startServer({ RENDERERS: '1', ...settings })
    const idle = Array.from({ length: 4 * MOST }, () => open(t, server))
    await sleep(5_000)
    assert.equal(closed(idle), 0)
    for (const { socket } of idle) socket.destroy()
  })
}
