import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { animatedGif, photo } from '@pixelmill/codecs/test/support/pictures'
import { hdrJpeg } from '@pixelmill/engine/test/support/gain-maps'
import sharp from 'sharp'
import type { z } from 'zod'
import { accountTotals } from '../../../../test/support/account-totals.ts'
import { makeAccount, makeLogin, openServerDatabase } from '../../../../test/support/accounts.ts'
import { ARCHIVE_LIMITS, MOST_BYTES, sourceOf } from '../../../../test/support/archives.ts'
import { getResult, startBatch, statusOf, untilEnded, zipOf } from '../../../../test/support/batch-call.ts'
import { type JsonAnswer, send } from '../../../../test/support/json-call.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import { inspectArchive } from '../../../archives/inspect.ts'
import { readEntry } from '../../../archives/read-entry.ts'
import type { BatchStatusBody } from '../../../contract/batch-status.ts'
import type { Database } from '../../../database/database.ts'
import { manifest as manifestSchema } from '../../routes/answer.ts'

/** A batch from its upload to its result, as a client sees it. */

const pictures = await Promise.all([60, 61, 62].map((width) => photo(width, 40).jpeg().toBuffer()))
const [one = Buffer.alloc(0), two = one, three = one] = pictures
const archive = zipOf({
  'dir ü/1.jpg': one,
  'dir ü/1.png': two,
  'plain.JPG': three,
  'no-extension': one,
  'broken.jpg': one.subarray(0, 300),
  'note.txt': Buffer.from('hello'),
  '__MACOSX/._1.jpg': one,
  'folder/': Buffer.alloc(0),
  '.hidden.jpg': one,
})

let server: SharedServer
let database: Database
let account: { readonly id: string; readonly key: string }
let other: { readonly id: string; readonly key: string }
let doneBody: BatchStatusBody
let whole: Buffer
const folder = mkdtempSync(join(tmpdir(), 'batch-results-'))

const mine = () => ({ ...server, key: account.key })
const result = (headers: Readonly<Record<string, string>> = {}, method = 'GET') => getResult(mine(), doneBody.id, headers, method)
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  account = await makeAccount(database, 'team')
  other = await makeAccount(database, 'team')
  const { status, headers, batch } = await startBatch(mine(), archive, { format: 'webp', quality: 60 })
  assert.equal(status, 202)
  assert.equal(headers.get('location'), `/api/v2/batch/${batch.id}/status`)
  assert.ok(Number(headers.get('retry-after')) >= 1)
  assert.deepEqual([batch.status, batch.progress.total, batch.progress.done], ['queued', 5, 0])
  doneBody = await untilEnded(mine(), batch.id)
  whole = await bytesOf(await result())
})
after(async () => {
  rmSync(folder, { recursive: true })
  await database?.close()
  await server?.[Symbol.asyncDispose]()
})

test('it is completed, one image failed, and those that were converted are charged', async () => {
  assert.deepEqual(
    { status: doneBody.status, format: doneBody.format, quality: doneBody.quality, ...doneBody.progress },
    { status: 'completed', format: 'webp', quality: 60, total: 5, done: 5, succeeded: 4, failed: 1, percent: 100 },
  )
  assert.equal(doneBody.resultUrl, `/api/v2/batch/${doneBody.id}/result`)
  assert.equal(Date.parse(doneBody.expiresAt ?? '') - Date.parse(doneBody.finishedAt ?? ''), 24 * 3_600_000)
  assert.equal((await statusOf(mine(), doneBody.id)).headers.get('retry-after'), null)
  const { used, open } = await accountTotals(database, account.id)
  assert.deepEqual([used, open], [4, 0])
})

