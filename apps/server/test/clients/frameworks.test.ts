import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import astro from 'pixelmill-client/src/frameworks/astro'
import { nextLoader } from 'pixelmill-client/src/frameworks/next'
import nuxt from 'pixelmill-client/src/frameworks/nuxt'
import { type SourceAddress, signedUrls, signingRoute } from 'pixelmill-client/src/frameworks/server'
import { unpicTransformer } from 'pixelmill-client/src/frameworks/unpic'
import { type ImageUrl, routeUrls } from 'pixelmill-client/src/frameworks/url'
import sharp from 'sharp'
import { makeAccount, makeLogin, openServerDatabase } from '../support/accounts.ts'
import { getUrl } from '../support/delivery.ts'
import { send } from '../support/json-call.ts'
import { type SharedServer, shareServer } from '../support/shared-server.ts'

/** The URLs that the client makes for frameworks, called as each framework calls it, and answered by a server. */

const folder = mkdtempSync(join(tmpdir(), 'frameworks-'))
const originals = 'https://cdn.example.com/photos/'
mkdirSync(join(folder, 'sommer'))
writeFileSync(join(folder, 'photo.jpg'), await photo(600, 400).jpeg().toBuffer())
writeFileSync(join(folder, 'sommer/grüne Wiese 100%.jpg'), await photo(600, 400).jpeg().toBuffer())

