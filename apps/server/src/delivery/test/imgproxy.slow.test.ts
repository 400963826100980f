import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { near, photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { getUrl, saveSource } from '../../../test/support/delivery.ts'
import { send } from '../../../test/support/json-call.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import type { Database } from '../../database/database.ts'
import { servedRoutes } from '../../routes.ts'
import { imgproxySignature } from '../imgproxy/address.ts'

/** The URLs of imgproxy. */

const folder = mkdtempSync(join(tmpdir(), 'originals-'))
writeFileSync(join(folder, 'photo.jpg'), await photo(320, 240).jpeg().toBuffer())
writeFileSync(join(folder, 'logo.png'), await solid(20, 10, '#ff0000').png().toBuffer())

const pair = { key: randomBytes(32), salt: randomBytes(32) }
const settings = {
  RENDERERS: '1',
  EGRESS_ALLOW: '127.0.0.1',
  DELIVERY_FOLDERS: folder,
  DELIVERY_DIALECTS: 'imgproxy',
  IMGPROXY_KEY: pair.key.toString('hex'),
  IMGPROXY_SALT: pair.salt.toString('hex'),
  IMGPROXY_PRESETS: 'card=rs:fill:80:60/q:70',
  IMGPROXY_LOCAL_FILESYSTEM_ROOT: folder,
  IMGPROXY_WATERMARK_PATH: join(folder, 'logo.png'),
}
let server: Server
let database: Database
before(async () => {
  server = await startServer(settings)
  database = await openServerDatabase(server.dir)
  const { id } = await makeAccount(database, 'team')
  await database.pool.query(`update account set role = 'admin' where id = $1`, [id])
  await saveSource(server.url, await makeLogin(database, id), 'shop', { type: 'folder', path: folder })
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const get = (options: string, original = '/plain/local:///photo.jpg') =>
  getUrl(`${server.url}/${imgproxySignature(options + original, pair)}${options}${original}`)
const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata()
  return [width, height, format]
}

test('an image is made once, and then comes from the cache', async () => {
  const madeAnswer = await get('/rs:fill:100:50/q:80', '/plain/local:///photo.jpg@webp')
  assert.deepEqual([madeAnswer.status, madeAnswer.cache, await sizeOf(madeAnswer.bytes)], [200, 'miss', [100, 50, 'webp']])
  assert.equal((await get('/rs:fill:100:50/q:80', '/plain/local:///photo.jpg@webp')).cache, 'hit')
  assert.equal((await get('/rs:fill:100:50/q:80/cb:2', '/plain/local:///photo.jpg@webp')).cache, 'miss')
})

test('without an extension the format of the original is kept', async () => {
  assert.deepEqual(await sizeOf((await get('/w:40')).bytes), [40, 30, 'jpeg'])
  const encodedText = `/${Buffer.from('local:///photo.jpg').toString('base64url')}.png`
  assert.deepEqual(await sizeOf((await get('/pr:card', encodedText)).bytes), [80, 60, 'png'])
})

test('a smaller original is not enlarged, and cut as imgproxy cuts it', async () => {
  assert.deepEqual(await sizeOf((await get('/rs:fit:640:640')).bytes), [320, 240, 'jpeg'])
  assert.deepEqual(await sizeOf((await get('/rs:fill:160:600')).bytes), [160, 240, 'jpeg'])
  assert.deepEqual(await sizeOf((await get('/rs:fill:200:200/dpr:2')).bytes), [240, 240, 'jpeg'])
  assert.deepEqual(await sizeOf((await get('/rs:fill:640:640:1')).bytes), [640, 640, 'jpeg'])
})

test('the watermark of the server', async () => {
  const { bytes } = await get('/wm:1:soea:0:0:0.25', '/plain/local:///photo.jpg@png')
  assert.ok(near(await pixel(bytes, 319, 239), [255, 0, 0, 255]))
  assert.ok(!near(await pixel(bytes, 319 - 81, 239), [255, 0, 0, 255]))
})

test('a picture that depends on the size of the original, and an original as it is', async () => {
  assert.deepEqual(await sizeOf((await get('/rs:auto:100:90/pd:5')).bytes), [110, 100, 'jpeg'])
  assert.deepEqual(await sizeOf((await get('/t:10/c:0.5:0.5/ex:1/rs:fit:200:200')).bytes), [200, 200, 'jpeg'])
  const originalAnswer = await get('/raw:1/att:1/fn:my%20cat')
  assert.deepEqual(originalAnswer.bytes, readFileSync(join(folder, 'photo.jpg')))
  assert.equal(originalAnswer.headers.get('content-disposition'), 'attachment; filename="my cat.jpg"')
  assert.equal(originalAnswer.headers.get('content-type'), 'image/jpeg')
  assert.equal((await get('/raw:1/att:1/fn:my%20cat')).cache, 'hit')
})

test('an original with a query, which is another one than without it', async () => {
  await using origin = await startOrigin()
  await saveSource(server.url, await ownerToken(), 'web', { type: 'web', baseUrl: `${origin.url}/` })
  const atOrigin = (query: string) => get('/w:40', `/plain/${origin.url}/a.jpg${encodeURIComponent(query)}`)
  assert.equal((await atOrigin('')).error?.statusMessage, 'source_image_not_found')
  assert.deepEqual(await sizeOf((await atOrigin('?v=1&x=a b')).bytes), [40, 30, 'jpeg'])
})

/** A web server that has its picture only by a query. */
async function startOrigin() {
  const photograph = readFileSync(join(folder, 'photo.jpg'))
  const origin = createServer(({ url }, response) => {
    const isKnown = url === '/a.jpg?v=1&x=a%20b'
    response.writeHead(isKnown ? 200 : 404).end(isKnown ? photograph : '')
  })
  await once(origin.listen(0, '127.0.0.1'), 'listening')
  const { port } = origin.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void origin.close() }
}

test('what is refused', async () => {
  const error = async (url: string) => (await getUrl(server.url + url)).error?.statusMessage
  assert.equal(await error(`/${'A'.repeat(43)}/w:5/plain/local:///photo.jpg`), 'invalid_signature')
  assert.match((await get('/w:5/aq:ssim')).error?.message ?? '', /^aq: Is no option/)
  assert.equal((await get('/w:5', '/plain/local:///none.jpg')).error?.statusMessage, 'source_image_not_found')
  assert.equal((await get('/w:5', '/plain/local:///..%2F..%2Fetc/passwd')).error?.statusMessage, 'invalid_params')
  // Other paths answer as ever.
  assert.equal(await error('/insecure/w:5/plain/local:///photo.jpg'), 'not_found')
  assert.equal(await error('/api/v9/convert'), 'not_found')
  assert.equal((await fetch(`${server.url}/api/v1/convert`)).status, 405)
})

test('the paths of imgproxy give no endpoint a method, and Allow names each method that works once', async () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  for (const path of new Set(
    servedRoutes(undefined, { METRICS_TOKEN: undefined, DELIVERY_DIALECTS: ['imgproxy'] }).map((route) => route.path),
  )) {
    const url = server.url + path.replaceAll(/:\w+/g, 'abc123').replace('*', 'a/b')
    const answers = await Promise.all(methods.map((method) => fetch(url, { method })))
    const works = methods.filter((_, at) => answers[at]?.status !== 405)
    for (const { status, headers } of answers) {
      if (status === 405) assert.deepEqual((headers.get('allow') ?? '').split(', ').toSorted(), works.toSorted(), path)
    }
    for (const answer of answers) await answer.body?.cancel()
  }
})

test('the sources of others are not for the key of the server', async () => {
  const { id } = await makeAccount(database, 'team')
  const token = await makeLogin(database, id)
  await saveSource(server.url, token, 'other', { type: 'folder', path: folder })
  await send(server.url, 'DELETE /api/user/sources/shop', { token: await ownerToken() })
  assert.equal((await get('/w:6')).error?.statusMessage, 'source_not_found')
})

async function ownerToken(): Promise<string> {
  const { rows } = await database.pool.query<{ account_id: string }>(`select account_id from source where name = 'shop'`)
  return makeLogin(database, rows[0]?.account_id ?? '')
}

test('without the setting there are no such URLs, and half of it does not start', async () => {
  await using plain = await startServer({ RENDERERS: '1' })
  const url = `${plain.url}/${imgproxySignature('/w:5/plain/a', pair)}/w:5/plain/a`
  assert.equal((await getUrl(url)).error?.statusMessage, 'not_found')
  await assert.rejects(startServer({ DELIVERY_DIALECTS: 'imgproxy' }), /needs IMGPROXY_KEY/)
})
