import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { newFilesOf, untilEnded } from '../../../test/support/batch-call.ts'
import { form, read } from '../../../test/support/call.ts'
import { send } from '../../../test/support/json-call.ts'
import { signUp } from '../../../test/support/person.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import { zipFile } from '../../../test/support/zip.ts'
import { openFolder } from '../../blobs/folder/folder-store.ts'
import type { Database } from '../../database/database.ts'
import { removeExpired } from '../remove-uploads.ts'

/** Files that are sent ahead, and used by their handles. */

const MiB = 2 ** 20

let server: Server
let database: Database
before(async () => {
  server = await startServer({ RENDERERS: '1', UPLOADS_MB_PER_ACCOUNT: '4', SIGN_UP: 'open' })
  database = await openServerDatabase(server.dir)
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

const picture = await solid(20, 10, '#123456').png().toBuffer()
const archive = zipFile(['a.png', 'b.png'].map((name) => ({ name, data: picture })))

const person = async () => await makeAccount(database, 'team')
type Person = Pick<Awaited<ReturnType<typeof person>>, 'key'>

async function put({ key }: Person, bytes: Buffer, headers: Readonly<Record<string, string>> = {}) {
  const answer = await read(
    await fetch(`${server.url}/api/v3/uploads`, {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png', ...headers },
    }),
  )
  return { ...answer, handle: answer.status === 201 ? (JSON.parse(answer.bytes.toString()).handle as string) : '' }
}

const get = async ({ key }: Person, handle: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  read(await fetch(`${server.url}/api/v3/uploads/${handle}`, { method, headers: { authorization: `Bearer ${key}`, ...headers } }))

const post = async ({ key }: Person, path: string, fields: Readonly<Record<string, string>>, files = {}) =>
  read(await fetch(server.url + path, { method: 'POST', body: form(fields, files), headers: { authorization: `Bearer ${key}` } }))

const usedRemovals = async (id: string): Promise<number> =>
  (await database.pool.query('select coalesce(sum(used), 0)::int as used from usage_month where account_id = $1', [id])).rows[0]
    .used

test('an upload is downloaded as it was sent, whole or in part, and costs no call', async () => {
  const who = await person()
  const sentAnswer = await put(who, picture, { 'content-disposition': 'inline; filename="Größe; 1.png"' })
  assert.equal(sentAnswer.status, 201)
  assert.match(sentAnswer.handle, /^[\w-]{24}$/)
  const whole = await get(who, sentAnswer.handle)
  assert.ok(whole.bytes.equals(picture))
  assert.equal(whole.headers.get('content-type'), 'image/png')
  assert.match(whole.headers.get('content-disposition') ?? '', /^attachment; filename=/)
  assert.equal(whole.headers.get('x-content-type-options'), 'nosniff')
  assert.match(whole.headers.get('content-security-policy') ?? '', /sandbox/)
  const etag = whole.headers.get('etag') ?? ''
  const part = await get(who, sentAnswer.handle, { range: 'bytes=2-5', 'if-range': etag })
  assert.deepEqual([part.status, part.bytes], [206, picture.subarray(2, 6)])
  assert.equal((await get(who, sentAnswer.handle, { 'if-none-match': etag })).status, 304)
  assert.equal((await get(who, sentAnswer.handle, { range: `bytes=${picture.length}-` })).status, 416)
  assert.equal((await get(who, sentAnswer.handle, {}, 'HEAD')).headers.get('content-length'), String(picture.length))
  assert.equal(await usedRemovals(who.id), 0)
  assert.equal((await get(who, sentAnswer.handle, {}, 'DELETE')).status, 204)
  assert.equal((await get(who, sentAnswer.handle)).error?.statusMessage, 'upload_not_found')
})

test('a type that a page could run is not kept', async () => {
  const who = await person()
  for (const type of ['text/html', 'image/svg+xml; charset=utf-8', 'application/octet-stream']) {
    const { handle } = await put(who, picture, { 'content-type': type })
    const keptText = type.startsWith('image/') ? 'image/svg+xml' : 'application/octet-stream'
    const { headers } = await get(who, handle)
    assert.deepEqual([headers.get('content-type'), headers.get('content-disposition')], [keptText, 'attachment'])
  }
})

test('handles of others do not exist, whatever is asked', async () => {
  const owner = await person()
  const other = await person()
  const { handle } = await put(owner, picture)
  for (const method of ['GET', 'DELETE']) {
    const { status, error } = await get(other, handle, {}, method)
    assert.deepEqual([status, error?.statusMessage], [404, 'upload_not_found'])
  }
  const head = { method: 'HEAD', headers: { authorization: `Bearer ${other.key}` } }
  assert.equal((await fetch(`${server.url}/api/v3/uploads/${handle}`, head)).status, 404)
  const patch = { 'content-type': 'application/partial-upload', 'upload-offset': '0', 'upload-complete': '?1' }
  assert.equal((await get(other, handle, patch, 'PATCH')).error?.statusMessage, 'upload_not_found')
  for (const path of ['/api/v3/images', '/api/v3/info', '/api/v2/batch']) {
    const { status, error } = await post(other, path, {
      upload: handle,
      ...(path.endsWith('images') && { recipe: '{"outputs":[{"name":"a"}]}' }),
    })
    assert.deepEqual([status, error?.statusMessage], [404, 'upload_not_found'], path)
  }
  assert.equal(await usedRemovals(other.id), 0)
  assert.equal((await get(owner, handle)).status, 200)
})

test('an upload takes the place of a file, as often as wanted, and of one only', async () => {
  const who = await person()
  const { handle } = await put(who, picture)
  const recipe = '{"outputs":[{"name":"a","format":"webp"}]}'
  for (let times = 0; times < 2; times++) {
    const { status, headers } = await post(who, '/api/v3/images', { upload: handle, recipe })
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/webp'])
  }
  const info = await post(who, '/api/v3/info', { upload: handle })
  assert.equal(JSON.parse(info.bytes.toString()).width, 20)
  for (const [path, file] of [
    ['/api/v3/images', 'image'],
    ['/api/v3/info', 'image'],
    ['/api/v2/batch', 'file'],
  ] as const) {
    const both = await post(who, path, { upload: handle, recipe }, { [file]: picture })
    assert.deepEqual([both.status, both.error?.issues?.[0]?.path], [400, ['upload']], path)
    const none = await post(who, path, {})
    assert.match(none.error?.statusMessage ?? '', /^missing_(image|archive)_file$/)
    const odd = await post(who, path, { upload: '../x', recipe })
    assert.deepEqual([odd.status, odd.error?.statusMessage], [400, 'invalid_params'], path)
  }
  assert.equal(await usedRemovals(who.id), 3)
})

test('a batch keeps its archive when the upload goes', async () => {
  const who = await person()
  const { handle } = await put(who, archive, { 'content-type': 'application/zip' })
  const startedAnswer = await post(who, '/api/v2/batch', { upload: handle, format: 'webp' })
  assert.equal(startedAnswer.status, 202, startedAnswer.bytes.toString())
  assert.equal((await get(who, handle, {}, 'DELETE')).status, 204)
  const { progress } = await untilEnded({ ...server, key: who.key }, JSON.parse(startedAnswer.bytes.toString()).id)
  assert.deepEqual([progress.succeeded, await usedRemovals(who.id)], [2, 2])
})

test('an incomplete upload cannot be used', async () => {
  const who = await person()
  const { handle } = await put(who, picture.subarray(0, 10), { 'upload-complete': '?0' })
  for (const path of ['/api/v3/info', '/api/v2/batch']) {
    const { status, error } = await post(who, path, { upload: handle })
    assert.deepEqual([status, error?.statusMessage], [409, 'upload_incomplete'])
  }
  assert.equal(await usedRemovals(who.id), 0)
})

test('the uploads of an account have a limit of bytes, those that are announced included', async () => {
  const who = await person()
  const half = Buffer.alloc(2 * MiB)
  assert.equal((await put(who, half)).status, 201)
  const announcedAnswer = await put(who, Buffer.alloc(1), { 'upload-complete': '?0', 'upload-length': String(2 * MiB) })
  assert.equal(announcedAnswer.status, 201)
  const refusedAnswer = await put(who, Buffer.alloc(1))
  assert.deepEqual([refusedAnswer.status, refusedAnswer.error?.statusMessage], [429, 'too_many_uploads'])
  await get(who, announcedAnswer.handle, {}, 'DELETE')
  assert.equal((await put(who, half)).status, 201)
  const large = await put(await person(), Buffer.alloc(4 * MiB + 1))
  assert.deepEqual([large.status, large.error?.statusMessage], [400, 'file_too_large'])
})

test('a body of unknown length is cut off at the limit, and nothing is left of it', async () => {
  const who = await person()
  const files = await newFilesOf(server.dir)
  const body = new Blob([new Uint8Array(5 * MiB)]).stream()
  const headers = { authorization: `Bearer ${who.key}`, 'content-type': 'application/zip' }
  const init = { method: 'PUT', body, headers, duplex: 'half' } as RequestInit
  const { status, error } = await read(await fetch(`${server.url}/api/v3/uploads`, init))
  assert.deepEqual([status, error?.statusMessage], [400, 'file_too_large'])
  assert.ok(await until(async () => (await files()).length === 0))
})

test('bodies that are empty or compressed, and digests that do not fit, are refused', async () => {
  const who = await person()
  for (const [bytes, headers, code] of [
    [Buffer.alloc(0), {}, 'invalid_params'],
    [picture, { 'content-encoding': 'gzip' }, 'invalid_params'],
    [picture, { 'repr-digest': 'sha-256=:x:' }, 'invalid_params'],
    [picture, { 'repr-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` }, 'upload_digest_mismatch'],
  ] as const) {
    const { status, error } = await put(who, bytes, headers)
    assert.deepEqual([status, error?.statusMessage], [400, code])
  }
})

test('an upload that has expired does not exist, and its files go', async () => {
  const who = await person()
  const files = await newFilesOf(server.dir)
  const { handle } = await put(who, picture)
  assert.equal((await files()).length, 1)
  await database.pool.query('update upload set expires_at = now() where handle = $1', [handle])
  assert.equal((await get(who, handle)).error?.statusMessage, 'upload_not_found')
  assert.equal((await post(who, '/api/v3/info', { upload: handle })).error?.statusMessage, 'upload_not_found')
  const blobs = await openFolder({ root: `${server.dir}/blobs`, reserveBytes: 0 })
  assert.equal(await removeExpired({ database, blobs }), 1)
  assert.deepEqual(await files(), [])
})

test('the uploads of a deleted account go', async () => {
  const files = await newFilesOf(server.dir)
  const { token, password } = await signUp(server.url)
  const body = { method: 'PUT', body: new Uint8Array(picture), headers: { authorization: `Bearer ${token}` } }
  const sentAnswer = await read(await fetch(`${server.url}/api/v3/uploads`, body))
  assert.equal(sentAnswer.status, 201, sentAnswer.bytes.toString())
  assert.equal((await files()).length, 1)
  const { status } = await send(server.url, 'DELETE /api/user', { token, body: { password } })
  assert.equal(status, 200)
  const blobs = await openFolder({ root: `${server.dir}/blobs`, reserveBytes: 0 })
  await removeExpired({ database, blobs })
  assert.ok(await until(async () => (await files()).length === 0))
})
