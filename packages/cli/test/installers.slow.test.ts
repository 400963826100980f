import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import sharp from 'sharp'

/** The packed npm packages, installed by each package manager into an empty folder: some link packages in place of copying them. */

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** A folder with package managers below node_modules, by the names of the table, which `.ci/run` installs. */
const { TEST_INSTALLERS = '' } = process.env
const programOf = (name: string, path: string): string => join(TEST_INSTALLERS, 'node_modules', name, path)

interface Installer {
  readonly name: string
  /** The command that installs the packages of these paths. */
  command(command: string, server: string): readonly string[]
  /** Files that the project has for it. */
  readonly files?: Readonly<Record<string, string>>
}

const node = process.execPath
const installers: readonly Installer[] = [
  { name: 'npm', command: (...tarballs) => ['npm', 'install', '--no-audit', '--no-fund', ...tarballs] },
  { name: 'pnpm9', command: (...tarballs) => [node, programOf('pnpm9', 'bin/pnpm.cjs'), 'add', ...tarballs] },
  { name: 'pnpm10', command: (...tarballs) => [node, programOf('pnpm10', 'bin/pnpm.cjs'), 'add', ...tarballs] },
  {
    name: 'yarn1',
    command: (...tarballs) => [
      node,
      programOf('yarn1', 'bin/yarn.js'),
      'add',
      '--no-lockfile',
      ...tarballs.map((tarball) => `file:${tarball}`),
    ],
  },
  {
    name: 'yarn4',
    command: (command, server) => [
      node,
      programOf('yarn4', 'bin/yarn.js'),
      'add',
      `pixelmill@file:${command}`,
      `pixelmill-server@file:${server}`,
    ],
    files: { 'yarn.lock': '', '.yarnrc.yml': 'nodeLinker: node-modules\nenableTelemetry: false\n' },
  },
  { name: 'bun', command: (...tarballs) => [programOf('bun', 'bin/bun'), 'add', ...tarballs] },
]

/** A registry does not answer each of a thousand requests. */
async function inThreeTries(work: () => Promise<unknown>): Promise<void> {
  for (let triesLeft = 2; ; triesLeft--) {
    try {
      await work()
      return
    } catch (error) {
      if (triesLeft === 0) throw error
    }
  }
}

/** What a user of the library may write; it has to compile in a strict project. */
const PROGRAM = `import { ImageError, openPixelmill, type ConvertOptions, type Picture, type Recipe } from 'pixelmill'

await using mill = await openPixelmill({ renderers: 1 })
const options: ConvertOptions = { format: 'webp', width: 300 }
const picture: Picture = await mill.convert('photo.jpg', options)
const recipe: Recipe = { steps: [{ resize: { width: 100 } }], outputs: [{ name: 'a', format: 'avif' }, { name: 'b' }] }
const pictures = await mill.render(picture.bytes, { ...recipe, outputs: [{ name: 'a', format: 'avif' }, { name: 'b', format: 'jpeg' }] })
// A text needs a font, which another package has.
await mill.render('photo.jpg', { steps: [{ watermark: { text: 'Sample' } }] })
const code = await mill.convert(new Uint8Array(5)).catch((error) => (error instanceof ImageError ? error.code : 'another'))
// @ts-expect-error: there is no such format
const wrong: ConvertOptions = { format: 'jpg2' }
console.log(picture.format, picture.width, pictures.map(({ format }) => format), code)
`

/** Of all files below a folder. */
async function bytesOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

