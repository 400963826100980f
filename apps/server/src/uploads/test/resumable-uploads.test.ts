import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { untilEnded } from '../../../test/support/batch-call.ts'
import { startBreakingProxy } from '../../../test/support/breaking-proxy.ts'
import { form, read } from '../../../test/support/call.ts'
import { breaksOf, call, sendByDraft, sendByTus, sourceOf } from '../../../test/support/resuming.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import { zipFile } from '../../../test/support/zip.ts'
import type { Database } from '../../database/database.ts'

/** An archive of 8 MB whose connection breaks ten times, and what may go wrong on the way. */

const MiB = 2 ** 20
const BREAKS = 10

let server: SharedServer
let database: Database
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

const picture = await solid(16, 16, '#123456').png().toBuffer()
const archive = zipFile([
  ...['a.png', 'b.png', 'c.png'].map((name) => ({ name, data: picture })),
  { name: 'noise.bin', data: randomBytes(8 * MiB) },
])

async function person() {
  const { id, key } = await makeAccount(database, 'team')
  return { id, url: server.url, key }
}
type Person = Awaited<ReturnType<typeof person>>

async function usedRemovals({ id }: Person): Promise<number> {
  const { rows } = await database.pool.query(
    'select coalesce(sum(used), 0)::int as used from usage_month where account_id = $1',
    [id],
  )
  return rows[0].used
}

/** The upload is the archive, and a batch of it is charged once. */
async function assertBatch(who: Person, handle: string): Promise<void> {
  const headers = { authorization: `Bearer ${who.key}` }
  const sentResponse = await fetch(`${server.url}/api/v3/uploads/${handle}`, { headers })
  assert.ok(Buffer.from(await sentResponse.arrayBuffer()).equals(archive), 'every byte is there, once')
  const startedAnswer = await read(
    await fetch(`${server.url}/api/v2/batch`, { method: 'POST', headers, body: form({ upload: handle, format: 'webp' }) }),
  )
  assert.equal(startedAnswer.status, 202, startedAnswer.bytes.toString())
  const { progress } = await untilEnded({ ...server, key: who.key }, JSON.parse(startedAnswer.bytes.toString()).id)
  assert.deepEqual([progress.succeeded, progress.failed, await usedRemovals(who)], [3, 0, 3])
}

test('the draft: an archive whose connection breaks ten times arrives once, and is charged once', async () => {
  const who = await person()
  await using way = await startBreakingProxy(server.url, breaksOf(archive.length, BREAKS))
  const { handle, resumed } = await sendByDraft({ ...who, url: way.url }, sourceOf(archive), archive.length)
  assert.deepEqual([way.broken(), resumed >= BREAKS], [BREAKS, true])
  await assertBatch(who, handle)
})

test('tus: an archive whose connection breaks ten times arrives once, and is charged once', async () => {
  const who = await person()
  await using way = await startBreakingProxy(server.url, breaksOf(archive.length, BREAKS))
  const handle = await sendByTus({ ...who, url: way.url }, archive, archive.length)
  assert.equal(way.broken(), BREAKS)
  const { headers } = await call(who, 'HEAD', `/api/v3/uploads/${handle}`)
  assert.deepEqual(
    [headers['content-type'], headers['content-disposition']],
    ['application/zip', 'attachment; filename="holiday.zip"'],
  )
  await assertBatch(who, handle)
})

const PART = { 'content-type': 'application/partial-upload', 'upload-complete': '?0' }

/** An upload that waits for its bytes. */
async function begin(who: Person, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, headers: saidAnswer } = await call(who, 'PUT', '/api/v3/uploads', {
    'content-type': 'application/zip',
    'upload-complete': '?0',
    'content-length': '0',
    ...headers,
  })
  assert.equal(status, 201)
  return String(saidAnswer.location)
}

const part = (who: Person, path: string, offset: number, bytes: Buffer, headers: Readonly<Record<string, string>> = {}) =>
  call(
    who,
    'PATCH',
    path,
    { ...PART, 'upload-offset': String(offset), 'content-length': String(bytes.length), ...headers },
    sourceOf(bytes)(0),
  )

const code = (answer: { readonly body: string }): string => JSON.parse(answer.body).statusMessage

test('a wrong offset is refused with the right one', async () => {
  const who = await person()
  const path = await begin(who, { 'upload-length': '300' })
  assert.equal((await part(who, path, 0, Buffer.alloc(100))).status, 204)
  for (const offset of [0, 99, 101]) {
    const refusedAnswer = await part(who, path, offset, Buffer.alloc(10))
    assert.deepEqual(
      [refusedAnswer.status, code(refusedAnswer), refusedAnswer.headers['upload-offset']],
      [409, 'upload_offset_mismatch', '100'],
    )
    const { 'expected-offset': expected, 'provided-offset': providedValue } = JSON.parse(refusedAnswer.body)
    assert.deepEqual([expected, providedValue], [100, offset])
  }
  const { headers } = await call(who, 'HEAD', path)
  assert.deepEqual([headers['upload-offset'], headers['upload-complete'], headers['upload-length']], ['100', '?0', '300'])
})

