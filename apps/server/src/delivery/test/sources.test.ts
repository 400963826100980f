import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { getUrl, saveSource } from '../../../test/support/delivery.ts'
import { send } from '../../../test/support/json-call.ts'
import { listen } from '../../../test/support/listener.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import type { Database } from '../../database/database.ts'

/** The sources of an account. */

const folder = mkdtempSync(join(tmpdir(), 'allowed-'))
const outside = mkdtempSync(join(tmpdir(), 'outside-'))
mkdirSync(join(folder, 'inside'))
symlinkSync(outside, join(folder, 'way-out'))
writeFileSync(join(folder, 'file'), '')

let server: Server
let database: Database
let token: string
let other: string
before(async () => {
  server = await startServer({
    RENDERERS: '1',
    DELIVERY_FOLDERS: folder,
    EGRESS_ALLOW: '127.0.0.1',
    AI_KEY_ENCRYPTION_SECRET: 'a secret of a test that is long enough',
  })
  database = await openServerDatabase(server.dir)
  token = await makeLogin(database, (await makeAccount(database, 'team')).id)
  other = await makeLogin(database, (await makeAccount(database, 'team')).id)
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
  for (const madeText of [folder, outside]) rmSync(madeText, { recursive: true })
})

const put = (name: string, body: object, as = token) =>
  send<Record<string, unknown>>(server.url, `PUT /api/user/sources/${name}`, { token: as, body })
const web = { type: 'web', baseUrl: 'http://127.0.0.1:9/media' }
const bucket = { type: 'bucket', bucket: 'photos' }

test('a source is saved, shown, changed, and removed', async () => {
  const madeAnswer = await put('shop', web)
  assert.equal(madeAnswer.status, 200)
  const { secret, updatedAt, ...shown } = madeAnswer.body
  assert.match(String(secret), /^[A-Za-z0-9_-]{43}$/)
  const usage = { hits: 0, misses: 0, bytes: 0 }
  assert.deepEqual(shown, {
    name: 'shop',
    type: 'web',
    baseUrl: 'http://127.0.0.1:9/media/',
    redirects: 0,
    headerNames: [],
    maxAgeSeconds: 86_400,
    unsigned: false,
    clientHints: false,
    cacheControl: 'own',
    svg: 'refuse',
    usage,
  })
  const changedAnswer = await put('shop', { ...web, maxAgeSeconds: 60, unsigned: true })
  assert.deepEqual(
    [changedAnswer.body.maxAgeSeconds, changedAnswer.body.unsigned, changedAnswer.body.secret],
    [60, true, undefined],
  )
  const one = await send(server.url, 'GET /api/user/sources/shop', { token })
  assert.deepEqual(one.body, changedAnswer.body)
  const all = await send<{ sources: unknown[] }>(server.url, 'GET /api/user/sources', { token })
  assert.deepEqual(all.body.sources, [changedAnswer.body])
  assert.deepEqual((await send<{ sources: unknown[] }>(server.url, 'GET /api/user/sources', { token: other })).body.sources, [])
  assert.equal((await send(server.url, 'DELETE /api/user/sources/shop', { token })).status, 204)
  assert.equal((await send(server.url, 'GET /api/user/sources/shop', { token })).error?.statusMessage, 'source_not_found')
  assert.equal((await getUrl(`${server.url}/i/shop/a.jpg?p=a`)).error?.statusMessage, 'source_not_found')
})

test('a name belongs to one account of the server', async () => {
  await put('taken', web)
  const refusedAnswer = await put('taken', web, other)
  assert.deepEqual([refusedAnswer.status, refusedAnswer.error?.statusMessage], [409, 'name_taken'])
  for (const call of ['GET ', 'DELETE ', 'POST /rotate-secret', 'POST /purge', 'POST /sign']) {
    const [method = '', rest = ''] = call.split(' ')
    const body = rest === '/sign' ? { path: 'a.jpg' } : rest === '/purge' ? {} : undefined
    const { error } = await send(server.url, `${method} /api/user/sources/taken${rest}`, { token: other, body })
    assert.equal(error?.statusMessage, 'source_not_found', call)
  }
})

test('twenty sources', async () => {
  const owner = await makeLogin(database, (await makeAccount(database, 'team')).id)
  for (let n = 0; n < 20; n++) assert.equal((await put(`many-${n}`, web, owner)).status, 200)
  assert.equal((await put('many-20', web, owner)).error?.statusMessage, 'too_many_sources')
  assert.equal((await put('many-19', web, owner)).status, 200)
})

