import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { buildFault, sourceHash } from '@pixelmill/dashboard/dashboard-build'
import { rawRequest } from '../../../test/support/raw-get.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'

let server: SharedServer
before(async () => {
  server = await shareServer()
})
after(() => server?.[Symbol.asyncDispose]())

const get = (path: string, headers: Record<string, string> = {}) => rawRequest(`${server.url}${path}`, headers)

const POLICY =
  "default-src 'self'; img-src 'self' blob: data:; connect-src 'self'; style-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

for (const path of ['/', '/sign-in', '/playground', '/keys', '/batches/0199', '/admin/users']) {
  test(`${path} is the page, with a strict content policy, and revalidated each time`, async () => {
    const { status, headers, bytes } = await get(path)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['content-security-policy'], POLICY)
    assert.equal(headers['cache-control'], 'no-cache')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'same-origin')
    assert.match(String(headers['permissions-policy']), /camera=\(\)/)
    assert.match(bytes.toString(), /^<!doctype html>/)
    const again = await get(path, { 'if-none-match': String(headers.etag) })
    assert.deepEqual([again.status, again.bytes.length], [304, 0])
  })
}

for (const [path, type] of [
  ['/llms.txt', 'text/plain'],
  ['/docs/guides/tls.md', 'text/markdown'],
  ['/docs/errors.md', 'text/markdown'],
]) {
  test(`${path} is text for programs, compressed, and revalidated each time`, async () => {
    const { status, headers, bytes } = await get(path ?? '')
    assert.deepEqual([status, headers['content-type']], [200, `${type}; charset=utf-8`])
    assert.equal(headers['cache-control'], 'no-cache')
    assert.match(bytes.toString(), /^# \w/)
    const packedAnswer = await get(path ?? '', { 'accept-encoding': 'br' })
    assert.deepEqual(brotliDecompressSync(packedAnswer.bytes), bytes)
    const again = await get(path ?? '', { 'if-none-match': String(headers.etag) })
    assert.deepEqual([again.status, again.bytes.length], [304, 0])
  })
}

test('a guide that does not exist is not found as Markdown either', async () => {
  assert.equal((await get('/docs/guides/nothing.md')).status, 404)
})

test('its files come from this server only, may be cached without limit, and are compressed as the browser accepts', async () => {
  const { bytes } = await get('/')
  const files = [...bytes.toString().matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, address]) => address ?? '')
    .filter((address) => address !== '/docs' && address !== '/')
  assert.ok(files.length >= 3)
  for (const file of files) {
    assert.match(file, /^\/assets\/[\w-]+\.(js|css|svg)$/)
    const plain = await get(file)
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.headers['content-encoding'], undefined)
    const br = await get(file, { 'accept-encoding': 'gzip, deflate, br' })
    const gzip = await get(file, { 'accept-encoding': 'gzip;q=1, br;q=0' })
    assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip'])
    assert.deepEqual([brotliDecompressSync(br.bytes), gunzipSync(gzip.bytes)], [plain.bytes, plain.bytes])
    assert.equal(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size, 3)
    for (const { headers } of [plain, br, gzip]) assert.equal(headers.vary, 'Accept-Encoding')
  }
})

for (const path of [
  '/nowhere',
  '/assets/nothing.js',
  '/assets/..%2f..%2fpackage.json',
  '/batches/a/b',
  '/index.html',
  '/paths.json',
]) {
  test(`${path} is not a page for clients other than browsers`, async () => {
    for (const accept of ['*/*', 'application/json', 'text/html;q=0, */*']) {
      const { status, headers, bytes } = await get(path, { accept })
      assert.deepEqual([status, headers['content-type']], [404, 'application/json; charset=utf-8'], accept)
      assert.equal(JSON.parse(bytes.toString()).statusMessage, 'not_found')
    }
  })
}

/** As Chromium asks for an address that was typed. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

for (const path of [
  '/nowhere',
  '/playgruond',
  '/batches/a/b',
  '/api/v1/nothing',
  '/index.html',
  '/%zz',
  '/docs/',
  '/docs/guides/nothing',
]) {
  test(`${path} opened in a browser is a page with a link to the start page and status 404`, async () => {
    const { status, headers, bytes } = await get(path, { accept: BROWSER })
    assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8'])
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/)
    assert.match(bytes.toString(), /^<!doctype html>[\s\S]*<h1>No such page<\/h1>[\s\S]*<a class="button primary" href="\/">/)
  })
}

test('an existing path answers a browser in the same way as other clients', async () => {
  const postedResponse = await fetch(`${server.url}/nowhere`, { method: 'POST', headers: { accept: BROWSER } })
  assert.deepEqual(
    [postedResponse.status, ((await postedResponse.json()) as { statusMessage: string }).statusMessage],
    [404, 'not_found'],
  )
  const refusedAnswer = await get('/api/user', { accept: BROWSER })
  assert.deepEqual(
    [refusedAnswer.status, JSON.parse(refusedAnswer.bytes.toString()).statusMessage],
    [401, 'missing_or_invalid_login_token'],
  )
  const head = await fetch(`${server.url}/nowhere`, { method: 'HEAD', headers: { accept: BROWSER } })
  assert.deepEqual([head.status, head.headers.get('content-type')], [404, 'text/html; charset=utf-8'])
})

test('a page answers GET and HEAD only', async () => {
  const response = await fetch(`${server.url}/playground`, { method: 'POST' })
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD'])
  assert.equal((await fetch(`${server.url}/playground`, { method: 'HEAD' })).status, 200)
})

test('the documentation keeps its paths', async () => {
  for (const path of ['/docs', '/docs/errors', '/openapi.json']) assert.equal((await get(path)).status, 200)
})

test('an installation without the build tool gets a message that says how to get the pages; other errors keep their messages', () => {
  const missing = "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'vite' imported from /srv/dashboard/build.ts\n    at …"
  assert.match(buildFault(missing), /^the builder is not installed; `npm ci` without --omit=dev/)
  assert.equal(buildFault(' [vite] Unexpected token\n'), '[vite] Unexpected token')
})

test('sources are compared by their content, not by their time; installed packages do not count', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pixelmill-sources-'))
  try {
    await mkdir(join(folder, 'src'))
    await writeFile(join(folder, 'src/a.ts'), 'one')
    const first = sourceHash([folder])
    await mkdir(join(folder, 'node_modules'))
    await writeFile(join(folder, 'node_modules/b.js'), 'x')
    await writeFile(join(folder, 'src/a.ts'), 'one')
    assert.equal(sourceHash([folder]), first)
    await writeFile(join(folder, 'src/a.ts'), 'two')
    assert.notEqual(sourceHash([folder]), first)
  } finally {
    await rm(folder, { recursive: true })
  }
})
