import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { resolveByDns } from '../resolve.ts'

test('a name server that never answers ends in a timeout', async () => {
  const server = createSocket('udp4')
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  const servers = [`127.0.0.1:${server.address().port}`]
  await assert.rejects(resolveByDns('slow.pixelmill.test', servers), { code: 'ETIMEOUT' })
  server.close()
})
