import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { signUrl } from 'pixelmill-client/src/index'
import sharp from 'sharp'
import { lacks } from '../deploy/files.ts'
import { type SharedServer, shareServer } from '../support/shared-server.ts'

/** The npm package of client/, packed and installed into an empty folder: its README's lines, on the Node that npm has too. */

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')
let server: SharedServer
/** All that the tests write. */
let scratch: string
/** Where the package is installed. */
let folder: string
before(async () => {
  server = await shareServer()
  scratch = await mkdtemp(join(tmpdir(), 'client-package-'))
  const packedText = join(scratch, 'packed')
  folder = join(scratch, 'installed')
  await Promise.all([mkdir(packedText), mkdir(folder)])
  await run('npm', ['pack', '--silent', '--pack-destination', packedText], { cwd: join(root, 'clients/typescript') })
  const [file = ''] = await readdir(packedText)
  assert.match(file, /^pixelmill-client-\d+\.\d+\.\d+(-rc\.\d+)?\.tgz$/)
  await writeFile(join(folder, 'package.json'), '{}')
  await run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', join(packedText, file)], { cwd: folder })
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(scratch, { recursive: true })
})

test('the package has its code, its types, its licence and its README, and no dependency', async () => {
  const inside = join(folder, 'node_modules/pixelmill-client')
  const files = await readdir(inside)
  assert.deepEqual(files.sort(), ['LICENSE', 'README.md', 'dist', 'package.json'])
  const { dependencies } = JSON.parse(await readFile(join(inside, 'package.json'), 'utf8')) as { dependencies?: object }
  assert.equal(dependencies, undefined)
  const code = await Promise.all(
    (await readdir(join(inside, 'dist'), { recursive: true }))
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFile(join(inside, 'dist', name), 'utf8')),
  )
  for (const text of code)
    assert.doesNotMatch(text, /from '(?!\.\.?\/[\w-]+\.js'|node:crypto')/, 'strict modules: relative paths with extensions')
  assert.deepEqual(await readdir(join(folder, 'node_modules')), ['.package-lock.json', 'pixelmill-client'])
})

async function runReadme(program: string, ...args: readonly string[]): Promise<void> {
  const text = await readFile(join(folder, 'node_modules/pixelmill-client/README.md'), 'utf8')
  await writeFile(join(folder, 'main.mjs'), [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code).join('\n'))
  await writeFile(join(folder, 'photo.jpg'), await photo(300, 200).jpeg().toBuffer())
  const env = { ...process.env, PIXELMILL_URL: server.url, PIXELMILL_KEY: server.key, SOURCE_SECRET: 'c2VjcmV0' }
  const { stdout } = await run(program, [...args, 'main.mjs'], { cwd: folder, env })
  assert.match(stdout, /^300 image\/jpeg\n/)
  assert.equal((await sharp(join(folder, 'photo.avif')).metadata()).width, 800)
}

test("the README's lines run by the first Node of the path, and by the server's", async () => {
  for (const node of ['node', process.execPath]) await runReadme(node)
})

test("the README's lines run in Deno", { skip: lacks('deno') }, () =>
  runReadme(
    'deno',
    'run',
    '--cached-only',
    '--no-prompt',
    '--allow-env',
    '--allow-net=127.0.0.1',
    '--allow-read=.',
    '--allow-write=.',
  ),
)

test('what docs/frameworks.md imports is in the package, and its page in plain HTML has the signed URLs', async () => {
  const page = await readFile(join(root, 'docs/frameworks.md'), 'utf8')
  const imports = [...page.matchAll(/^import \{ [^}]+ \} from 'pixelmill-client\/[^']+'$/gm)].map(([line]) => line)
  const defaults = [...page.matchAll(/(?:provider|entrypoint): ('pixelmill-client\/\w+')/g)].map(
    ([, from]) => `import each from ${from}`,
  )
  assert.deepEqual([imports.length, defaults.length], [7, 2])
  // A name that a module lacks is an error before anything runs.
  for (const line of [...imports, ...defaults])
    await run(process.execPath, ['--input-type=module', '--eval', line], { cwd: folder })

  const forBrowsers = ['--conditions=browser', '--input-type=module', '--eval']
  const signing = run(process.execPath, [...forBrowsers, "import { signedUrls } from 'pixelmill-client/server'"], { cwd: folder })
  await assert.rejects(signing, /does not provide an export named 'signedUrls'/)

  const [, plain = ''] = page.split('## Plain HTML')
  const [, program = assert.fail('no program')] = /```js\n([\s\S]*?)```/.exec(plain) ?? []
  await writeFile(join(folder, 'page.mjs'), program)
  const env = { ...process.env, PIXELMILL_URL: 'https://images.example.com', PIXELMILL_SECRET: 'c2VjcmV0' }
  const { stdout } = await run(process.execPath, ['page.mjs'], { cwd: folder, env })
  const url = await signUrl('https://images.example.com/i/shop/photo.jpg?w=640', 'c2VjcmV0')
  assert.ok(stdout.startsWith(`<img src="${url}" srcset="`) && stdout.includes(`, ${url} 640w, `), stdout)
})

test('its types hold in a strict program', async () => {
  await writeFile(
    join(folder, 'program.mts'),
    `import { Pixelmill, type Picture, type Recipe } from 'pixelmill-client'
import astro from 'pixelmill-client/astro'
import { nextLoader, routeUrls } from 'pixelmill-client/next'
import nuxt from 'pixelmill-client/nuxt'
import { signedUrls, signingRoute } from 'pixelmill-client/server'
import { unpicTransformer } from 'pixelmill-client/unpic'
export const GET = signingRoute({ route: '/img', urls: signedUrls({ url: 'http://127.0.0.1', source: 'shop', secret: 'c2VjcmV0' }) })
export const all = [astro.getSrcSet, nextLoader(routeUrls({ route: '/img' })), nuxt().getImage, unpicTransformer]
const recipe: Recipe = { outputs: [{ name: 'a', format: 'avif', steps: [{ resize: { width: 10 } }] }] }
const pixelmill = new Pixelmill({ url: 'http://127.0.0.1', key: 'sk_' })
export const pictures: Promise<readonly Picture[]> = pixelmill.images(new Uint8Array(1), recipe)
// @ts-expect-error: there is no such format
export const wrong = pixelmill.convert(new Uint8Array(1), { format: 'jpg2' })
`,
  )
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['--strict', '--noEmit', '--target', 'esnext', '--module', 'nodenext', '--lib', 'esnext,dom', '--ignoreConfig']
  await run(process.execPath, [tsc, ...flags, 'program.mts'], { cwd: folder })
})
