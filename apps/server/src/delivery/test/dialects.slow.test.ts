import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { getUrl, saveSource } from '../../../test/support/delivery.ts'
import { send } from '../../../test/support/json-call.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import type { Database } from '../../database/database.ts'
import { cloudinarySignature } from '../cloudinary/address.ts'
import { imgixSignature } from '../imgix/address.ts'

/** URLs of imgix and Cloudinary, as a site has them that is moved. */

const folder = mkdtempSync(join(tmpdir(), 'originals-'))
writeFileSync(join(folder, 'photo.jpg'), await photo(320, 240).jpeg().toBuffer())

let server: Server
let database: Database
let token: string
before(async () => {
  server = await startServer({
    RENDERERS: '1',
    DELIVERY_FOLDERS: folder,
    DELIVERY_DIALECTS: 'imgix,cloudinary,imgproxy',
    DELIVERY_OPEN_SOURCES: 'open',
    IMGIX_TOKENS: 'shop=FOO123bar',
    CLOUDINARY_API_SECRETS: 'shop=b',
    IMGPROXY_KEY: '00',
    IMGPROXY_SALT: '00',
  })
  database = await openServerDatabase(server.dir)
  const { id } = await makeAccount(database, 'team')
  await database.pool.query(`update account set role = 'admin' where id = $1`, [id])
  token = await makeLogin(database, id)
  for (const name of ['shop', 'open']) await saveSource(server.url, token, name, { type: 'folder', path: folder })
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => getUrl(server.url + path, headers)
const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata()
  return [width, height, format]
}

test('imgix: signedAnswer with the token that was its own there, and cached', async () => {
  const query = 'w=100&h=100&fit=crop&q=60'
  const url = `/imgix/shop/photo.jpg?${query}&s=${imgixSignature({ path: '/photo.jpg', query }, 'FOO123bar')}`
  const first = await get(url)
  assert.deepEqual([first.status, first.cache, await sizeOf(first.bytes)], [200, 'miss', [100, 100, 'jpeg']])
  assert.equal((await get(url)).cache, 'hit')
  assert.equal((await get(url.replace('w=100', 'w=101'))).status, 403)
  assert.equal((await get('/imgix/shop/photo.jpg?w=100')).error?.statusMessage, 'invalid_signature')
})

test('imgix: of an open source, with the format that the browser accepts', async () => {
  const { bytes, headers } = await get('/imgix/open/photo.jpg?w=80&auto=format,compress&v=2', { accept: 'image/webp' })
  assert.deepEqual(await sizeOf(bytes), [80, 60, 'webp'])
  assert.equal(headers.get('vary'), 'Accept')
  const refusal = await get('/imgix/open/photo.jpg?w=80&duotone=000080,FA8072')
  assert.deepEqual([refusal.status, refusal.error?.message], [400, 'duotone: "000080,FA8072" is not supported.'])
})

test('Cloudinary: signedAnswer, with chains and presets', async () => {
  const transformation = 'c_crop,h_20,w_10'
  const signature = cloudinarySignature(`${transformation}/photo.jpg`, 'b', 8)
  const signedAnswer = await get(`/shop/image/upload/s--${signature}--/${transformation}/v1/photo.jpg`)
  assert.deepEqual(await sizeOf(signedAnswer.bytes), [10, 20, 'jpeg'])
  assert.equal((await get(`/shop/image/upload/${transformation}/photo.jpg`)).error?.statusMessage, 'invalid_signature')
  const recipe = { outputs: [{ steps: [{ resize: { width: 60 } }], format: 'png' }] }
  assert.equal((await send(server.url, 'PUT /api/user/presets/card', { token, body: { recipe } })).status, 200)
  const { bytes } = await get('/open/image/upload/t_card/c_fill,w_40,h_40/photo.jpg')
  assert.deepEqual(await sizeOf(bytes), [40, 40, 'png'])
  const refusal = await get('/open/image/upload/w_100,e_cartoonify/photo.jpg')
  assert.deepEqual([refusal.status, refusal.error?.message], [400, 'e: "cartoonify" is not supported.'])
})

test('Cloudinary: a fetched URL must be below the source', async () => {
  const { error } = await get('/open/image/fetch/w_100/https://example.com/photo.jpg')
  assert.equal(error?.statusMessage, 'source_not_found')
})
