import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { lacks } from '../deploy/files.ts'
import { type SharedServer, shareServer } from '../support/shared-server.ts'

/** The lines of docs/clients.md, and of oapi-codegen.md here, make clients in Go and Java of a running server's OpenAPI document, compile them and convert a picture. */

const run = promisify(execFile)
const guide = await readFile(join(import.meta.dirname, '../../../../docs/clients.md'), 'utf8')
const oapi = await readFile(join(import.meta.dirname, 'oapi-codegen.md'), 'utf8')
const block = (language: string, has: string): string =>
  [...(guide + oapi).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))]
    .map(([, text = '']) => text)
    .find((text) => text.includes(has)) ?? assert.fail(has)

/** Where .ci/run puts the generators and what their clients need. */
const { TEST_CLIENT_GENERATORS: generators = '' } = process.env
const MOST_MS = 300_000
/** The start of a short command takes most of its time. */
const QUICK_JAVA = '-XX:+UseSerialGC -XX:TieredStopAtLevel=1'

const isMissing = (...programs: readonly string[]) =>
  generators === '' ? 'TEST_CLIENT_GENERATORS is not set' : (programs.map(lacks).find(Boolean) ?? false)

describe('generated clients', () => {
  let server: SharedServer
  let folder: string
  before(async () => {
    server = await shareServer()
    folder = await mkdtemp(join(tmpdir(), 'go-and-java-'))
    await mkdir(join(folder, 'bin'))
    const command = `#!/bin/sh\nexec java ${QUICK_JAVA} -jar "${generators}/openapi-generator-cli.jar" "$@"\n`
    await writeFile(join(folder, 'bin/openapi-generator-cli'), command, { mode: 0o755 })
  })
  after(async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  /** Runs the lines in a folder with a photograph and this program, which makes a grey picture of 800 pixels. */
  async function convert(name: string, source: readonly [name: string, text: string], lines: string) {
    const cwd = join(folder, name)
    await mkdir(cwd)
    await writeFile(join(cwd, 'photo.jpg'), await photo(1_000, 750).jpeg().toBuffer())
    await writeFile(join(cwd, source[0]), source[1])
    await symlink(join(generators, 'java'), join(cwd, 'java'))
    const env = {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${join(generators, 'bin')}:${process.env.PATH}`,
      PIXELMILL_URL: server.url,
      PIXELMILL_KEY: server.key,
      // Modules come from where .ci/run has put them.
      GOMODCACHE: join(generators, 'modules'),
      GOPROXY: 'off',
      GOSUMDB: 'off',
      GOTOOLCHAIN: 'local',
    }
    await run('bash', ['-ec', lines], { cwd, env, maxBuffer: 10_000_000 })
    const image = sharp(join(cwd, 'photo.avif'))
    const { format, width } = await image.metadata()
    const { channels } = await image.stats()
    assert.deepEqual([format, width], ['heif', 800])
    const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean)
    assert.ok(Math.max(red, green, blue) - Math.min(red, green, blue) < 1, 'it is grey')
  }

  test('openapi-generator, Go', { skip: isMissing('go', 'java'), timeout: MOST_MS }, async () => {
    await convert('go', ['main.go', block('go', 'NewConfiguration')], `${block('sh', 'generate -g go')}go run .`)
  })

  test('oapi-codegen', { skip: isMissing('go'), timeout: MOST_MS }, async () => {
    const lines = block('sh', 'oapi-codegen -generate').replace(/^go install .*\n/, '')
    await convert('oapi', ['main.go', block('go', 'WithRequestEditorFn')], `${lines}go run .`)
  })

  test('openapi-generator, Java', { skip: skipByDay || isMissing('java', 'javac'), timeout: MOST_MS }, async () => {
    const lines = block('sh', 'generate -g java').replace(/^mvn .*$/m, 'ln -s ../java pixelmill/lib')
    await convert('java', ['Photo.java', block('java', 'ImagesApi')], lines)
  })
})