let server: SharedServer
let address: SourceAddress
let signedUrl: ImageUrl
before(async () => {
  server = await shareServer({ DELIVERY_FOLDERS: folder })
  const database = await openServerDatabase(server.dir)
  const token = await makeLogin(database, (await makeAccount(database, 'team')).id)
  await database.close()
  const body = { type: 'folder', path: folder }
  const savedAnswer = await send<{ secret: string }>(server.url, 'PUT /api/user/sources/frameworks', { token, body })
  address = { url: server.url, source: 'frameworks', secret: savedAnswer.body.secret, originals }
  signedUrl = signedUrls(address)
})
after(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function deliveredPicture(url: string) {
  const answer = await getUrl(url, { accept: 'image/avif,image/webp,*/*' })
  assert.equal(answer.status, 200, `${url} ${answer.error?.message}`)
  const { width, height } = await sharp(answer.bytes).metadata()
  return [answer.headers.get('content-type'), width, height]
}

const route = '/img'
const inBrowser = routeUrls({ route, originals })
/** Where the route sends a browser, or why it does not. */
async function signedBy(url: string): Promise<string> {
  const sign = signingRoute({ route, urls: signedUrl, widths: [320, 160, 1280], ratios: ['1:1', '3:2'] })
  const response = sign(new Request(`https://shop.example.com/below${url}`))
  return response.headers.get('location') ?? `${response.status} ${await response.text()}`
}

test('a loader of next/image: signed on the server, and by the route in the browser', async () => {
  assert.deepEqual(await deliveredPicture(nextLoader(signedUrl)({ src: 'photo.jpg', width: 256, quality: 60 })), [
    'image/avif',
    256,
    171,
  ])
  const url = nextLoader(inBrowser)({ src: '/sommer/grüne Wiese 100%25.jpg', width: 256 })
  assert.equal(url, '/img/sommer/gr%C3%BCne%20Wiese%20100%25.jpg?w=256')
  assert.deepEqual(await deliveredPicture(await signedBy(url)), ['image/avif', 320, 213])
})

test('a provider of Nuxt Image', async () => {
  const modifiers = { width: 300, height: 200, quality: '71' }
  const { url } = nuxt().getImage(`${originals}photo.jpg`, { modifiers, baseURL: route, originals })
  assert.equal(url, '/img/photo.jpg?w=300&h=200&fit=cover&q=71')
  const location = await signedBy(url)
  assert.match(location, /\/photo\.jpg\?w=320&h=213&fit=cover&q=75&s=/)
  assert.deepEqual(await deliveredPicture(location), ['image/avif', 320, 213])
})

test('a transformer of unpic', async () => {
  const operations = { width: '200', height: 200, format: 'jpg', background: '#ffcc00' }
  assert.deepEqual(await deliveredPicture(unpicTransformer(signedUrl)('photo.jpg', operations)), ['image/jpeg', 200, 200])
})

test('an image service of Astro', async () => {
  const config = { service: { config: address } }
  const attributes = { alt: 'a', layout: 'constrained' }
  const options = { src: '/photo.jpg', width: 200, height: 200, fit: 'cover', position: 'left top', densities: [1, '1.5x'] }
  const transform = astro.validateOptions({ ...options, ...attributes })
  assert.deepEqual(await deliveredPicture(astro.getURL(transform, config)), ['image/avif', 200, 200])
  const [, dense = assert.fail()] = astro.getSrcSet(transform)
  assert.equal(dense.descriptor, '1.5x')
  const denseUrl = astro.getURL(dense.transform, config)
  assert.match(denseUrl, /\?w=300&h=300&fit=cover&g=northwest&s=/)
  assert.deepEqual(await deliveredPicture(denseUrl), ['image/avif', 300, 300])
  const html = { loading: 'lazy', decoding: 'async', alt: 'a', width: 200, height: 200 }
  assert.deepEqual(astro.getHTMLAttributes(transform), html)
  const src = { src: '/_astro/photo.a1.jpg', width: 600, height: 400, format: 'jpg' }
  const picture = astro.validateOptions({ src, width: 300, widths: [300, 600, 1200], format: 'webp' })
  assert.equal(picture.height, 200)
  const sources = astro.getSrcSet(picture).map(({ descriptor, attributes: { type } }) => `${type} ${descriptor}`)
  assert.deepEqual(sources, ['image/webp 300w', 'image/webp 600w'])
  assert.equal(astro.getURL({ src: { ...src, src: '/@fs/photo.jpg' } }, config), '/@fs/photo.jpg')
  assert.throws(() => astro.validateOptions({ src: '/photo.jpg', width: 300 }), /needs width and height/)
})

test('URLs of other places stay as they are, and an incomplete address is refused', () => {
  for (const urls of [signedUrl, inBrowser])
    for (const src of ['https://other.example.com/a.jpg', '//other.example.com/a.jpg', 'data:image/gif;base64,R0lGOD'])
      assert.equal(urls(src, { width: 10 }), src)
  assert.throws(() => signedUrls({ ...address, secret: '' }), /`secret` of the images is missing/)
})

test('a URL ends when it is said to', async () => {
  const soon = new Date(Date.now() + 60_000)
  assert.deepEqual(await deliveredPicture(signedUrl('photo.jpg', { width: 60, expires: soon })), ['image/avif', 60, 40])
  assert.equal((await getUrl(signedUrl('photo.jpg', { width: 60, expires: new Date(Date.now() - 1000) }))).status, 403)
})

test('the route signs no more sizes than it is told', async () => {
  const refusals = {
    '/img/photo.jpg': /^400 A width is missing/,
    '/img/?w=10': /^400 The path must begin with \/img\//,
    '/img//other.example.com/photo.jpg?w=10': /^400 The path must begin with \/img\//,
    '/img/\\other.example.com/photo.jpg?w=10': /^400 The path must begin with \/img\//,
    '/img/photo.jpg?w=0': /^400 w must be an integer/,
    '/img/photo.jpg?w=300&h=100': /^400 300:100 is not among the `ratios`/,
    '/img/photo.jpg?w=300&blur=3': /^400 This route does not sign the parameter blur/,
    '/img/photo.jpg?w=300&f=jxl': /^400 f must be one of auto, webp/,
  }
  for (const [url, reason] of Object.entries(refusals)) assert.match(await signedBy(url), reason, url)
  assert.match(await signedBy('/img/photo.jpg?w=9999'), /\?w=1280&s=/)
  const location = await signedBy('/img/https://other.example.com/photo.jpg?w=10')
  assert.ok(location.startsWith(`${server.url}/i/frameworks/https://other`), location)
})