test('without quality the default is reported, for PNG too, which stays lossless', async () => {
  const noisy = await photo(64, 64).png().toBuffer()
  const own = { ...server, key: (await makeAccount(database, 'team')).key }
  for (const [fields, quality, isExact] of [
    [{ format: 'png' }, 75, true],
    [{ format: 'png', quality: 75 }, 75, false],
    [{ format: 'png', quality: 100 }, 100, true],
    [{ format: 'webp' }, 75, false],
  ] as const) {
    const { batch } = await startBatch(own, zipOf({ 'a.png': noisy }), fields)
    const last = await untilEnded(own, batch.id)
    assert.deepEqual([batch.quality, last.quality, last.progress.succeeded], [quality, quality, 1])
    const source = sourceOf(await bytesOf(await getResult(own, batch.id)))
    const entry = (await inspectArchive(source, ARCHIVE_LIMITS)).find(({ path }) => path.startsWith('a.'))
    assert.ok(entry)
    const bytes = Buffer.concat(await readEntry(source, entry, MOST_BYTES))
    const [one, two] = await Promise.all([bytes, noisy].map((file) => sharp(file).removeAlpha().raw().toBuffer()))
    assert.equal(one?.equals(two ?? Buffer.alloc(0)), isExact, JSON.stringify(fields))
  }
})

test('the result has the folders, the pictures and a manifest', async () => {
  const source = sourceOf(whole)
  const entries = await inspectArchive(source, ARCHIVE_LIMITS)
  const contents = new Map<string, Buffer>()
  for (const entry of entries) contents.set(entry.path, Buffer.concat(await readEntry(source, entry, MOST_BYTES)))
  assert.deepEqual([...contents.keys()], ['manifest.json', 'dir ü/1.webp', 'dir ü/1-2.webp', 'plain.webp', 'no-extension.webp'])
  const { format, width, height } = await sharp(contents.get('dir ü/1-2.webp')).metadata()
  assert.deepEqual([format, width, height], ['webp', 61, 40])
  const writtenValue: unknown = JSON.parse(String(contents.get('manifest.json')))
  const manifest = manifestSchema.parse(writtenValue)
  // Parsing drops what is not declared.
  assert.deepEqual(manifest, writtenValue)
  assert.deepEqual(
    manifest.map(({ source, output, status }) => [source, output, status]),
    [
      ['dir ü/1.jpg', 'dir ü/1.webp', 'converted'],
      ['dir ü/1.png', 'dir ü/1-2.webp', 'converted'],
      ['plain.JPG', 'plain.webp', 'converted'],
      ['no-extension', 'no-extension.webp', 'converted'],
      ['broken.jpg', null, 'failed'],
      ['note.txt', null, 'skipped'],
      ['__MACOSX/._1.jpg', null, 'skipped'],
      ['folder', null, 'skipped'],
      ['.hidden.jpg', null, 'skipped'],
    ],
  )
  const outputBytes = contents.get('plain.webp')?.length
  assert.deepEqual(manifest[2], {
    source: 'plain.JPG',
    output: 'plain.webp',
    status: 'converted',
    inputBytes: three.length,
    outputBytes,
    width: 62,
    height: 40,
  })
  assert.equal(manifest[4]?.error?.code, 'invalid_image')
})

test('one result alone has its own name and type, and entries without one have none', async () => {
  const image = (seq: string, key = account.key) =>
    fetch(`${server.url}/api/v2/batch/${doneBody.id}/entries/${seq}/image`, { headers: { authorization: `Bearer ${key}` } })
  const answer = await image('1')
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')],
    [200, 'image/webp', 'attachment; filename="1-2.webp"'],
  )
  const { format, width } = await sharp(await bytesOf(answer)).metadata()
  assert.deepEqual([format, width], ['webp', 61])
  assert.equal((await image('1', other.key)).status, 404)
  for (const seq of ['4', '5', '99', '-1', 'x']) assert.equal((await image(seq)).status, 404, seq)
})

test('its headers', async () => {
  const { status, headers } = await result({}, 'HEAD')
  assert.equal(status, 200)
  const expected = {
    'content-type': 'application/zip',
    'content-length': String(whole.length),
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="${doneBody.id}.zip"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; sandbox",
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value, name)
  assert.match(headers.get('etag') ?? '', /^"[\w-]{20,}"$/)
  assert.ok(headers.get('x-request-id'))
  assert.equal((await result()).headers.get('etag'), headers.get('etag'))
})