test('more bytes than announced are refused, and in chunks end the upload', async () => {
  const who = await person()
  const path = await begin(who, { 'upload-length': '300' })
  const tooMany = await part(who, path, 0, Buffer.alloc(301))
  assert.deepEqual([tooMany.status, code(tooMany)], [400, 'upload_length_mismatch'])
  const another = await part(who, path, 0, Buffer.alloc(10), { 'upload-length': '299' })
  assert.deepEqual([another.status, code(another)], [400, 'upload_length_mismatch'])
  const tooFew = await part(who, path, 0, Buffer.alloc(10), { 'upload-complete': '?1' })
  assert.deepEqual([tooFew.status, code(tooFew)], [400, 'upload_length_mismatch'])
  const headers = { ...PART, 'upload-offset': '0', 'transfer-encoding': 'chunked' }
  const chunkedAnswer = await call(who, 'PATCH', path, headers, sourceOf(Buffer.alloc(301))(0))
  assert.deepEqual([chunkedAnswer.status, code(chunkedAnswer)], [400, 'upload_length_mismatch'])
  assert.equal((await call(who, 'HEAD', path)).status, 404)
})

test('a length may be announced when all bytes have arrived, and not fewer than have', async () => {
  const who = await person()
  const path = await begin(who)
  assert.equal((await part(who, path, 0, Buffer.alloc(10))).status, 204)
  const last = (length: number) =>
    part(who, path, 10, Buffer.alloc(0), { 'upload-complete': '?1', 'upload-length': String(length) })
  const fewer = await last(9)
  assert.deepEqual([fewer.status, code(fewer)], [400, 'upload_length_mismatch'])
  assert.equal((await last(10)).status, 201)
})

test('a complete upload takes no more', async () => {
  const who = await person()
  const path = await begin(who)
  assert.equal((await part(who, path, 0, Buffer.alloc(10), { 'upload-complete': '?1' })).status, 201)
  const more = await part(who, path, 10, Buffer.alloc(10), { 'upload-complete': '?1' })
  assert.deepEqual([more.status, code(more)], [400, 'upload_length_mismatch'])
})

