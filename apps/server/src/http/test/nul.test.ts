import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { read } from '../../../test/support/call.ts'
import { BOUNDARY, multipart, type Part } from '../../../test/support/multipart.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import { signText } from '../../delivery/address.ts'
import { routes } from '../../routes.ts'

/** U+0000 at every door of the API: it is invalid_params wherever it stands, and never a fault of ours. */

let server: SharedServer
before(async () => {
  server = await shareServer()
})
after(() => server[Symbol.asyncDispose]())

const image = await solid(20, 20, '#123456').png().toBuffer()
const base64 = (text: string) => Buffer.from(text).toString('base64')

type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

async function assertRefused(method: string, path: string, { headers, ...init }: Sent = {}, issue?: string): Promise<void> {
  const authorization = `Bearer ${server.key}`
  const response = await fetch(server.url + path, { method, ...init, headers: { authorization, ...headers } })
  if (method === 'HEAD') return assert.equal(response.status, 400, path)
  const answer = await read(response)
  const what = `${method} ${path}: ${answer.bytes}`
  assert.equal(answer.status, 400, what)
  // Tinify's errors have a body of their own.
  if (path.startsWith('/output') || path.startsWith('/shrink')) return
  assert.equal(answer.error?.statusMessage, 'invalid_params', what)
  if (issue !== undefined)
    assert.ok(
      answer.error?.issues?.some(({ path }) => path.join('.') === issue),
      what,
    )
}

const filledPath = (path: string, text: string) => path.replaceAll(/:\w+/g, text).replace('*', `a/${text}`)

test('in a path, whatever it leads to', async () => {
  const withParameter = routes.filter(({ path }) => /[:*]/.test(path))
  assert.ok(withParameter.length > 20)
  for (const { method, path } of withParameter) {
    await assertRefused(method, filledPath(path, 'a%00b'), {}, 'path')
    if (method === 'GET') await assertRefused('HEAD', filledPath(path, '%00'))
  }
  for (const path of ['/%00', '/docs/errors%00', '/assets/a%00.js']) await assertRefused('GET', path, {}, 'path')
  await assertRefused('PATCH', '/api/v3/tus/a%00b', { headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0' } }, 'path')
})

test('in a query, in names and values, known or not', async () => {
  for (const route of routes) {
    const path = filledPath(route.path, 'a')
    for (const name of [...Object.keys(route.query?.shape ?? {}), 'unknown'])
      await assertRefused(route.method, `${path}?${name}=a%00b`, {}, name)
    await assertRefused(route.method, `${path}?a%00=1`)
  }
})

test('of an address of delivery, also where it is signed', async () => {
  const secret = Buffer.from('a'.repeat(32))
  for (const path of ['/i/photos/a%00.jpg', '/i/photos/a.jpg?w=%00', '/i/photos/a.jpg?x=%00'])
    await assertRefused('GET', signText(path, secret))
})

const json = (value: unknown): Sent => ({ body: JSON.stringify(value), headers: { 'content-type': 'application/json' } })
const deep = (levels: number): unknown => {
  let value: unknown = '\0'
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

test('in JSON, in names and values of any depth, known or not', async () => {
  const { key } = server
  const token = { body: JSON.stringify({ email: 'a\0b', password: 'a\0b' }), headers: { 'content-type': 'application/json' } }
  await assertRefused('POST', '/api/auth/sign-in', token, 'email')
  await assertRefused('POST', '/api/auth/sign-in', json({ email: 'a@example.com', password: 'long enough', more: 'a\0' }), 'more')
  await assertRefused('POST', '/api/auth/sign-in', json({ email: 'a@example.com', password: 'long enough', 'mo\0re': 1 }))
  await assertRefused('POST', '/api/auth/sign-in', json({ more: deep(10_000) }))
  await assertRefused('POST', '/shrink', {
    ...json({ source: { url: 'https://example.com/\0' } }),
    headers: { ...json(0).headers, authorization: `Basic ${base64(`api:${key}`)}` },
  })
})

const sentForm = (...parts: readonly Part[]): Sent => ({
  body: new Uint8Array(multipart([{ name: 'format', content: 'webp' }, ...parts])),
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
})
const file: Part = { name: 'image', file: 'a.png', content: image }

test('in a form: in texts, names of parts and names of files', async () => {
  const rows: readonly (readonly [Sent, string?])[] = [
    [sentForm(file, { name: 'quality', content: 'a\0' }), 'quality'],
    [sentForm(file, { name: 'unknown', content: '\0' }), 'unknown'],
    [sentForm(file, { name: 'na\0me', content: 'x' })],
    [sentForm({ ...file, file: 'a\0.png' })],
    [sentForm(file, { name: 'fi\0le', file: 'b.png', content: image })],
    [sentForm({ name: 'upload', content: 'a\0b' }), 'upload'],
  ]
  for (const [sentItem, issue] of rows) await assertRefused('POST', '/api/v1/convert', sentItem, issue)
  const recipe = JSON.stringify({ outputs: [{ name: 'a\0', format: 'webp' }] })
  await assertRefused('POST', '/api/v3/images', sentForm(file, { name: 'recipe', content: recipe }))
  await assertRefused(
    'POST',
    '/api/v1/convert?format=webp&quality=%00',
    { body: new Uint8Array(image), headers: { 'content-type': 'image/png' } },
    'quality',
  )
})

test('in the names that uploads are sent with', async () => {
  const tus = { 'tus-resumable': '1.0.0', 'upload-length': '3' }
  for (const [key, value] of [
    ['filename', 'a\0.png'],
    ['filetype', 'image/\0'],
    ['other', '\0'],
  ] as const)
    await assertRefused(
      'POST',
      '/api/v3/tus',
      { headers: { ...tus, 'upload-metadata': `${key} ${base64(value)}` } },
      `Upload-Metadata.${key}`,
    )
  const headers = { 'content-type': 'image/png', 'content-disposition': "attachment; filename*=UTF-8''a%00.png" }
  await assertRefused('PUT', '/api/v3/uploads', { body: new Uint8Array(image), headers }, 'Content-Disposition')
})

test('in a message of an agent, and not where a backslash is meant', async () => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${server.key}`,
  }
  const call = (handle: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'describe_image', arguments: { image: { handle } } },
  })
  const ask = async (handle: string) =>
    read(await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(call(handle)) }))
  const { status, bytes } = await ask('a\0b')
  assert.deepEqual([status, (JSON.parse(bytes.toString()) as { error: { code: number } }).error.code], [400, -32_602])
  assert.equal((await ask('a\\u0000b')).status, 200)
})

test('in the credentials of Tinify it is a wrong key', async () => {
  for (const text of [`api:${server.key}\0`, '\0:x']) {
    const init = { method: 'POST', body: new Uint8Array(image), headers: { authorization: `Basic ${base64(text)}` } }
    assert.equal((await fetch(`${server.url}/shrink`, init)).status, 401)
  }
})