const faults: readonly (readonly [body: object, field: string])[] = [
  [{}, 'type'],
  [{ type: 'ftp' }, 'type'],
  [{ type: 'web' }, 'baseUrl'],
  [{ ...web, baseUrl: 'file:///etc' }, 'baseUrl'],
  [{ ...web, baseUrl: 'https://user:word@example.com/' }, 'baseUrl'],
  [{ ...web, baseUrl: 'https://example.com/?a=b' }, 'baseUrl'],
  [{ ...web, baseUrl: 'http://169.254.169.254/' }, 'baseUrl'],
  [{ ...web, baseUrl: 'http://localhost/' }, 'baseUrl'],
  [{ ...web, maxAgeSeconds: 0 }, 'maxAgeSeconds'],
  [{ ...web, redirects: 4 }, 'redirects'],
  [{ ...web, cacheControl: 'never' }, 'cacheControl'],
  [{ ...web, fallback: '../none.png' }, 'fallback'],
  [{ ...web, svg: 'draw' }, 'svg'],
  [{ ...web, headers: { Host: 'internal' } }, 'headers'],
  [{ ...web, headers: { 'Transfer-Encoding': 'chunked' } }, 'headers'],
  [{ ...web, headers: { 'x-a': 'b\r\nx-c: d' } }, 'headers'],
  [{ type: 'folder', path: folder, headers: { authorization: 'a' } }, 'headers'],
  [{ ...web, path: '/tmp' }, 'path'],
  [{ type: 'folder', path: outside }, 'path'],
  [{ type: 'folder', path: join(folder, 'way-out') }, 'path'],
  [{ type: 'folder', path: join(folder, '..') }, 'path'],
  [{ type: 'folder', path: join(folder, 'none') }, 'path'],
  [{ type: 'folder', path: join(folder, 'file') }, 'path'],
  [{ type: 'folder', path: 'inside' }, 'path'],
  [{ ...bucket, bucket: 'other' }, 'accessKeyId'],
  [{ ...bucket, prefix: '../x' }, 'prefix'],
  [{ ...bucket, endpoint: 'https://s3.example.com' }, 'endpoint'],
  [{ ...bucket, accessKeyId: 'a' }, 'secretAccessKey'],
  [{ ...bucket, accessKeyId: 'a', secretAccessKey: 'b', endpoint: 'http://10.0.0.1/' }, 'endpoint'],
]
for (const [body, field] of faults)
  test(`refused: ${JSON.stringify(body).slice(0, 70)}`, async () => {
    const { error } = await put('faulty', body)
    assert.equal(error?.statusMessage, 'invalid_params')
    assert.equal(error?.issues?.[0]?.path[0], field)
    assert.equal((await send(server.url, 'GET /api/user/sources/faulty', { token })).status, 404)
  })

test('names', async () => {
  for (const name of ['A', '-a', 'a_b', 'a'.repeat(49)])
    assert.equal((await put(name, web)).error?.statusMessage, 'invalid_params', name)
})

test('folders that the operator allows', async () => {
  for (const path of [folder, join(folder, 'inside')]) assert.equal((await put('folders', { type: 'folder', path })).status, 200)
})

test('the key of a bucket is shown to nobody, and stays when it is not sent', async () => {
  const key = { endpoint: 'http://127.0.0.1:9', region: 'eu-west-1', accessKeyId: 'AKIA', secretAccessKey: 'the-secret-key' }
  const savedAnswer = await put('keyed', { ...bucket, ...key })
  assert.equal(savedAnswer.status, 200)
  const { secretAccessKey: _, ...shown } = key
  assert.deepEqual({ ...savedAnswer.body, ...shown }, savedAnswer.body)
  const storedKey = async () => {
    const { rows } = await database.pool.query<{ place: { key: { encrypted: string } } }>(
      `select place from source where name = 'keyed'`,
    )
    return rows[0]?.place.key.encrypted ?? assert.fail()
  }
  const encryptedText = await storedKey()
  assert.ok(!encryptedText.includes('the-secret-key') && !JSON.stringify(savedAnswer.body).includes('the-secret-key'))
  assert.equal((await put('keyed', { ...bucket, ...shown, prefix: 'new' })).status, 200)
  assert.equal(await storedKey(), encryptedText)
  // Another server would get the key.
  const movedAnswer = await put('keyed', { ...bucket, ...shown, endpoint: 'http://127.0.0.1:10' })
  assert.deepEqual(movedAnswer.error?.issues?.[0]?.path, ['secretAccessKey'])
})

