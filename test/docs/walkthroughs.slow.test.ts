import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { LLMock } from '@copilotkit/aimock'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import { providerFaults } from 'pixelmill-server/contract/provider-faults'
import { imgproxySignature } from 'pixelmill-server/delivery/imgproxy/address'
import { makeAccount, makeLogin, openServerDatabase } from 'pixelmill-server/test/support/accounts'
import { getUrl, saveSource } from 'pixelmill-server/test/support/delivery'
import { send } from 'pixelmill-server/test/support/json-call'
import { listen } from 'pixelmill-server/test/support/listener'
import { type Server, startServer } from 'pixelmill-server/test/support/server'
import { blocksOf, runPage, skipWithoutCurl as skip } from 'pixelmill-server/test/support/shell-page'
import { zipFile } from 'pixelmill-server/test/support/zip'
import sharp from 'sharp'

/** Guides that are followed line by line, on one server with the settings that they ask for. */

const ROOT = join(import.meta.dirname, '../..')
const password = 'printed at the first start'

let server: Server
let model: LLMock
/** The port of the receiver of webhooks. */
let receiverPort: number
before(async () => {
  if (skip) return
  model = new LLMock({ port: 0 })
  await model.start()
  const { port, ...taken } = await listen(() => {})
  receiverPort = port
  await taken[Symbol.asyncDispose]()
  server = await startServer({
    ADMIN_PASSWORD: password,
    BURST_PER_MINUTE: '30',
    RENDERERS: '1',
    DELIVERY_FOLDERS: join(ROOT, 'examples'),
    DELIVERY_DIALECTS: 'imgix,cloudinary,imgproxy',
    DELIVERY_OPEN_SOURCES: 'shop,demo',
    IMGPROXY_KEY: '00',
    IMGPROXY_SALT: '00',
    IMGPROXY_LOCAL_FILESYSTEM_ROOT: join(ROOT, 'examples'),
    AI_BASE_URL: `${model.url}/v1`,
    AI_MODEL: 'qwen2.5vl:3b',
    AI_KEY_ENCRYPTION_SECRET: 'a secret for tests only',
    EGRESS_ALLOW: '127.0.0.1',
  })
})
after(async () => {
  await server?.[Symbol.asyncDispose]()
  await model?.stop()
})