const size = () => whole.length
const ranges: readonly (readonly [header: () => string, status: number, first: () => number, last: () => number])[] = [
  [() => 'bytes=0-0', 206, () => 0, () => 0],
  [() => 'bytes=100-199', 206, () => 100, () => 199],
  [() => 'BYTES=5-', 206, () => 5, () => size() - 1],
  [() => `bytes=${size() - 1}-`, 206, () => size() - 1, () => size() - 1],
  [() => `bytes=7-${size() + 1_000}`, 206, () => 7, () => size() - 1],
  [() => 'bytes=-1', 206, () => size() - 1, () => size() - 1],
  [() => 'bytes=-22', 206, () => size() - 22, () => size() - 1],
  [() => `bytes=-${size() + 5}`, 206, () => 0, () => size() - 1],
  [() => 'bytes=0-1,5-6', 200, () => 0, () => size() - 1],
  [() => 'bytes=5-4', 200, () => 0, () => size() - 1],
  [() => 'bytes=x-4', 200, () => 0, () => size() - 1],
  [() => 'bytes=', 200, () => 0, () => size() - 1],
  [() => 'bytes=-', 200, () => 0, () => size() - 1],
  [() => 'items=0-1', 200, () => 0, () => size() - 1],
]
for (const [header, status, first, last] of ranges) {
  test(`Range ${header.toString().slice(6)} is ${status}`, async () => {
    const answer = await result({ range: header() })
    assert.equal(answer.status, status)
    assert.equal(answer.headers.get('content-length'), String(last() - first() + 1))
    assert.equal(answer.headers.get('content-range'), status === 206 ? `bytes ${first()}-${last()}/${size()}` : null)
    assert.ok((await bytesOf(answer)).equals(whole.subarray(first(), last() + 1)))
  })
}

test('a range behind the end is 416, and says where that is', async () => {
  for (const range of [`bytes=${size()}-`, `bytes=${size() + 10}-${size() + 20}`, 'bytes=-0']) {
    const answer = await result({ range })
    assert.deepEqual([answer.status, answer.statusText], [416, 'range_not_satisfiable'], range)
    assert.equal(answer.headers.get('content-range'), `bytes */${size()}`)
  }
})

test('every byte is where it was, in pieces of a prime length', async () => {
  const pieces: Buffer[] = []
  for (let at = 0; at < size(); at += 997) pieces.push(await bytesOf(await result({ range: `bytes=${at}-${at + 996}` })))
  assert.ok(Buffer.concat(pieces).equals(whole))
})

test('numbers beyond every file are cut to its end, or refused', async () => {
  const digits = '9'.repeat(30)
  assert.ok((await bytesOf(await result({ range: `bytes=1-${digits}` }))).equals(whole.subarray(1)))
  assert.ok((await bytesOf(await result({ range: `bytes=-${digits}` }))).equals(whole))
  assert.equal((await result({ range: `bytes=${digits}-` })).status, 416)
})

test('If-None-Match, and If-Range', async () => {
  const etag = (await result({}, 'HEAD')).headers.get('etag') ?? ''
  for (const namedText of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await result({ 'if-none-match': namedText, range: 'bytes=0-0' }, method)
      assert.deepEqual([answer.status, answer.headers.get('etag')], [304, etag], namedText)
      // Of HEAD the framework says 0.
      if (method === 'GET') assert.equal(answer.headers.get('content-length'), null)
      assert.equal((await answer.arrayBuffer()).byteLength, 0)
    }
  }
  assert.equal((await result({ 'if-none-match': '"other"' })).status, 200)
  const conditions: readonly (readonly [string, number])[] = [
    [etag, 206],
    ['"other"', 200],
    [`W/${etag}`, 200],
    [new Date().toUTCString(), 200],
  ]
  for (const [condition, status] of conditions) {
    const answer = await result({ 'if-range': condition, range: 'bytes=0-9' })
    assert.equal(answer.status, status, condition)
    assert.equal((await answer.arrayBuffer()).byteLength, status === 206 ? 10 : size())
  }
})