test('headers of requests are shown to nobody, stay when they are not sent, and never go to another server', async () => {
  const savedAnswer = await put('private', { ...web, headers: { Authorization: 'Bearer the-secret', 'X-Tenant': 'a b' } })
  assert.deepEqual(savedAnswer.body.headerNames, ['authorization', 'x-tenant'])
  const storedPlace = async () => {
    const { rows } = await database.pool.query<{ place: object }>(`select place from source where name = 'private'`)
    return JSON.stringify(rows[0]?.place)
  }
  const before = await storedPlace()
  for (const text of [before, JSON.stringify(savedAnswer.body)]) assert.ok(!text.includes('the-secret'))
  await put('private', { ...web, baseUrl: 'http://127.0.0.1:9/media/', maxAgeSeconds: 5 })
  assert.equal(await storedPlace(), before)
  const movedAnswer = await put('private', { ...web, baseUrl: 'http://127.0.0.1:10/media' })
  assert.deepEqual(movedAnswer.error?.issues?.[0]?.path, ['headers'])
  assert.deepEqual((await put('private', { ...web, headers: {} })).body.headerNames, [])
  assert.ok(!(await storedPlace()).includes('encrypted'))
})

test('a URL is signed for its owner, to try it', async () => {
  const source = await saveSource(server.url, token, 'signs', web)
  const sign = (body: object) => send<{ url: string }>(server.url, 'POST /api/user/sources/signs/sign', { token, body })
  assert.equal((await sign({ path: 'a%20b.jpg', query: 'w=5' })).body.url, source.sign('a%20b.jpg?w=5'))
  assert.equal((await sign({ path: 'a.jpg' })).body.url, source.sign('a.jpg'))
  const byRecipe = async (one: object) => (await sign({ path: 'a.jpg', recipe: { outputs: [one] } })).body.url
  assert.equal(await byRecipe({ format: 'webp' }), source.sign('a.jpg?f=webp'))
  assert.match(await byRecipe({ steps: [{ trim: {} }] }), /^\/i\/signs\/a\.jpg\?r=[A-Za-z0-9_-]+&s=[A-Za-z0-9_-]{22}$/)
  const several = (await sign({ path: 'a b.jpg', query: 'q=60', widths: [640, 320], formats: ['avif', 'jpeg'] })).body
  const { picture = '', ...rest } = several as { url: string; picture?: string }
  const srcset = (format: string) => [320, 640].map((w) => `${source.sign(`a%20b.jpg?q=60&w=${w}&f=${format}`)} ${w}w`).join(', ')
  assert.deepEqual(rest, {
    url: source.sign('a%20b.jpg?q=60&w=640&f=jpeg'),
    srcset: srcset('jpeg'),
    sources: ['avif', 'jpeg'].map((format) => ({ format, srcset: srcset(format) })),
  })
  assert.match(picture, /^<picture>\n {2}<source type="image\/avif"[\s\S]*<\/picture>$/)
  // A width takes the place of that of the last resize; a step that no short parameter says needs the whole recipe.
  const inWidths = async (recipe: object) => (await sign({ path: 'a.jpg', recipe, widths: [320], formats: ['webp'] })).body.url
  const cut = { resize: { width: 800, height: 400, fit: 'cover', enlarge: false } }
  assert.equal(
    await inWidths({ steps: [cut], outputs: [{ quality: 60 }] }),
    source.sign('a.jpg?w=320&h=160&fit=cover&q=60&f=webp'),
  )
  const cropUrl = String(await inWidths({ steps: [cut, { crop: { x: 0, y: 0, width: 90, height: 90 } }] }))
  const sentText = Buffer.from(new URL(cropUrl, 'http://a').searchParams.get('r') ?? '', 'base64url').toString()
  assert.deepEqual(JSON.parse(sentText).outputs[0].steps[0].resize.width, 320)
  // What no URL has is encoded: it would be another text where the URL is used.
  for (const [path, query, url] of [
    ['a b.jpg', 'w=5', 'a%20b.jpg?w=5'],
    ['été/a?b#c.jpg', '', '%C3%A9t%C3%A9/a%3Fb%23c.jpg'],
    ['a.jpg', 'w=5&p=été', null],
    ['a.jpg', 'w=5&bg= ff0000', null],
  ] as const) {
    const answer = await sign({ path, query })
    assert.equal(answer.body.url ?? null, url && source.sign(url), path)
  }
  for (const body of [
    { path: '../a.jpg' },
    { path: 'a.jpg', query: 'zoom=3' },
    { path: 'a\ud800.jpg' },
    {},
    { path: 'a', formats: ['avif'] },
    { path: 'a', widths: [] },
  ])
    assert.equal((await sign(body)).error?.statusMessage, 'invalid_params')
})

