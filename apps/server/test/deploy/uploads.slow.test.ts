import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { startBreakingProxy } from '../support/breaking-proxy.ts'
import { breaksOf, call, sendByTus } from '../support/resuming.ts'
import { startServer } from '../support/server.ts'
import { noNginx, startPlainNginx } from './plain-nginx.ts'

test('uploads are resumed through nginx, which passes on what has come', { skip: noNginx }, async () => {
  await using server = await startServer({ RENDERERS: '1', TRUSTED_PROXIES: 'loopback' })
  await using nginx = await startPlainNginx(`location / {
    client_max_body_size 0; proxy_request_buffering off; proxy_buffering off; proxy_http_version 1.1;
    proxy_set_header Connection ""; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
    proxy_pass ${server.url};
  }`)
  const bytes = randomBytes(8 * 2 ** 20)
  await using proxy = await startBreakingProxy(nginx.url, breaksOf(bytes.length, 5))
  const handle = await sendByTus({ url: proxy.url, key: server.key }, bytes, bytes.length)
  assert.equal(proxy.broken(), 5)
  const got = await fetch(`${nginx.url}/api/v3/uploads/${handle}`, { headers: { authorization: `Bearer ${server.key}` } })
  assert.ok(Buffer.from(await got.arrayBuffer()).equals(bytes))
  // It would take an interim response for the answer.
  const headers = { 'upload-complete': '?0', 'upload-draft-interop-version': '8', 'content-length': '0' }
  const { status, interim } = await call({ url: nginx.url, key: server.key }, 'PUT', '/api/v3/uploads', headers)
  assert.deepEqual([status, interim], [201, []])
})