test('HEAD takes no range', async () => {
  const { status, headers } = await result({ range: 'bytes=0-0' }, 'HEAD')
  assert.deepEqual([status, headers.get('content-length')], [200, String(size())])
})

const noCurl = spawnSync('curl', ['--version']).status !== 0 ? 'curl is not installed' : false
test('curl resumes a download', { skip: noCurl }, async () => {
  const file = join(folder, 'partly.zip')
  writeFileSync(file, whole.subarray(0, 1_234))
  const address = `${server.url}/api/v2/batch/${doneBody.id}/result`
  const { status, stderr } = spawnSync('curl', [
    '-sS',
    '-f',
    '-C',
    '-',
    '-H',
    `Authorization: Bearer ${account.key}`,
    '-o',
    file,
    address,
  ])
  assert.equal(status, 0, String(stderr))
  assert.ok((await readFile(file)).equals(whole))
})

const missing = ['00000000-0000-4000-8000-000000000000', 'x', '%F0%9F%98%80', "';--", 'a'.repeat(90)]
const endpoints = [
  ['GET', 'status'],
  ['GET', 'result'],
  ['HEAD', 'result'],
  ['GET', 'events'],
  ['DELETE', ''],
] as const
for (const [method, part] of endpoints) {
  test(`${method} …/${part} finds no batch of other accounts, and no invalid id`, async () => {
    const ids = [...missing.map((id) => ({ id, key: account.key })), { id: doneBody.id, key: other.key }]
    const bodies = new Set<string>()
    for (const { id, key } of ids) {
      const path = ['/api/v2/batch', id, part].filter(Boolean).join('/')
      const answer = await fetch(server.url + path, { method, headers: { authorization: `Bearer ${key}` } })
      assert.deepEqual([answer.status, answer.statusText], [404, 'batch_not_found'], id)
      bodies.add((await answer.text()).replace(/"requestId":"[^"]*"/, ''))
    }
    assert.equal(bodies.size, 1, 'they all read alike')
  })
}

test('a login token reads and lists it like a key; other accounts do not', async () => {
  const token = await makeLogin(database, account.id)
  assert.equal((await statusOf({ ...server, key: token }, doneBody.id)).body.id, doneBody.id)
  assert.ok((await bytesOf(await getResult({ ...server, key: token }, doneBody.id))).equals(whole))
  const listedIds = async (login: string) =>
    (await send<{ data: BatchStatusBody[] }>(server.url, 'GET /api/user/batches', { token: login })).body.data
  const [, ...images] = await inspectArchive(sourceOf(whole), ARCHIVE_LIMITS)
  const inputBytes = 2 * one.length + two.length + three.length
  const outputBytes = images.reduce((sum, { bytes }) => sum + bytes, 0)
  assert.deepEqual(await listedIds(token), [{ ...doneBody, inputBytes, outputBytes }])
  assert.deepEqual(await listedIds(await makeLogin(database, other.id)), [])
  const bare = await fetch(`${server.url}/api/v2/batch/${doneBody.id}/result`)
  assert.deepEqual([bare.status, bare.statusText], [401, 'missing_or_invalid_api_key'])
})

test('a list has pages, newest first', async () => {
  const other = await makeAccount(database, 'team')
  const own = { ...server, key: other.key }
  const ids: string[] = []
  for (let nth = 0; nth < 5; nth++) ids.unshift((await startBatch(own, zipOf({ 'a.jpg': one }))).batch.id)
  const token = await makeLogin(database, other.id)
  const foundTexts: string[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null && page < 10; page++) {
    const path: string = `/api/user/batches?limit=2${cursor && `&cursor=${cursor}`}`
    const answer: JsonAnswer<{ data: BatchStatusBody[]; nextCursor: string | null }> = await send(server.url, `GET ${path}`, {
      token,
    })
    foundTexts.push(...answer.body.data.map(({ id }) => id))
    cursor = answer.body.nextCursor
  }
  assert.deepEqual(foundTexts, ids)
  const faulty = await send(server.url, 'GET /api/user/batches?cursor=nonsense', { token })
  assert.equal(faulty.error?.statusMessage, 'invalid_params')
})

test('a batch of which nothing can be converted has failed, and costs nothing', async () => {
  const other = await makeAccount(database, 'team')
  const own = { ...server, key: other.key }
  const { batch } = await startBatch(own, zipOf({ 'x.jpg': Buffer.from('no image'), 'y.jpg': one.subarray(0, 200) }))
  const { status, progress, error, resultUrl } = await untilEnded(own, batch.id)
  assert.deepEqual([status, progress.failed, error?.code, resultUrl], ['failed', 2, 'invalid_image_type', undefined])
  const answer = await getResult(own, batch.id)
  assert.deepEqual([answer.status, answer.statusText], [409, 'batch_failed'])
  const { used, open } = await accountTotals(database, other.id)
  assert.deepEqual([used, open], [0, 0])
})

test('a result expires after 24 hours', async () => {
  const { batch } = await startBatch(mine(), zipOf({ 'a.jpg': one }))
  await untilEnded(mine(), batch.id)
  await database.pool.query(`update batch set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [batch.id])
  const answer = await getResult(mine(), batch.id)
  assert.deepEqual([answer.status, answer.statusText], [410, 'batch_result_expired'])
  assert.equal((await statusOf(mine(), batch.id)).body.resultUrl, undefined)
})

test('a deleted batch is not found any more', async () => {
  const { batch } = await startBatch(mine(), zipOf({ 'a.jpg': one }))
  const { status, body } = await send(server.url, `DELETE /api/v2/batch/${batch.id}`, { token: account.key })
  assert.deepEqual([status, body], [200, { deleted: true }])
  assert.equal((await statusOf(mine(), batch.id)).error?.statusMessage, 'batch_not_found')
  assert.equal((await getResult(mine(), batch.id)).status, 404)
})

test('a result without its files is refused or cut off with an error, and never shorter without one', async () => {
  const { batch } = await startBatch(mine(), archive)
  await untilEnded(mine(), batch.id)
  rmSync(join(server.dir, 'blobs', 'batch+', `${batch.id}+`), { recursive: true })
  const answer = await getResult(mine(), batch.id)
  assert.deepEqual([answer.status, answer.statusText], [410, 'batch_result_expired'])
})

test('entries and the manifest say what became of what a source has', async () => {
  const sources = zipOf({ 'hdr.jpg': await hdrJpeg(), 'moving.gif': await animatedGif(), 'plain.jpg': one })
  for (const [format, expected] of [
    ['jpeg', [{ hdr: 'kept' }, { warnings: ['first_frame_only'] }, {}]],
    ['webp', [{ hdr: 'dropped' }, {}, {}]],
  ] as const) {
    const { batch } = await startBatch(mine(), sources, { format })
    await untilEnded(mine(), batch.id)
    const listedAnswer = await send<{ data: Entry[] }>(server.url, `GET /api/v2/batch/${batch.id}/entries`, {
      token: account.key,
    })
    const zip = sourceOf(await bytesOf(await getResult(mine(), batch.id)))
    const [first = assert.fail()] = await inspectArchive(zip, ARCHIVE_LIMITS)
    const manifest = manifestSchema.parse(JSON.parse(String(Buffer.concat(await readEntry(zip, first, MOST_BYTES)))))
    for (const entries of [listedAnswer.body.data, manifest]) assert.deepEqual(entries.map(features), expected)
  }
})

type Entry = z.output<typeof manifestSchema>[number]

const features = ({ hdr, contentCredentials, warnings }: Entry) => ({
  ...(hdr && { hdr }),
  ...(contentCredentials && { contentCredentials }),
  ...(warnings && { warnings }),
})