test('a bucket is listed by signed requests, in pages, without keys that no URL can name', async () => {
  const keys = [
    'top/.hidden/a.jpg',
    'top/a & b.jpg',
    'top/b/1.jpg',
    'top/b/2.jpg',
    'top/b/é.jpg',
    'top/c//d.jpg',
    'top/z.jpg',
    'up.jpg',
  ]
  const inXml = (text: string) => text.replaceAll('&', '&amp;')
  await using s3 = await listen((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://s3')
    const of = (name: string) => searchParams.get(name) ?? ''
    assert.match(request.headers.authorization ?? '', /^AWS4-HMAC-SHA256 Credential=AKIA\/\d{8}\/eu-west-1\/s3\/aws4_request, /)
    assert.equal(of('list-type'), '2')
    const names = keys
      .filter((key) => key.startsWith(of('prefix')) && key > of('start-after'))
      .map((key) => {
        const end = of('delimiter') === '' ? -1 : key.indexOf('/', of('prefix').length)
        return end === -1 ? key : key.slice(0, end + 1)
      })
    const entries = [...new Set(names)].slice(0, Number(of('max-keys')) + 1)
    const rows = entries
      .slice(0, Number(of('max-keys')))
      .map((name) =>
        name.endsWith('/')
          ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
          : `<Contents><Key>${inXml(name)}</Key><Size>7</Size><LastModified>2026-11-27T00:00:00.000Z</LastModified></Contents>`,
      )
    const isTruncated = entries.length > rows.length
    response.setHeader('content-type', 'application/xml')
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${rows.join('')}</ListBucketResult>`,
    )
  })
  const key = { endpoint: s3.url, region: 'eu-west-1', accessKeyId: 'AKIA', secretAccessKey: 'b' }
  await saveSource(server.url, token, 's3', { ...bucket, prefix: 'top', ...key })
  interface Page {
    readonly data: readonly { readonly path: string; readonly bytes?: number }[]
    readonly nextCursor: string | null
  }
  const read = async (query: string) => {
    const paths: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: Page } = await send<Page>(
        server.url,
        `GET /api/user/sources/s3/files?limit=2${query}${cursor && `&cursor=${cursor}`}`,
        { token },
      )
      paths.push(...body.data.map(({ path }) => path))
      cursor = body.nextCursor
    }
    return paths
  }
  assert.deepEqual(await read(''), ['a & b.jpg', 'b/1.jpg', 'b/2.jpg', 'b/é.jpg', 'z.jpg'])
  assert.deepEqual(await read('&delimiter=/'), ['a & b.jpg', 'b/', 'c/', 'z.jpg'])
  assert.deepEqual(await read('&delimiter=/&prefix=b/'), ['b/1.jpg', 'b/2.jpg', 'b/é.jpg'])
})

test('a thousand purged paths are a purged source', async () => {
  const source = await saveSource(server.url, token, 'purged', web)
  const state = async () => {
    const { rows } = await database.pool.query<{ generation: number; paths: number }>(
      `select generation, (select count(*) from source_purge where source = 'purged')::int as paths from source where name = 'purged'`,
    )
    return rows[0] ?? assert.fail()
  }
  const { generation } = await state()
  await source.purge('a%20b.jpg')
  await source.purge('a%20b.jpg')
  assert.deepEqual(await state(), { generation, paths: 1 })
  await database.pool.query(`insert into source_purge select 'purged', 'p' || n, 1 from generate_series(2, 1000) n`)
  await source.purge('c.jpg')
  const after = await state()
  assert.ok(after.generation > generation && after.paths === 0)
  const body = { path: '../a' }
  assert.equal(
    (await send(server.url, 'POST /api/user/sources/purged/purge', { token, body })).error?.statusMessage,
    'invalid_params',
  )
})

test('settings that cannot be', async () => {
  const s3 = { S3_BUCKET: 'own', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b', S3_ENDPOINT: 'http://127.0.0.1:9' }
  await assert.rejects(startServer({ ...s3, DELIVERY_BUCKETS: 'own/x' }), /must not name S3_BUCKET/)
  await assert.rejects(startServer({ DELIVERY_BUCKETS: 'photos' }), /DELIVERY_BUCKETS needs S3_BUCKET/)
  await assert.rejects(startServer({ DELIVERY_FOLDERS: 'relative' }), /DELIVERY_FOLDERS must be absolute paths/)
})