test('every line of docs/accounts.md works as it stands, from sign-up to the audit log', { skip }, async (t) => {
  const folder = await tempFolder(t)
  await symlink(join(ROOT, 'examples'), join(folder, 'examples'))
  const outputOf = await runPage('docs/accounts.md', { URL: server.url, ADMIN_PASSWORD: password }, folder)

  assert.match(outputOf('$URL/api/user\n'), /"email":"ada@example.com","name":"Ada","role":"user","plan":"free","credits":0/)
  assert.match(outputOf('photo.jpg $URL'), /"statusMessage":"api_access_not_available"/)
  assert.match(outputOf('/credits --json'), /"credits":100,"balance":100,"note":"welcome"/)
  assert.match(outputOf('-o photo.webp'), /^HTTP\/1.1 200 OK[\s\S]*x-credits-remaining: 99\r\n/)
  const image = await readFile(join(folder, 'photo.webp'))
  assert.equal(image.toString('latin1', 8, 12), 'WEBP')
  // A busy machine may take more than the page's second to list the call.
  assert.match(outputOf('/api/v2/usage'), /"calls":\{"by":"credits","limit":100,"used":[01],"remaining":99\}/)
  assert.match(outputOf('/api/v2/usage'), /"balance":99[\s\S]*"kind":"call","credits":-1,"balance":99/)
  assert.match(outputOf('/api/auth/sign-out'), /"signedOut":1/)
  assert.match(outputOf('-X DELETE'), /"name":"laptop"[\s\S]*"deleted":true/)
  assert.match(outputOf('/api/user/sessions'), /"current":true,"from":"curl\/[\s\S]*"signedOut":0/)
  assert.match(outputOf('"here for a moment"'), /"deleted":true/)
  assert.match(outputOf('"plan":"team"'), /"plan":"team"[\s\S]*"disabled":true[\s\S]*"disabled":false/)
  const log = outputOf('/api/admin/audit')
  for (const action of ['credits_granted', 'plan_changed', 'password_set', 'disabled_changed'])
    assert.ok(log.includes(action), action)
})

test('the commands of docs/recipes.md run as they are written: a call, a preset and a batch', { skip }, async (t) => {
  const folder = await tempFolder(t)
  await symlink(join(ROOT, 'examples'), join(folder, 'examples'))
  const [recipe = ''] = await blocksOf('docs/recipes.md', 'json')
  await writeFile(join(folder, 'shop.json'), recipe)
  const photo = await readFile(join(ROOT, 'examples/photo.jpg'))
  await writeFile(join(folder, 'photos.zip'), zipFile([{ name: 'photo.jpg', data: photo }]))
  const database = await openServerDatabase(server.dir)
  const { id, key } = await makeAccount(database, 'team')
  const env = { URL: server.url, KEY: key, TOKEN: await makeLogin(database, id) }
  await database.close()
  const outputOf = await runPage('docs/recipes.md', env, folder)

  const listing = outputOf('unzip -l')
  for (const file of ['manifest.json', 'hero.avif', 'thumb.webp', 'card.jpg']) assert.ok(listing.includes(file), file)
  assert.match(outputOf('/api/user/presets/shop'), /"name":"shop","recipe":\{"steps":\[\{"trim"/)
  assert.match(outputOf('name=Shop'), /"name":"Shop","status":"(?:queued|processing)"[\s\S]*"total":3/)
  const zip = (await readFile(join(folder, 'shop.zip'))).toString('latin1')
  assert.ok(zip.includes('hero.jpg'), 'without Accept, auto is the format of the source')
})

test('every line of docs/ai.md works as it stands, with a model that is played', { skip }, async (t) => {
  const folder = await tempFolder(t)
  await symlink(join(ROOT, 'examples'), join(folder, 'examples'))
  // What a model says, as the page names it.
  model.loadFixtureFile(join(import.meta.dirname, 'ai-fixtures.json'))
  const env = { URL: server.url, KEY: server.key, ADMIN_PASSWORD: password, OWN: `${model.url}/v1` }
  const outputOf = await runPage('docs/ai.md', env, folder)

  assert.match(outputOf('"language": "de"'), /"altText":"A lighthouse\."[\s\S]*"provider":"platform"/)
  assert.match(outputOf('IMG_4711.JPG'), /"newName":"shop-white-lighthouse-01\.jpg"/)
  assert.match(outputOf('instagram-square'), /"description":"a lighthouse"[\s\S]*"crop":\{"x":\d+/)
  assert.match(outputOf('"useCase": "web"'), /"candidates":\[\{"format":"\w+"[\s\S]*It is a photograph\./)
  assert.match(outputOf('"mode": "upscale"'), /"enhanced":\{"width":2048,"height":1536[\s\S]*"model":"local"/)
  assert.match(outputOf('"apiKey": "ollama"'), /"altText":"A lighthouse\."[\s\S]*"provider":"byok"/)
  assert.match(outputOf('-X PUT'), /"apiKey":"sk-pro\*{8}cdef"/)
  const answer = outputOf('"useAccountKey": true')
  assert.match(answer, /"altText":"A lighthouse\."[\s\S]*"provider":"byok"[\s\S]*"deleted":true/)
})

test('each line of docs/from-elsewhere.md runs, and the URLs on the left give pictures of the same size', { skip }, async (t) => {
  const page = await readFile(join(ROOT, 'docs/from-elsewhere.md'), 'utf8')
  const rows = page.split('\n').flatMap((line) => {
    const [, left = '', right = ''] = /^\| (.+?) \| `(.+)` \|$/.exec(line) ?? []
    return right === '' ? [] : [{ left, right }]
  })
  const linesOf = (command: string) => rows.map(({ right }) => right).filter((line) => line.startsWith(`${command} `))
  const urls = rows.filter(({ right }) => right.startsWith('/'))
  assert.deepEqual([linesOf('pixelmill').length, linesOf('curl').length, urls.length], [9, 13, 18])

  const folder = await tempFolder(t)
  await cp(join(ROOT, 'examples'), folder, { recursive: true })
  await mkdir(join(folder, 'photos'))
  await Promise.all(['a.jpg', 'b.png'].map((name) => photo(600, 400).toFile(join(folder, 'photos', name))))
  await writeFile(join(folder, 'photos.zip'), zipFile([{ name: 'a.jpg', data: await photo(60, 40).jpeg().toBuffer() }]))
  await writeFile(join(folder, '.curlrc'), 'fail\nsilent\nshow-error\n')
  const program = join(folder, 'pixelmill')
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/pixelmill.mjs')}" "$@"\n`)
  await chmod(program, 0o755)
  await using pictures = await listen((_, response) => void createReadStream(join(folder, 'photo.jpg')).pipe(response))
  model.loadFixtureFile(join(import.meta.dirname, 'ai-fixtures.json'))

  const database = await openServerDatabase(server.dir)
  const { id, key } = await makeAccount(database, 'team')
  await database.pool.query(`update account set role = 'admin' where id = $1`, [id])
  const token = await makeLogin(database, id)
  await database.close()
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder, URL: server.url, KEY: key }
  const runLines = async (lines: readonly string[]) => {
    const [settings = ''] = await blocksOf('docs/from-elsewhere.md', 'sh')
    const script = [settings, ...lines].join('\n').replace('https://example.com/', `http://127.0.0.1:${pictures.port}/`)
    await promisify(execFile)('bash', ['-ec', script], { cwd: folder, env })
  }
  const source = await saveSource(server.url, token, 'shop', { type: 'folder', path: join(ROOT, 'examples') })
  const recipe = { outputs: [{ steps: [{ resize: { width: 240 } }] }] }
  assert.equal((await send(server.url, 'PUT /api/user/presets/card', { token, body: { recipe } })).status, 200)
  await Promise.all([runLines(linesOf('pixelmill')), runLines(linesOf('curl'))])

  for (const [file, width] of Object.entries({ 'small.webp': 800, 'square.jpg': 300, 'photo.webp': 800, 'half/a.jpg': 600 }))
    assert.equal((await sharp(join(folder, file)).metadata()).width, width, file)
  for (const { left, right } of urls) {
    const [, there = ''] = /^`(.+)`$/.exec(left) ?? []
    const here = await source.get(right.replace('/i/shop/', ''))
    assert.equal(here.status, 200, `${right} ${here.error?.message}`)
    const foreign = foreignUrl(there)
    if (foreign === undefined) continue
    const answer = await getUrl(server.url + foreign)
    assert.equal(answer.status, 200, `${there} ${answer.error?.message}`)
    assert.deepEqual(await sizeOf(answer.bytes), await sizeOf(here.bytes), there)
  }
})

test('each line of docs/shop.md runs, and its five tasks give what they say', { skip }, async (t) => {
  const folder = await tempFolder(t)
  for (const name of ['photos', 'pages']) await mkdir(join(folder, name))
  await cp(join(ROOT, 'examples/photo.jpg'), join(folder, 'photos/photo.jpg'))
  await symlink(join(ROOT, 'bin/pixelmill.mjs'), join(folder, 'pixelmill'))
  const [sizes = ''] = await blocksOf('docs/shop.md', 'json')
  await writeFile(join(folder, 'sizes.json'), sizes)
  model.loadFixtureFile(join(import.meta.dirname, 'ai-fixtures.json'))
  await using pictures = await listen((_, response) => void createReadStream(join(folder, 'photos/photo.jpg')).pipe(response))
  const origin = `http://127.0.0.1:${pictures.port}/`
  const elementOf = (transformation: string) =>
    `<img src="https://res.cloudinary.com/demo/image/fetch/${transformation}/${origin}a.jpg">`
  await writeFile(join(folder, 'pages/index.html'), `${elementOf('c_fill,g_auto,h_90,w_90')}\n${elementOf('e_cartoonify')}\n`)

  await saveSource(server.url, server.key, 'private', { type: 'folder', path: join(ROOT, 'examples') })
  const PATH = `${folder}:${dirname(process.execPath)}:${process.env.PATH}`
  const env = { PATH, HOME: folder, URL: server.url, KEY: server.key, ORIGIN: origin }
  const outputOf = await runPage('docs/shop.md', env, folder)

  const site = await readFile(join(folder, 'site/index.html'), 'utf8')
  assert.match(site, /^<!doctype html>.*\n<picture>\n {2}<source type="image\/avif" srcset="\/img\/photo-320\.avif 320w, /)
  assert.deepEqual(await sizeOf(await readFile(join(folder, 'web/photo.webp'))), [1024, 768, 'webp'])
  assert.match(outputOf('sizes.zip'), /"altText": "A lighthouse\."/)
  assert.deepEqual(await sizeOf(await readFile(join(folder, 'private.avif'))), [800, 600, 'heif'])
  assert.match(outputOf('grep -rohE'), /^400 \S+\/e_cartoonify\/\S+\n$/)
  const [, address = ''] = /src="(.+)"/.exec(await readFile(join(folder, 'pages/index.html'), 'utf8')) ?? []
  assert.deepEqual(await sizeOf((await getUrl(address)).bytes), [90, 90, 'jpeg'])
})

/** A URL of the page as the server answers it; undefined for those of next/image, which has no dialect. */
function foreignUrl(url: string): string | undefined {
  if (url.startsWith('/_next/')) return undefined
  if (url.startsWith('/photo.jpg')) return `/imgix/shop${url}`
  if (url.startsWith('/shop/')) return url
  const zero = Buffer.from([0])
  return `/${imgproxySignature(url, { key: zero, salt: zero })}${url}`
}

async function sizeOf(bytes: Buffer): Promise<readonly unknown[]> {
  const { width, height, format } = await sharp(bytes).metadata()
  return [width, height, format]
}

test('docs/ai.md has every kind of failure', async () => {
  const page = await readFile(join(ROOT, 'docs/ai.md'), 'utf8')
  for (const kind of providerFaults) assert.ok(page.includes(`| \`${kind}\` |`), kind)
})

test('every line of docs/webhooks.md works as it stands, from a batch to its event', { skip }, async (t) => {
  const [scripts, programs] = await Promise.all(['sh', 'js'].map((language) => blocksOf('docs/webhooks.md', language)))
  const scriptWith = (text: string): string =>
    scripts?.find((block) => block.includes(text)) ?? assert.fail(`no block has ${text}`)
  const folder = await tempFolder(t)
  // The page has one fixed port; a test takes a free one.
  const own = (text: string) => text.replaceAll('8080', String(receiverPort))
  await writeFile(join(folder, 'receiver.mjs'), programs?.map(own).join('\n') ?? '')
  const image = await solid(8, 8, '#123456').png().toBuffer()
  await writeFile(join(folder, 'images.zip'), zipFile([{ name: 'a.png', data: image }]))
  assert.match(scriptWith('npm start'), /^EGRESS_ALLOW=127\.0\.0\.1:8080 npm start\n$/)
  const database = await openServerDatabase(server.dir)
  await using _ = { [Symbol.asyncDispose]: () => database.close() }
  const { id, key } = await makeAccount(database, 'team')
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const env = { PATH, URL: server.url, TOKEN: await makeLogin(database, id), KEY: key }
  const script = `set -e\n${scriptWith('node receiver.mjs')}\nwait`
  const shell = spawn('bash', ['-c', script], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => shell.pid && process.kill(-shell.pid, 'SIGKILL'))
  let output = ''
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const refusesStrangers = () =>
    fetch(`http://127.0.0.1:${receiverPort}/`).then(
      ({ status }) => status === 401,
      () => false,
    )
  assert.ok(await until(refusesStrangers, 30_000), 'the receiver listens')

  const run = async (block: string) => (await promisify(execFile)('bash', ['-ec', own(block)], { cwd: folder, env })).stdout
  const { id: batch } = JSON.parse(await run(scriptWith('webhook_url')))
  // Batches are rendered when nothing else wants the processor, and other tests may: this one ends in any case.
  await database.pool.query(`select fail_batches(array[$1::uuid], 'stale', 'ended by a test', 86400)`, [batch])
  const line = new RegExp(`^batch\\.(completed|failed) ${batch}$`, 'm')
  assert.ok(await until(async () => line.test(output), 30_000), output)
  const list = scriptWith('webhook-deliveries?limit')
  assert.ok(await until(async () => /"status":"delivered"/.test(await run(list))))
})
