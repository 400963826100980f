import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { times } from '@pixelmill/codecs/test/support/at-night'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { makeAccount, makeLogin, openServerDatabase } from '../support/accounts.ts'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { getUrl, saveSource, type TestSource } from '../support/delivery.ts'
import { send } from '../support/json-call.ts'
import { type Listener, listen } from '../support/listener.ts'
import { type Server, startServer } from '../support/server.ts'
import { noNginx, startPlainNginx } from './plain-nginx.ts'

/** A static page of responsive images, delivered behind nginx: in Chromium, as its visitors see it. */

const IMAGES = times({ seldom: 20, often: 60 })
const WIDTHS = [320, 640, 960]
/** Screens, and the width of the image that each chooses. */
const SCREENS = [
  { width: 320, height: 640, deviceScaleFactor: 1, chooses: 320 },
  { width: 320, height: 640, deviceScaleFactor: 2, chooses: 640 },
  { width: 900, height: 700, deviceScaleFactor: 1, chooses: 960 },
]
/** A folder of photographs in place of drawn ones. */
const { PAGE_PHOTOS } = process.env

describe(`a page of ${IMAGES} images by URL`, { skip: noBrowser || noNginx }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'))
  let originals: readonly Buffer[]
  let askedCount = 0
  let origin: Listener
  let server: Server
  let source: TestSource
  /** Lets all that was delivered be older than the source's maximum age. */
  let expire: () => Promise<void>
  let front: Awaited<ReturnType<typeof startPlainNginx>>
  let browser: Browser
  before(async () => {
    originals = await photographs()
    origin = await listen((request, response) => {
      askedCount++
      const bytes = originals[Number(/(\d+)\.jpg$/.exec(request.url ?? '')?.[1])]
      if (bytes) response.writeHead(200, { etag: `"${bytes.length}"` }).end(bytes)
      else response.writeHead(404).end()
    })
    server = await startServer({ EGRESS_ALLOW: '127.0.0.1', TRUSTED_PROXIES: 'loopback' })
    const database = await openServerDatabase(server.dir)
    const token = await makeLogin(database, (await makeAccount(database, 'team')).id)
    await database.close()
    const place = { type: 'web', baseUrl: origin.url }
    source = await saveSource(server.url, token, 'page', { ...place, maxAgeSeconds: 86_400 })
    expire = async () => {
      const body = { ...place, maxAgeSeconds: 1 }
      assert.equal((await send(server.url, 'PUT /api/user/sources/page', { token, body })).status, 200)
    }
    writeFileSync(join(folder, 'index.html'), pageOf(source))
    // The workers of nginx are not root, where it is.
    chmodSync(folder, 0o755)
    const proxy = `proxy_pass ${server.url}; proxy_http_version 1.1; proxy_set_header Connection "";`
    front = await startPlainNginx(`location / { root ${folder}; } location /i/ { ${proxy} }`)
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await front?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
    await origin?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  /** What a visitor with an empty cache gets. */
  async function visit({ chooses, deviceScaleFactor, ...viewport }: (typeof SCREENS)[number]) {
    const context = await browser.newContext({ viewport, deviceScaleFactor })
    const page = await context.newPage()
    const answers: { status: number; cache: string | undefined; type: string | undefined }[] = []
    page.on('response', (response) => {
      const headers = response.headers()
      if (response.url().includes('/i/'))
        answers.push({ status: response.status(), cache: headers['x-cache'], type: headers['content-type'] })
    })
    await page.goto(front.url, { waitUntil: 'load', timeout: 120_000 })
    const shownValues = await page.$$eval('img', (images) =>
      images.map((image) => ({ width: image.naturalWidth, isThere: image.complete, src: image.currentSrc })),
    )
    await context.close()
    assert.equal(shownValues.length, IMAGES)
    for (const { width, isThere, src } of shownValues) {
      assert.ok(isThere && width > 0 && src.includes(`w=${chooses}&`), src)
    }
    assert.equal(
      (await sharp((await getUrl(shownValues[0]?.src ?? '', { accept: 'image/avif' })).bytes).metadata()).width,
      chooses,
    )
    return answers
  }
  const countedAnswers = (answers: Awaited<ReturnType<typeof visit>>) =>
    Object.fromEntries(
      Map.groupBy(answers, ({ status, cache, type }) => `${status} ${cache} ${type}`)
        .entries()
        .map(([what, all]) => [what, all.length]),
    )

  test('loads with the right formats and sizes, again from the cache, and with the origin stopped', async (t) => {
    for (const screen of SCREENS) assert.deepEqual(countedAnswers(await visit(screen)), { '200 miss image/avif': IMAGES })
    assert.equal(askedCount, SCREENS.length * IMAGES)
    for (const screen of SCREENS) assert.deepEqual(countedAnswers(await visit(screen)), { '200 hit image/avif': IMAGES })
    assert.equal(askedCount, SCREENS.length * IMAGES)
    t.diagnostic(`${askedCount} originals read for ${2 * SCREENS.length * IMAGES} answers`)

    await origin[Symbol.asyncDispose]()
    for (const screen of SCREENS) assert.deepEqual(countedAnswers(await visit(screen)), { '200 hit image/avif': IMAGES })
    await expire()
    const isStale = async () => (await source.get(`0.jpg?w=${WIDTHS[0]}&f=auto`, { accept: 'image/avif' })).cache === 'stale'
    assert.ok(await until(isStale))
    for (const screen of SCREENS) assert.deepEqual(countedAnswers(await visit(screen)), { '200 stale image/avif': IMAGES })
  })
})

async function photographs(): Promise<readonly Buffer[]> {
  if (PAGE_PHOTOS === undefined)
    return Promise.all(Array.from({ length: IMAGES }, () => photo(1_200, 800).jpeg({ quality: 85 }).toBuffer()))
  const files = readdirSync(PAGE_PHOTOS).filter((name) => /\.jpe?g$/i.test(name))
  assert.ok(files.length >= IMAGES, `${PAGE_PHOTOS} has ${files.length} photographs`)
  return files.slice(0, IMAGES).map((name) => readFileSync(join(PAGE_PHOTOS, name)))
}

function pageOf(source: TestSource): string {
  const images = Array.from({ length: IMAGES }, (_, n) => {
    const url = (width: number) => source.sign(`${n}.jpg?w=${width}&f=auto`).replaceAll('&', '&amp;')
    const srcset = WIDTHS.map((width) => `${url(width)} ${width}w`).join(', ')
    return `<img alt="" sizes="100vw" srcset="${srcset}" src="${url(WIDTHS[0] ?? 0)}">`
  })
  return `<!doctype html><meta charset="utf-8"><title>Images</title>${images.join('\n')}`
}