describe('the packed packages', { concurrency: false }, () => {
  const packFolder = mkdtempSync(join(tmpdir(), 'pixelmill-packed-'))
  after(() => rmSync(packFolder, { recursive: true, force: true }))
  const tarballs: string[] = []
  before(async () => {
    for (const folder of ['packages/cli', 'apps/server']) {
      await run(node, [join(root, 'scripts/pack.ts'), folder], { cwd: root })
      const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', packFolder], {
        cwd: join(root, folder, 'dist'),
      })
      tarballs.push(join(packFolder, stdout.trim()))
    }
  })

  test('the package of the command is light, is a library with types, and says what else to install', async (t) => {
    const folder = await tempFolder(t)
    await writeFile(join(folder, 'package.json'), '{ "name": "project", "private": true, "type": "module" }')
    await cp(join(root, 'examples/photo.jpg'), join(folder, 'photo.jpg'))
    const [tarball = ''] = tarballs
    await inThreeTries(() => run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder }))
    const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as { packages: object }
    assert.ok(Object.keys(lock.packages).length <= 60)
    assert.ok((await bytesOf(join(folder, 'node_modules'))) <= 130_000_000)

    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}`, XDG_STATE_HOME: join(folder, 'state') }
    const pixelmill = join(folder, 'node_modules/.bin/pixelmill')
    const refusal = (...args: readonly string[]) =>
      run(pixelmill, args, { cwd: folder, env }).then(
        () => assert.fail('it did not fail'),
        ({ stderr }: { stderr: string }) => stderr,
      )
    assert.match(await refusal('serve'), /npm install pixelmill-server/)
    assert.match(
      await refusal('convert', 's3://bucket/', '--out', 'out'),
      /npm install @aws-sdk\/client-s3 @aws-sdk\/s3-request-presigner/,
    )

    await writeFile(join(folder, 'program.mts'), PROGRAM)
    const flags = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2024', '--module', 'nodenext', '--ignoreConfig']
    const typeRoots = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    await run(node, [join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...typeRoots, 'program.mts'], { cwd: folder })
    const { stdout, stderr } = await run(node, ['program.mjs'], { cwd: folder, env: {} })
    assert.deepEqual([stdout, stderr], ['webp 300 [ "avif", "jpeg" ] invalid_image_type\n'.replaceAll('"', "'"), ''])
  })

  test('it works beside other versions of the packages that it needs, which npm puts into folders of their own', async (t) => {
    const folder = await tempFolder(t)
    await writeFile(join(folder, 'package.json'), '{ "name": "project", "private": true }')
    await cp(join(root, 'examples/photo.jpg'), join(folder, 'photo.jpg'))
    const [tarball = ''] = tarballs
    await inThreeTries(() => run('npm', ['install', '--no-audit', '--no-fund', 'sharp@0.34.5', tarball], { cwd: folder }))
    assert.ok(existsSync(join(folder, 'node_modules/pixelmill/node_modules/sharp')))
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}`, XDG_STATE_HOME: join(folder, 'state') }
    await run(join(folder, 'node_modules/.bin/pixelmill'), ['convert', 'photo.jpg', '--out', 'photo.webp'], { cwd: folder, env })
    assert.equal((await sharp(join(folder, 'photo.webp')).metadata()).width, 1024)
  })

  for (const { name, command, files } of installers) {
    const isThere = name === 'npm' || (TEST_INSTALLERS !== '' && existsSync(join(TEST_INSTALLERS, 'node_modules', name)))
    test(`installed by ${name}: converts, tells and serves`, {
      skip: (name !== 'npm' && skipByDay) || (!isThere && 'TEST_INSTALLERS does not have it'),
    }, async (t) => {
      const folder = await tempFolder(t)
      await writeFile(join(folder, 'package.json'), '{ "name": "project", "private": true }')
      for (const [path, text] of Object.entries(files ?? {})) await writeFile(join(folder, path), text)
      await cp(join(root, 'examples/photo.jpg'), join(folder, 'photo.jpg'))
      const env = {
        ...process.env,
        PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
        XDG_STATE_HOME: join(folder, 'state'),
      }
      const [pixelmillTarball = '', serverTarball = ''] = tarballs
      const [program = '', ...args] = command(pixelmillTarball, serverTarball)
      await inThreeTries(() => run(program, args, { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 }))
      const pixelmill = join(folder, 'node_modules/.bin/pixelmill')

      await run(pixelmill, ['convert', 'photo.jpg', '--format', 'webp', '--width', '300', '--out', 'out'], { cwd: folder, env })
      const { width, format } = await sharp(join(folder, 'out/photo.webp')).metadata()
      assert.deepEqual([width, format], [300, 'webp'])
      assert.match((await run(pixelmill, ['info', 'photo.jpg'], { cwd: folder, env })).stdout, /width +1024/)

      await mkdir(join(folder, 'data'))
      const server = spawn(pixelmill, ['serve'], { cwd: folder, env: { ...env, DATA_DIR: join(folder, 'data'), PORT: '0' } })
      t.after(() => server.kill('SIGKILL'))
      let output = ''
      for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
      const isReady = async () => {
        const url = /listens on (\S+)/.exec(output)?.[1]
        return url !== undefined && (await fetch(`${url}/readyz`)).ok
      }
      assert.ok(await until(isReady, 60_000), output)
      server.kill('SIGTERM')
      assert.ok(await until(async () => server.exitCode !== null, 60_000), output)
      assert.equal(server.exitCode, 0)
    })
  }
})