test('an upload that was resumed with other bytes is refused where its digest was announced', async () => {
  const who = await person()
  const bytes = randomBytes(1000)
  const value = `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
  for (const [end, status] of [
    [bytes.subarray(600), 201],
    [randomBytes(400), 400],
  ] as const) {
    const path = await begin(who, { 'repr-digest': value })
    await part(who, path, 0, bytes.subarray(0, 600))
    const last = await part(who, path, 600, end, { 'upload-complete': '?1' })
    assert.deepEqual([last.status, status === 400 && code(last)], [status, status === 400 && 'upload_digest_mismatch'])
    assert.equal((await call(who, 'HEAD', path)).status, status === 400 ? 404 : 200)
  }
})

/** A body that sends its first bytes and then waits. */
async function* hanging(first: Buffer, begunValue: () => void, until: Promise<void>): AsyncGenerator<Buffer> {
  yield first
  begunValue()
  await until
}

test('of two requests that send at once one is refused; HEAD ends the other, and keeps what it has sent', async () => {
  const who = await person()
  const path = await begin(who, { 'upload-length': '300000' })
  const { promise, resolve } = Promise.withResolvers<void>()
  const headers = { ...PART, 'upload-offset': '0', 'content-length': '300000', 'upload-draft-interop-version': '8' }
  const begunCall = Promise.withResolvers<void>()
  const body = Readable.from(hanging(Buffer.alloc(100_000), begunCall.resolve, promise))
  const older = call(who, 'PATCH', path, headers, body)
  const olderEnds = older.then(
    (answer) => answer.status,
    () => 'broken',
  )
  // The interim response has come, and the first bytes have gone.
  await begunCall.promise
  const refusedAnswer = await part(who, path, 0, Buffer.alloc(10))
  assert.deepEqual([refusedAnswer.status, code(refusedAnswer)], [409, 'upload_in_use'])
  const { status, headers: state } = await call(who, 'HEAD', path)
  assert.equal(status, 204)
  assert.equal(state['upload-offset'], '100000')
  assert.ok([409, 'broken'].includes(await olderEnds))
  resolve()
  const offset = Number(state['upload-offset'])
  assert.equal((await part(who, path, offset, Buffer.alloc(300_000 - offset), { 'upload-complete': '?1' })).status, 201)
})

test('interim responses name the upload to clients of the draft, but never through a proxy', async () => {
  const who = await person()
  const headers = { 'content-type': 'image/png', 'upload-complete': '?1', 'content-length': String(picture.length) }
  const put = (more: Readonly<Record<string, string>>) =>
    call(who, 'PUT', '/api/v3/uploads', { ...headers, ...more }, sourceOf(picture)(0))
  const { interim, headers: saidAnswer } = await put({ 'upload-draft-interop-version': '8' })
  assert.equal(interim[0]?.location, saidAnswer.location)
  assert.match(String(interim[0]?.['upload-limit']), /^max-size=\d+, max-age=\d+$/)
  assert.equal(interim[1]?.['upload-offset'], String(picture.length))
  assert.deepEqual((await put({})).interim, [])
  assert.deepEqual((await put({ 'upload-draft-interop-version': '8', 'x-forwarded-for': '192.0.2.1' })).interim, [])
})

test('tus: documented errors', async () => {
  const who = await person()
  const tus = { 'tus-resumable': '1.0.0' }
  const post = (headers: Readonly<Record<string, string>>) =>
    call(who, 'POST', '/api/v3/tus', { 'content-length': '0', ...headers })
  const none = await post({ 'upload-length': '10' })
  assert.deepEqual([none.status, code(none), none.headers['tus-version']], [412, 'tus_version_not_supported', '1.0.0'])
  assert.equal((await post({ 'tus-resumable': '0.2.2', 'upload-length': '10' })).status, 412)
  for (const headers of [
    {},
    { 'upload-length': 'x' },
    { 'upload-length': '10', 'upload-metadata': ',' },
    { 'upload-defer-length': '1' },
  ]) {
    const answer = await post({ ...tus, ...(headers as Record<string, string>) })
    assert.deepEqual([answer.status, code(answer)], [400, 'invalid_params'], JSON.stringify(headers))
  }
  const large = await post({ ...tus, 'upload-length': String(2 ** 40) })
  assert.deepEqual([large.status, code(large), large.headers['tus-max-size']], [413, 'upload_too_large', String(512 * MiB)])
  assert.equal(JSON.parse(large.body).message, 'An upload may have at most 512 MB.')
  const { status, headers } = await post({ ...tus, 'upload-length': '10' })
  assert.deepEqual([status, headers['tus-resumable']], [201, '1.0.0'])
  assert.ok(Date.parse(String(headers['upload-expires'])) > Date.now() + 3_500_000)
  const path = String(headers.location)
  const patch = (offset: number, bytes: number, more: Readonly<Record<string, string>> = {}) =>
    call(
      who,
      'PATCH',
      path,
      {
        ...tus,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        'content-length': String(bytes),
        ...more,
      },
      sourceOf(Buffer.alloc(bytes))(0),
    )
  const wrong = await patch(4, 6)
  assert.deepEqual([wrong.status, code(wrong), wrong.headers['upload-offset']], [409, 'upload_offset_mismatch', '0'])
  const long = await patch(0, 11)
  assert.deepEqual([long.status, code(long)], [400, 'upload_length_mismatch'])
  const typedAnswer = await patch(0, 5, { 'content-type': 'application/zip' })
  assert.deepEqual([typedAnswer.status, code(typedAnswer)], [415, 'upload_type_not_supported'])
  const good = await patch(0, 5)
  assert.deepEqual([good.status, good.headers['upload-offset']], [204, '5'])
  const handle = path.split('/').at(-1) ?? ''
  const early = await call(who, 'GET', `/api/v3/uploads/${handle}`)
  assert.deepEqual([early.status, code(early)], [409, 'upload_incomplete'])
  assert.equal((await patch(5, 5)).status, 204)
  assert.equal((await call(who, 'GET', path)).status, 200)
  assert.equal((await call(who, 'DELETE', path, tus)).status, 204)
  const goneAnswer = await call(who, 'HEAD', path, tus)
  assert.deepEqual([goneAnswer.status, goneAnswer.headers['tus-resumable']], [404, '1.0.0'])
  const options = await call(who, 'OPTIONS', '/api/v3/tus')
  assert.deepEqual([options.status, options.headers['tus-version']], [204, '1.0.0'])
})

test('tus: metadata may be empty, and have a space after a comma', async () => {
  const who = await person()
  const create = (metadata: string) =>
    call(who, 'POST', '/api/v3/tus', {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'content-length': '0',
      'upload-metadata': metadata,
    })
  for (const metadata of ['', ' ']) {
    const { status, headers } = await create(metadata)
    assert.equal(status, 201)
    const { headers: saidAnswer } = await call(who, 'HEAD', String(headers.location), { 'tus-resumable': '1.0.0' })
    assert.equal(saidAnswer['upload-metadata'], `filetype ${btoa('application/octet-stream')}`)
  }
  const { headers } = await create(`filename ${btoa('a.png')}, filetype ${btoa('image/png')}`)
  const { headers: saidAnswer } = await call(who, 'HEAD', String(headers.location), { 'tus-resumable': '1.0.0' })
  assert.equal(saidAnswer['upload-metadata'], `filename ${btoa('a.png')},filetype ${btoa('image/png')}`)
})

test('tus: X-HTTP-Method-Override stands for a method that a client cannot send', async () => {
  const who = await person()
  const tus = { 'tus-resumable': '1.0.0' }
  const createdAnswer = await call(who, 'POST', '/api/v3/tus', { ...tus, 'upload-length': '10', 'content-length': '0' })
  const path = String(createdAnswer.headers.location)
  const post = (method: string | undefined, headers: Readonly<Record<string, string>> = {}, body = '') =>
    call(
      who,
      'POST',
      path,
      { ...tus, 'content-length': String(body.length), ...(method && { 'x-http-method-override': method }), ...headers },
      Readable.from([body]),
    )
  const part = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  const patchedAnswer = await post('PATCH', part, '01234')
  assert.deepEqual([patchedAnswer.status, patchedAnswer.headers['upload-offset']], [204, '5'])
  const askedAnswer = await post('head')
  assert.deepEqual([askedAnswer.status, askedAnswer.headers['upload-offset'], askedAnswer.body], [200, '5', ''])
  for (const method of [undefined, 'PUT', 'OPTIONS']) {
    const refusedAnswer = await post(method)
    assert.deepEqual(
      [refusedAnswer.status, code(refusedAnswer), refusedAnswer.headers.allow],
      [405, 'method_not_allowed', 'GET, HEAD, PATCH, DELETE'],
      String(method),
    )
  }
  assert.equal((await post('PATCH', { ...part, 'upload-offset': '5', 'content-type': 'text/plain' }, '56789')).status, 415)
  assert.equal((await post('DELETE')).status, 204)
  assert.equal((await post('HEAD')).status, 404)
})

const TUSPY = `
import os, sys
from tusclient import client
endpoint, key, path = sys.argv[1:]
tus = client.TusClient(endpoint, headers={'Authorization': 'Bearer ' + key})
uploader = tus.uploader(path, chunk_size=3 * 2**20)
uploader.upload_chunk()
# As after an interruption: by its address alone.
tus.uploader(path, url=uploader.url, chunk_size=3 * 2**20).upload()
large = path + '.large'
with open(large, 'wb') as file:
    file.truncate(2**31)
try:
    tus.uploader(large, metadata={'filename': 'large'}).create_url()
except Exception as error:
    print(error.status_code, error.response_content.decode().split('"message":"')[1].split('"')[0])
print(uploader.url.split('/')[-1])
`
const PYTHON = process.env.TEST_TUS_PYTHON ?? 'python3'
const noTuspy = spawnSync(PYTHON, ['-c', 'import tusclient']).status === 0 ? false : `${PYTHON} cannot import tusclient`

test('tuspy sends an archive in parts, and resumes it', { skip: noTuspy }, async (t) => {
  const who = await person()
  const folder = await tempFolder(t)
  const path = join(folder, 'holiday.zip')
  const script = join(folder, 'send.py')
  await Promise.all([writeFile(path, archive), writeFile(script, TUSPY)])
  const { stdout } = await promisify(execFile)(PYTHON, [script, `${server.url}/api/v3/tus`, who.key, path])
  const [refusal, handle = ''] = stdout.trim().split('\n')
  assert.equal(refusal, '413 An upload may have at most 512 MB.')
  await assertBatch(who, handle)
})

test('tus: an empty file is complete at once, and a client may send bytes with the creation', async () => {
  const who = await person()
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '0', 'content-length': '0' }
  const { headers: empty } = await call(who, 'POST', '/api/v3/tus', headers)
  assert.equal((await call(who, 'HEAD', String(empty.location).replace('tus', 'uploads'))).headers['upload-complete'], '?1')
  const whole = await call(
    who,
    'POST',
    '/api/v3/tus',
    {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'content-length': '10',
      'content-type': 'application/offset+octet-stream',
    },
    sourceOf(Buffer.from('0123456789'))(0),
  )
  assert.deepEqual([whole.status, whole.headers['upload-offset']], [201, '10'])
  assert.equal((await call(who, 'GET', String(whole.headers.location))).body, '0123456789')
})
