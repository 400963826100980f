import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { animatedGif, photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import sharp from 'sharp'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { getUrl, saveSource, type TestSource } from '../../../test/support/delivery.ts'
import { send } from '../../../test/support/json-call.ts'
import { readMetric } from '../../../test/support/read-metric.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import type { Database } from '../../database/database.ts'

/** GET /i/{source}/{path} of a folder. */

const folder = mkdtempSync(join(tmpdir(), 'originals-'))
const pictures = join(folder, 'pictures')
mkdirSync(join(pictures, 'sub folder'), { recursive: true })
const put = (path: string, bytes: Buffer | string) => writeFileSync(join(pictures, path), bytes)
put('a b.jpg', await photo(320, 240).jpeg().toBuffer())
put('sub folder/é.png', await photo(64, 48).png().toBuffer())
put('wide.jpg', await solid(1_500, 735, '#4080c0').jpeg().toBuffer())
put('moving.gif', await animatedGif())
put('logo.png', await solid(20, 10, '#ff0000').png().toBuffer())
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"><rect width="12" height="12" fill="#f00"/></svg>'
put('drawing.svg', DRAWING)
put(
  'hostile.svg',
  DRAWING.replace('<rect', `<script>alert(1)</script><image href="file://${pictures}/logo.png"/><rect onload="a"`),
)
put('.hidden.jpg', await photo(8, 8).jpeg().toBuffer())
put('text.jpg', 'not an image')
put('cut.jpg', (await photo(320, 240).jpeg().toBuffer()).subarray(0, 300))
put('huge.jpg', '')
truncateSync(join(pictures, 'huge.jpg'), 2 * 1024 ** 3)
put('outside.txt', 'secret')
writeFileSync(join(folder, 'outside.jpg'), await photo(8, 8).jpeg().toBuffer())
symlinkSync('../outside.jpg', join(pictures, 'way-out.jpg'))
symlinkSync('/etc', join(pictures, 'etc'))
symlinkSync('a b.jpg', join(pictures, 'inside.jpg'))
execFileSync('mkfifo', [join(pictures, 'pipe.jpg')])

let server: Server
let database: Database
let account: { readonly id: string; readonly token: string }
let shop: TestSource
before(async () => {
  server = await startServer({ RENDERERS: '1', DELIVERY_FOLDERS: folder })
  database = await openServerDatabase(server.dir)
  const { id } = await makeAccount(database, 'team')
  account = { id, token: await makeLogin(database, id) }
  shop = await saveSource(server.url, account.token, 'shop', { type: 'folder', path: pictures })
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const names = ['avif', 'jxl', 'webp'] as const
const accepting = (...formats: readonly string[]) => ({ accept: [...formats.map((name) => `image/${name}`), '*/*;q=0.8'].join() })

test('an image is made once, and then comes from the cache', async () => {
  const url = 'a%20b.jpg?w=100&h=80&fit=cover&f=webp'
  const madeAnswer = await shop.get(url)
  assert.deepEqual([madeAnswer.status, madeAnswer.cache, madeAnswer.headers.get('content-type')], [200, 'miss', 'image/webp'])
  const { width, height, format } = await sharp(madeAnswer.bytes).metadata()
  assert.deepEqual([width, height, format], [100, 80, 'webp'])
  const headers = Object.fromEntries(madeAnswer.headers)
  assert.match(headers['cache-control'] ?? '', /^public, max-age=86400, stale-while-revalidate=86400/)
  assert.equal(headers['content-disposition'], 'inline; filename="a b.webp"')
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['timing-allow-origin'], '*')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(headers.etag ?? '', /^"[0-9a-f]{64}-webp"$/)
  for (const absent of ['set-cookie', 'vary', 'x-ratelimit-limit']) assert.equal(headers[absent], undefined)
  const again = await shop.get(url)
  assert.equal(again.cache, 'hit')
  assert.deepEqual(again.bytes, madeAnswer.bytes)
  assert.equal(again.headers.get('etag'), headers.etag)
})

test('a side that is not given is rounded to the nearest pixel, as at every other door', async () => {
  const { width, height } = await sharp((await shop.get('wide.jpg?w=300&f=webp')).bytes).metadata()
  assert.deepEqual([width, height], [300, 147])
})

test('a source follows client hints where its settings say so', async () => {
  const hintHeaders = { 'sec-ch-width': '250', 'sec-ch-dpr': '2' }
  const still = await shop.get('wide.jpg?w=100&f=webp', hintHeaders)
  assert.deepEqual(
    [still.headers.get('vary'), still.headers.get('accept-ch'), still.headers.get('content-dpr')],
    [null, null, null],
  )
  const hints = await saveSource(server.url, account.token, 'hints', { type: 'folder', path: pictures, clientHints: true })
  const answerOf = async (rest: string, headers = {}) => {
    const { bytes, headers: own, cache } = await hints.get(rest, headers)
    const { width } = await sharp(bytes).metadata()
    return [width, own.get('vary'), own.get('content-dpr'), own.get('accept-ch'), cache]
  }
  const acceptedHints = 'Sec-CH-Width, Sec-CH-DPR'
  assert.deepEqual(await answerOf('wide.jpg?f=webp', hintHeaders), [320, 'Sec-CH-Width, Width', null, acceptedHints, 'miss'])
  assert.deepEqual(await answerOf('wide.jpg?f=webp', { width: '300' }), [320, 'Sec-CH-Width, Width', null, acceptedHints, 'hit'])
  assert.deepEqual(await answerOf('wide.jpg?w=100&f=webp', hintHeaders), [200, 'Sec-CH-DPR, DPR', '2', acceptedHints, 'miss'])
  assert.deepEqual(await answerOf('wide.jpg?w=100&f=webp'), [100, 'Sec-CH-DPR, DPR', null, acceptedHints, 'miss'])
  assert.deepEqual(await answerOf('wide.jpg?w=100&f=webp', hintHeaders), [200, 'Sec-CH-DPR, DPR', '2', acceptedHints, 'hit'])
  assert.deepEqual(await answerOf('wide.jpg?w=100&dpr=1&f=webp', hintHeaders), [100, null, '1', acceptedHints, 'hit'])
  assert.equal((await hints.get('wide.jpg?w=100')).headers.get('vary'), 'Accept, Sec-CH-DPR, DPR')
})

test('SVG is refused, sent without what could run, or drawn in the size that is asked for', async () => {
  const settings = { type: 'folder', path: pictures }
  assert.equal((await shop.get('drawing.svg')).error?.statusMessage, 'invalid_image_type')
  const passing = await saveSource(server.url, account.token, 'passing', { ...settings, svg: 'pass' })
  const { headers, bytes } = await passing.get('drawing.svg', accepting('avif'))
  assert.equal(bytes.toString(), DRAWING)
  assert.deepEqual(
    ['content-type', 'x-content-type-options', 'content-security-policy', 'content-disposition'].map((name) => headers.get(name)),
    [
      'image/svg+xml',
      'nosniff',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox",
      'inline; filename="drawing.svg"',
    ],
  )
  assert.equal((await passing.get('drawing.svg', accepting('avif'))).cache, 'hit')
  assert.equal((await passing.get('hostile.svg')).bytes.toString(), DRAWING.replace('<rect', '<image/><rect'))
  for (const query of ['w=48', 'f=png', 'gray=1'])
    assert.equal((await passing.get(`drawing.svg?${query}`)).error?.statusMessage, 'invalid_image_type', query)
  // A photograph is as in every source.
  assert.equal((await passing.get('wide.jpg?w=48&f=png')).status, 200)

  const drawing = await saveSource(server.url, account.token, 'drawing', { ...settings, svg: 'rasterize' })
  assert.equal((await drawing.get('drawing.svg')).bytes.toString(), DRAWING)
  for (const [query, width, height, format] of [
    ['w=300', 300, 150, 'png'],
    ['w=300&f=webp', 300, 150, 'webp'],
    ['f=png', 24, 12, 'png'],
    ['w=100&h=100&fit=cover&f=png', 100, 100, 'png'],
    ['w=50&dpr=2&f=jpeg', 100, 50, 'jpeg'],
    ['rot=90&w=60&f=png', 60, 120, 'png'],
  ] as const) {
    const picture = await sharp((await drawing.get(`drawing.svg?${query}`)).bytes).metadata()
    assert.deepEqual([picture.width, picture.height, picture.format], [width, height, format], query)
  }
  // Half of it is the rectangle: the file that it names is not drawn.
  const pixels = await sharp((await drawing.get('hostile.svg?w=200&f=png')).bytes)
    .raw()
    .toBuffer()
  const edge = (x: number) => [...pixels.subarray((50 * 200 + x) * 4, (50 * 200 + x) * 4 + 4)]
  assert.deepEqual(
    [edge(97), edge(102)],
    [
      [255, 0, 0, 255],
      [0, 0, 0, 0],
    ],
  )
  assert.equal((await drawing.get('drawing.svg?w=9000')).error?.statusMessage, 'image_too_large')
  await send(server.url, 'PUT /api/user/sources/drawing', { token: account.token, body: settings })
  assert.equal((await drawing.get('drawing.svg?w=300')).error?.statusMessage, 'invalid_image_type')
})

test('the files of a folder are listed in pages, in order, without what is never delivered', async () => {
  type Page = { data: { type: string; path: string; bytes?: number }[]; nextCursor: string | null }
  const list = (query: string, source = 'shop') =>
    send<Page>(server.url, `GET /api/user/sources/${source}/files?${query}`, { token: account.token })
  const pathsOf = async (query: string) => (await list(query)).body.data.map(({ path }) => path)
  const all = await pathsOf('limit=100')
  assert.deepEqual(all, all.toSorted())
  for (const path of ['a b.jpg', 'inside.jpg', 'sub folder/é.png', 'text.jpg']) assert.ok(all.includes(path), path)
  for (const path of ['.hidden.jpg', 'way-out.jpg', 'etc', 'etc/', 'etc/passwd', 'pipe.jpg']) assert.ok(!all.includes(path), path)
  assert.deepEqual(await pathsOf('prefix=sub&delimiter=/'), ['sub folder/'])
  assert.deepEqual(await pathsOf('prefix=sub%20folder/&delimiter=/'), ['sub folder/é.png'])
  assert.deepEqual(await pathsOf('prefix=nowhere/'), [])
  const listedPaths: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: { body: Page } = await list(`limit=2${cursor && `&cursor=${cursor}`}`)
    assert.ok(body.data.length <= 2)
    listedPaths.push(...body.data.map(({ path }) => path))
    cursor = body.nextCursor
  }
  assert.deepEqual(listedPaths, all)
  for (const query of [
    'prefix=../',
    'prefix=/etc/',
    'prefix=.hid',
    'prefix=a//',
    'prefix=sub%20folder/../',
    'delimiter=-',
    'cursor=e30',
  ])
    assert.equal((await list(query)).error?.statusMessage, 'invalid_params', query)
  // What a link leads out to has no list either.
  for (const prefix of ['etc/', 'etc/pass']) assert.deepEqual(await pathsOf(`prefix=${prefix}`), [])
  await send(server.url, 'PUT /api/user/sources/remote', {
    token: account.token,
    body: { type: 'web', baseUrl: 'http://1.1.1.1/' },
  })
  const { error } = await list('', 'remote')
  assert.match(error?.message ?? '', /web server has no list/)
  const stranger = await makeLogin(database, (await makeAccount(database, 'team')).id)
  const foreign = await send(server.url, 'GET /api/user/sources/shop/files', { token: stranger })
  assert.equal(foreign.error?.statusMessage, 'source_not_found')
})

test('one range of an image, when it is made as from the cache', async () => {
  const rest = 'a%20b.jpg?w=91&f=png'
  const part = await shop.get(rest, { range: 'bytes=10-19' })
  assert.deepEqual([part.status, part.cache, part.bytes.length], [206, 'miss', 10])
  const { bytes, headers } = await shop.get(rest)
  assert.deepEqual([headers.get('accept-ranges'), headers.get('content-range')], ['bytes', null])
  assert.equal(part.headers.get('content-range'), `bytes 10-19/${bytes.length}`)
  assert.deepEqual(part.bytes, bytes.subarray(10, 20))
  const etag = headers.get('etag') ?? assert.fail()
  const ranges: readonly (readonly [request: Readonly<Record<string, string>>, status: number, first: number, end: number])[] = [
    [{ range: 'bytes=-7' }, 206, bytes.length - 7, bytes.length],
    [{ range: `bytes=5-${bytes.length * 2}`, 'if-range': etag }, 206, 5, bytes.length],
    [{ range: 'bytes=5-', 'if-range': '"other"' }, 200, 0, bytes.length],
    [{ range: 'bytes=0-1,4-5' }, 200, 0, bytes.length],
    [{ range: 'lines=0-1' }, 200, 0, bytes.length],
    [{ range: 'bytes=0-1', 'if-none-match': etag }, 304, 0, 0],
  ]
  for (const [request, status, first, end] of ranges) {
    const answer = await shop.get(rest, request)
    assert.deepEqual([answer.status, answer.bytes], [status, bytes.subarray(first, end)], JSON.stringify(request))
  }
  const behind = await shop.get(rest, { range: `bytes=${bytes.length}-` })
  assert.deepEqual([behind.status, behind.error?.statusMessage], [416, 'range_not_satisfiable'])
  assert.equal(behind.headers.get('content-range'), `bytes */${bytes.length}`)
})

test('a smaller original is enlarged only if the URL says so', async () => {
  const widthOf = async (rest: string) => (await sharp((await shop.get(rest)).bytes).metadata()).width
  const ownWidth = await widthOf('wide.jpg?f=png')
  assert.equal(await widthOf(`wide.jpg?w=${ownWidth + 50}&f=webp`), ownWidth)
  assert.equal(await widthOf(`wide.jpg?w=${ownWidth + 50}&f=webp&enlarge=1`), ownWidth + 50)
})

test('HEAD and 304, from memory as after a miss', async () => {
  const url = server.url + shop.sign('a%20b.jpg?w=90')
  const head = await fetch(url, { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal((await head.arrayBuffer()).byteLength, 0)
  const { bytes, headers } = await getUrl(url)
  assert.equal(head.headers.get('content-length'), String(bytes.length))
  const etag = headers.get('etag') ?? assert.fail()
  for (const sentText of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const same = await getUrl(url, { 'if-none-match': sentText })
    assert.deepEqual([same.status, same.bytes.length, same.headers.get('etag')], [304, 0, etag], sentText)
  }
  assert.equal((await getUrl(url, { 'if-none-match': '"other"' })).status, 200)
  const modifiedText = headers.get('last-modified') ?? assert.fail()
  assert.equal((await getUrl(url, { 'if-modified-since': modifiedText })).status, 304)
  assert.equal((await getUrl(url, { 'if-modified-since': modifiedText, 'if-none-match': '"other"' })).status, 200)
  assert.equal((await getUrl(url, { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status, 200)
})

test('auto sends what the client names, and says so', async () => {
  const typeFor = async (...formats: readonly string[]) => {
    const { headers } = await shop.get('a%20b.jpg?w=64', accepting(...formats))
    assert.equal(headers.get('vary'), 'Accept')
    return headers.get('content-type')
  }
  assert.equal(await typeFor(...names), 'image/avif')
  assert.equal(await typeFor('webp', 'avif'), 'image/avif')
  assert.equal(await typeFor('webp', 'jxl'), 'image/jxl')
  assert.equal(await typeFor('webp'), 'image/webp')
  assert.equal(await typeFor(), 'image/jpeg')
  // Clients that accept the same format first share a result.
  assert.equal((await shop.get('a%20b.jpg?w=64', accepting('avif', 'apng'))).cache, 'hit')
})

test('what moves goes on moving, for clients that accept the same first format but differ in others', async () => {
  const both = await shop.get('moving.gif?w=30', accepting('avif', 'webp'))
  assert.equal(both.headers.get('content-type'), 'image/webp')
  assert.equal((await sharp(both.bytes).metadata()).pages, 3)
  const one = await shop.get('moving.gif?w=30', accepting('avif'))
  assert.equal(one.headers.get('content-type'), 'image/gif')
  assert.equal((await sharp(one.bytes).metadata()).pages, 3)
  for (const [formats, type] of [
    [['avif', 'webp'], 'image/webp'],
    [['avif'], 'image/gif'],
  ] as const) {
    const { cache, headers } = await shop.get('moving.gif?w=30', accepting(...formats))
    assert.deepEqual([cache, headers.get('content-type')], ['hit', type])
  }
})

test('best has its own Vary', async () => {
  const { headers } = await shop.get('a%20b.jpg?w=64&f=best', { accept: 'image/webp' })
  assert.deepEqual([headers.get('content-type'), headers.get('vary')], ['image/webp', 'Accept'])
})

test('names in any script, and links that stay in the folder', async () => {
  assert.equal(
    (await shop.get('sub%20folder/%C3%A9.png?w=10&f=png')).headers.get('content-disposition'),
    `inline; filename="_.png"; filename*=UTF-8''%C3%A9.png`,
  )
  assert.equal((await shop.get('inside.jpg?w=10')).status, 200)
})

test('a whole URL as the target, as of a request to a proxy', async () => {
  const target = `http://images.example${shop.sign('a%20b.jpg?w=64&f=WebP')}`
  const { port, hostname } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${target} HTTP/1.1\r\nhost: images.example\r\nconnection: close\r\n\r\n`)
  assert.match((await buffer(socket)).toString('latin1'), /^HTTP\/1.1 200 /)
})

test('a path that is no UTF-8 is invalid_params', async () => {
  const { error, headers } = await shop.get('%ff.jpg?w=10')
  assert.deepEqual([error?.statusMessage, headers.get('access-control-allow-origin')], ['invalid_params', '*'])
})

test('whole recipes, whose files are of the same source', async () => {
  const recipe = { steps: [{ watermark: { image: 'logo.png', opacity: 100 } }], outputs: [{ format: 'png' }] }
  const encodedText = Buffer.from(JSON.stringify(recipe)).toString('base64url')
  const { status, bytes } = await shop.get(`a%20b.jpg?r=${encodedText}`)
  assert.equal(status, 200)
  const { data } = await sharp(bytes)
    .extract({ left: 319, top: 239, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  assert.deepEqual([...data], [255, 0, 0])
  const lead = Buffer.from(JSON.stringify({ steps: [{ watermark: { image: '../outside.jpg' } }] })).toString('base64url')
  assert.equal((await shop.get(`a%20b.jpg?r=${lead}`)).error?.statusMessage, 'invalid_params')
})

test('presets, which an open source serves without a signature', async () => {
  const { token } = account
  const body = { recipe: { outputs: [{ format: 'webp', steps: [{ resize: { width: 40 } }] }] } }
  assert.equal((await send(server.url, 'PUT /api/user/presets/card', { token, body })).status, 200)
  assert.equal((await sharp((await shop.get('a%20b.jpg?p=card')).bytes).metadata()).width, 40)
  assert.equal((await getUrl(`${server.url}/i/shop/a%20b.jpg?p=card`)).status, 403)
  const open = await saveSource(server.url, token, 'open', { type: 'folder', path: pictures, unsigned: true })
  assert.equal((await getUrl(`${server.url}/i/open/a%20b.jpg?p=card`)).status, 200)
  for (const query of ['', '?w=10', '?p=card&s=AAAAAAAAAAAAAAAAAAAAAA', '?p=card&s='])
    assert.equal((await getUrl(`${server.url}/i/open/a%20b.jpg${query}`)).status, 403, query)
  assert.equal((await open.get('a%20b.jpg?w=10')).status, 200)
  assert.equal((await getUrl(`${server.url}/i/open/a%20b.jpg?p=none`)).error?.statusMessage, 'preset_not_found')
  // A preset that changes is another recipe.
  const wider = { recipe: { outputs: [{ format: 'webp', steps: [{ resize: { width: 50 } }] }] } }
  await send(server.url, 'PUT /api/user/presets/card', { token, body: wider })
  const width = async () => (await sharp((await getUrl(`${server.url}/i/open/a%20b.jpg?p=card`)).bytes).metadata()).width
  assert.ok(await until(async () => (await width()) === 50))
})

test('signatures', async (t) => {
  const good = shop.sign('a%20b.jpg?w=20')
  const cases = {
    missing: good.replace(/&s=.*/, ''),
    empty: good.replace(/&s=.*/, '&s='),
    wrong: good.replace(/&s=./, (sentText) => (sentText === '&s=A' ? '&s=B' : '&s=A')),
    'of another path': good.replace('a%20b', 'a%20c'),
    'of another width': good.replace('w=20', 'w=21'),
    'not last': `${good}&q=5`,
    expired: shop.sign('a%20b.jpg?w=20&e=1000'),
    'of a text in another form': good.replace('a%20b', 'a b').replace(' ', '%20').replace('%20', '%2520'),
  }
  for (const [name, url] of Object.entries(cases))
    await t.test(name, async () => assert.equal((await getUrl(server.url + url)).error?.statusMessage, 'invalid_signature'))
  const later = Math.floor(Date.now() / 1000) + 100
  const inTime = await shop.get(`a%20b.jpg?w=20&e=${later}`)
  assert.equal(inTime.status, 200)
  const [, age] = /max-age=(\d+)$/.exec(inTime.headers.get('cache-control') ?? '') ?? []
  assert.ok(Number(age) > 50 && Number(age) <= 100, String(age))
  const soon = Math.floor(Date.now() / 1000) + 2
  const ending = await shop.get(`a%20b.jpg?w=20&e=${soon}`)
  assert.equal(ending.status, 200)
  assert.ok(await until(async () => (await shop.get(`a%20b.jpg?w=20&e=${soon}`)).status === 403))
})

test('a secret that was replaced goes on signing until the next', async () => {
  const { token } = account
  const own = await saveSource(server.url, token, 'rotated', { type: 'folder', path: pictures })
  const rotate = () => send<{ secret: string }>(server.url, 'POST /api/user/sources/rotated/rotate-secret', { token })
  assert.equal((await rotate()).body.secret.length, 43)
  assert.equal((await own.get('a%20b.jpg?w=12')).status, 200)
  await rotate()
  assert.equal((await own.get('a%20b.jpg?w=12')).error?.statusMessage, 'invalid_signature')
})

const paths: Readonly<Record<string, string>> = {
  'nothing.jpg': 'source_image_not_found',
  'way-out.jpg': 'source_image_not_found',
  'etc/hostname': 'source_image_not_found',
  'sub%20folder': 'source_image_not_found',
  'pipe.jpg': 'source_image_not_found',
  'a%20b.jpg/c': 'source_image_not_found',
  [`${'a'.repeat(300)}.jpg`]: 'source_image_not_found',
  '.hidden.jpg': 'invalid_params',
  'a%00b.jpg': 'invalid_params',
  'sub%20folder%2F..%2F..%2Foutside.jpg': 'invalid_params',
  'a\\b.jpg': 'invalid_params',
  'a//b.jpg': 'invalid_params',
  [`${'a'.repeat(8_000)}.jpg`]: 'invalid_params',
  'text.jpg': 'invalid_image_type',
  'cut.jpg': 'invalid_image',
  'huge.jpg': 'source_unavailable',
}
for (const [path, error] of Object.entries(paths))
  test(`${path.slice(0, 40)} is ${error}`, async () => {
    for (const time of ['first', 'again']) {
      const got = await rawGet(shop.sign(`${path}?w=10`))
      assert.match(got, new RegExp(`"statusMessage":"${error}"`), time)
      assert.match(got, /^access-control-allow-origin: \*/im)
    }
  })

/** Without the normalization of fetch. */
async function rawGet(path: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  return await text(socket)
}

test('.. as it is sent', async () => {
  assert.match(await rawGet(shop.sign('../../outside.jpg?w=10')), /"statusMessage":"invalid_params"/)
  assert.match(await rawGet(shop.sign('%2e%2e/outside.jpg?w=10')), /"statusMessage":"invalid_params"/)
})

test('parameters', async () => {
  assert.match((await shop.get('a%20b.jpg?w=10&zoom=3')).error?.message ?? '', /zoom/)
  assert.equal((await shop.get('a%20b.jpg?w=10&w=20')).error?.statusMessage, 'invalid_params')
  // Of which the renderer knows.
  const { error } = await shop.get('a%20b.jpg?w=10&f=same&max=5')
  assert.equal(error?.statusMessage, 'cannot_fit')
})

test('8 KB of Accept', async () => {
  const accept = `${'image/x-unknown;q=0.5,'.repeat(350)}image/webp`
  const { status, headers } = await shop.get('a%20b.jpg?w=24', { accept })
  // Of a header of so many ranges the first hundred count.
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/jpeg'])
})

test('a purge of a path, and of all', async () => {
  const one = 'a%20b.jpg?w=33'
  const other = 'inside.jpg?w=33'
  const states = async () => [(await shop.get(one)).cache, (await shop.get(other)).cache]
  assert.deepEqual(await states(), ['miss', 'miss'])
  assert.deepEqual(await states(), ['hit', 'hit'])
  await shop.purge('a%20b.jpg')
  assert.deepEqual(await states(), ['miss', 'hit'])
  await shop.purge()
  assert.deepEqual(await states(), ['miss', 'miss'])
})

test('a file that changes is seen after max-age, and one that goes is gone', async () => {
  const file = join(pictures, 'changing.png')
  writeFileSync(file, await solid(10, 10, '#ff0000').png().toBuffer())
  const quick = await saveSource(server.url, account.token, 'quick', { type: 'folder', path: pictures, maxAgeSeconds: 1 })
  const get = () => quick.get('changing.png?f=png')
  const first = await get()
  let stale = await get()
  const isStale = async () => {
    stale = await get()
    return stale.cache === 'stale'
  }
  assert.ok(await until(isStale))
  assert.match(stale.headers.get('cache-control') ?? '', /max-age=60,/)
  writeFileSync(file, await solid(10, 10, '#00ff00').png().toBuffer())
  utimesSync(file, new Date(), new Date(Date.now() + 10_000))
  assert.ok(await until(async () => (await get()).headers.get('etag') !== first.headers.get('etag')))
  rmSync(file)
  assert.ok(await until(async () => (await get()).status === 404))
})

test('a popular image of auto is encoded again in fewer bytes, without a charge', async () => {
  const get = () => shop.get('a%20b.jpg?w=301', accepting('avif'))
  const fast = await get()
  const { used } = await accountTotals(database, account.id)
  assert.ok(await until(async () => (await get()).headers.get('etag') !== fast.headers.get('etag')))
  const small = await get()
  assert.ok(small.bytes.length < fast.bytes.length, `${small.bytes.length} of ${fast.bytes.length} bytes`)
  const { width, height } = await sharp(small.bytes).metadata()
  assert.deepEqual([small.cache, small.headers.get('content-type'), width, height], ['hit', 'image/avif', 301, 226])
  assert.deepEqual((await accountTotals(database, account.id)).used, used)
  assert.ok(await until(async () => ((await readMetric(server, 'delivery_refined_bytes_total')) ?? 0) > 0))
  const smallAnswer = await shop.get('a%20b.jpg?w=301&effort=small', accepting('avif'))
  assert.deepEqual(smallAnswer.bytes, small.bytes)
})

test('results survive a kill, and stay paid', async () => {
  const url = 'a%20b.jpg?w=77'
  const before = await shop.get(url)
  assert.equal(before.cache, 'miss')
  const paidCalls = async () => (await accountTotals(database, account.id)).used
  const calls = await paidCalls()
  await database.close()
  await server.stop('SIGKILL')
  server = await startServer({ RENDERERS: '1', DELIVERY_FOLDERS: folder, DATA_DIR: server.dir, ADMIN_API_KEY: server.key })
  database = await openServerDatabase(server.dir)
  const after = await shop.get(url, {}, server.url)
  assert.deepEqual([after.cache, after.headers.get('etag')], ['hit', before.headers.get('etag')])
  // Before it listens, the server has given back the calls of the killed one that were charged and not answered: these were answered.
  assert.equal(await paidCalls(), calls)
})

test('a folder that is no longer one of DELIVERY_FOLDERS gives nothing new', async () => {
  await database.close()
  await server.stop()
  server = await startServer({ RENDERERS: '1', DATA_DIR: server.dir, ADMIN_API_KEY: server.key })
  database = await openServerDatabase(server.dir)
  assert.equal((await shop.get('a%20b.jpg?w=77', {}, server.url)).cache, 'hit')
  const refusedAnswer = await shop.get('a%20b.jpg?w=78', {}, server.url)
  assert.equal(refusedAnswer.error?.statusMessage, 'source_unavailable')
})
