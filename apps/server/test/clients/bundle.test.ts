import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { build, type Rolldown } from 'vite'
import { noBrowser, openBrowser } from '../support/browser.ts'
import { type SharedServer, shareServer } from '../support/shared-server.ts'

/** The client as a browser has it: one file, whose size is limited. */

const MOST_GZIP = 8 * 1024
const PATIENCE_MS = 60_000
const sources = join(import.meta.dirname, '../../../../clients/typescript/src')
let code: string
let server: SharedServer
before(async () => {
  code = await bundleOf('index.ts')
  server = await shareServer()
})
after(() => server[Symbol.asyncDispose]())

async function bundleOf(file: string): Promise<string> {
  const madeOutput = await build({
    configFile: false,
    logLevel: 'error',
    root: sources,
    build: { lib: { entry: join(sources, file), formats: ['es'] }, minify: true, write: false },
  })
  const [output] = [madeOutput].flat() as readonly Rolldown.RolldownOutput[]
  return output?.output[0].code ?? assert.fail()
}

const NEEDS_NODE = /\bimport\s*[("'{*]|\brequire\(|\bprocess\.|\bBuffer\b/

test('the bundle has at most 8 KB with gzip, and imports nothing', () => {
  const bytes = gzipSync(code, { level: 9 }).length
  console.log(`client: ${code.length} bytes, ${bytes} with gzip`)
  assert.ok(bytes <= MOST_GZIP, `${bytes} bytes`)
  assert.doesNotMatch(code, NEEDS_NODE)
})

for (const framework of ['next', 'nuxt', 'unpic'])
  test(`what browsers load for ${framework} is small, imports nothing and cannot sign`, async () => {
    const bundle = await bundleOf(`frameworks/${framework}.ts`)
    assert.ok(bundle.length <= 2000, `${bundle.length} bytes`)
    assert.doesNotMatch(bundle, NEEDS_NODE)
    assert.doesNotMatch(bundle, /sha256|HMAC/)
  })

test('Chromium converts a picture, makes several, waits for a batch and signs', {
  skip: noBrowser,
  timeout: 2 * PATIENCE_MS,
}, async () => {
  const browser = await openBrowser()
  try {
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    // A page of the server's own origin that may load the bundle.
    await page.route('**/client.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
    await page.route('**/client.js', (route) => route.fulfill({ contentType: 'text/javascript', body: code }))
    await page.goto(`${server.url}/client.html`)
    const picture = (await photo(300, 200).jpeg().toBuffer()).toString('base64')
    const seenTexts = await page.evaluate(
      async ({ path, key, picture }) => {
        const { Pixelmill, signUrl } = (await import(path)) as typeof import('pixelmill-client/src/index')
        const pixelmill = new Pixelmill({ key })
        const file = new File([Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))], 'photo.jpg')
        const { width, format } = await pixelmill.convert(file, { format: 'webp', width: 60 })
        const outputs = [{ name: 'a' }, { name: 'b', format: 'png' as const }]
        const several = await pixelmill.images(file.stream(), { outputs })
        const batch = await pixelmill.batch({ 'photo.jpg': file }).wait()
        const [first, second] = await batch.download()
        const url = await signUrl('/i/shop/photo.jpg', 'c2VjcmV0')
        const upload = await pixelmill.send('/api/v3/uploads', { method: 'PUT', body: 'text' })
        const { handle } = (await upload.json()) as { readonly handle: string }
        const { status } = await pixelmill.send(`/api/v3/uploads/${handle}`, { method: 'DELETE' })
        const formats = several.map((each) => each.format)
        return [width, format, formats, String.fromCharCode(first ?? 0, second ?? 0), url.length, status]
      },
      { path: '/client.js', key: server.key, picture },
    )
    assert.deepEqual(seenTexts, [60, 'webp', ['jpeg', 'png'], 'PK', '/i/shop/photo.jpg?s='.length + 22, 204])
  } finally {
    await browser.close()
  }
})
