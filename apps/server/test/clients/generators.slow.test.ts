import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { lacks } from '../deploy/files.ts'
import { type SharedServer, shareServer } from '../support/shared-server.ts'

/** Three generators make clients of a running server's OpenAPI document; each converts a picture, without a cast or a patch. */

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')
/** Types that a generated client of the usual parts may have. */
const MOST_MODELS = 70
const MOST_MS = 300_000
const PARTS = 'tags=images,recipes,batch'

const guide = await readFile(join(root, 'docs/clients.md'), 'utf8')
const block = (language: string, has = ''): string =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))]
    .map(([, text = '']) => text)
    .find((text) => text.includes(has)) ?? assert.fail(language)

describe('generated clients', () => {
  let server: SharedServer
  let folder: string
  before(async () => {
    server = await shareServer()
    folder = await mkdtemp(join(tmpdir(), 'generators-'))
    await writeFile(join(folder, 'photo.jpg'), await photo(1_000, 750).jpeg().toBuffer())
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const execute = (file: string, ...args: readonly string[]) =>
    run(file, args, {
      cwd: folder,
      env: { ...process.env, PIXELMILL_URL: server.url, PIXELMILL_KEY: server.key },
    })
  const isConverted = async (name: string) => {
    const image = sharp(join(folder, name))
    const { format, width } = await image.metadata()
    const { channels } = await image.stats()
    assert.deepEqual([format, width], ['heif', 800])
    const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean)
    assert.ok(Math.max(red, green, blue) - Math.min(red, green, blue) < 1, 'it is grey')
  }

  const generator = 'openapi-python-client'
  /** The Python that it is installed for has what its clients import. */
  const python = () =>
    join(dirname(spawnSync('sh', ['-c', `command -v ${generator}`], { encoding: 'utf8' }).stdout.trim()), 'python3')

  test(`${generator}: the guide's lines`, { skip: lacks(generator), timeout: MOST_MS }, async () => {
    await writeFile(join(folder, 'pixelmill.yaml'), block('yaml'))
    await execute('bash', '-ec', block('sh', generator).replace(/^pip .*\n/, ''))
    await execute(python(), '-c', block('python'))
    await isConverted('photo.avif')
    const files = (await readdir(join(folder, 'pixelmill/models'))).map((name) => join(folder, 'pixelmill/models', name))
    const texts = await Promise.all(files.filter((name) => name.endsWith('.py')).map((name) => readFile(name, 'utf8')))
    const models = texts.filter((text) => text.includes('@_attrs_define')).length
    console.log(`${models} models`)
    assert.ok(models > 20 && models <= MOST_MODELS, `${models} models`)
  })

  test(`${generator}: an error is its model`, { skip: lacks(generator), timeout: MOST_MS }, async () => {
    await writeFile(join(folder, 'photo.txt'), 'text')
    const failing = block('python').replaceAll('photo.jpg', 'photo.txt')
    await assert.rejects(execute(python(), '-c', failing), { code: 1, stderr: /^invalid_image_type: / })
  })

  /** By TypeScript's strictest rules, into JavaScript beside it. */
  const compile = (file: string) =>
    execute(
      process.execPath,
      join(root, 'node_modules/typescript/bin/tsc'),
      '--strict',
      '--target',
      'esnext',
      '--module',
      'nodenext',
      '--lib',
      'esnext,dom',
      '--types',
      'node',
      '--ignoreConfig',
      file,
    )

  test('openapi-typescript and openapi-fetch', { timeout: MOST_MS }, async () => {
    await mkdir(join(folder, 'fetch'))
    await symlink(join(root, 'clients/typescript/node_modules'), join(folder, 'fetch/node_modules'))
    const dashboard = join(root, 'apps/dashboard/node_modules')
    await writeFile(join(folder, 'fetch/generate.ts'), GENERATE.replaceAll('DASHBOARD', dashboard))
    await execute(process.execPath, 'fetch/generate.ts', `${server.url}/openapi.json?${PARTS}`)
    await writeFile(join(folder, 'fetch/main.ts'), WITH_FETCH)
    await compile('fetch/main.ts')
    await execute(process.execPath, 'fetch/main.js')
    await isConverted('by-fetch.avif')
  })

  test('@hey-api/openapi-ts', { timeout: MOST_MS }, async () => {
    const heyApi = join(root, 'clients/typescript/node_modules/@hey-api/openapi-ts/bin/run.js')
    const options = [
      '-i',
      `${server.url}/openapi.json?${PARTS}`,
      '-o',
      'hey',
      '-c',
      '@hey-api/client-fetch',
      '--silent',
      '--no-log-file',
    ]
    await execute(process.execPath, heyApi, ...options)
    await writeFile(join(folder, 'main.ts'), WITH_HEY_API)
    await compile('main.ts')
    await execute(process.execPath, 'main.js')
    await isConverted('by-hey-api.avif')
  })
})

/** As https://openapi-ts.dev/node has it. */
const GENERATE = `
import { writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'DASHBOARD/openapi-typescript/dist/index.mjs'
import ts from 'DASHBOARD/typescript/lib/typescript.js'

const BLOB = ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob'))
const transform = (schema) => (schema.format === 'binary' ? BLOB : undefined)
writeFileSync('fetch/schema.d.ts', astToString(await openapiTS(new URL(process.argv[2]), { transform })))
`

const WITH_FETCH = `
import { readFile, writeFile } from 'node:fs/promises'
import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'

const headers = { Authorization: \`Bearer \${process.env.PIXELMILL_KEY}\` }
const client = createClient<paths>({ baseUrl: process.env.PIXELMILL_URL ?? '', headers })
const { data, error } = await client.POST('/api/v1/convert', {
  body: { image: new Blob([await readFile('photo.jpg')]), format: 'avif', width: 800, grayscale: true },
  bodySerializer(body) {
    const form = new FormData()
    for (const [name, value] of Object.entries(body)) form.set(name, value instanceof Blob ? value : String(value))
    return form
  },
  parseAs: 'blob',
})
if (error) throw new Error(error.message)
await writeFile('by-fetch.avif', data.stream())
`

const WITH_HEY_API = `
import { readFile, writeFile } from 'node:fs/promises'
import { client } from './hey/client.gen.js'
import { convert } from './hey/index.js'

client.setConfig({ baseUrl: process.env.PIXELMILL_URL ?? '', auth: process.env.PIXELMILL_KEY ?? '' })
const { data, error } = await convert({
  body: { image: new Blob([await readFile('photo.jpg')]), format: 'avif', width: 800, grayscale: true },
})
if (error) throw new Error(error.message)
await writeFile('by-hey-api.avif', data.stream())
`
