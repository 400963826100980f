import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { holdDataFolder } from '../src/database/data-folder.ts'
import { run } from './support/server.ts'
import { shareServer } from './support/shared-server.ts'
import { refusedStart } from './support/start.ts'

/** Rarer faults of a start than those of start.test.ts, each found at another step of it. */

const MAIN = join(import.meta.dirname, '../../../packages/cli/bin/pixelmill.mjs')
const folder = await mkdtemp(join(tmpdir(), 'pixelmill-start-'))
after(() => rm(folder, { recursive: true, force: true }))
const file = join(folder, 'file')
await writeFile(file, 'x')

const wrong: readonly (readonly [settings: Record<string, string>, message: RegExp])[] = [
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
  [
    { S3_ENDPOINT: 'http://127.0.0.1:1', S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
    /the bucket images at http:\/\/127\.0\.0\.1:1: nothing listens there/,
  ],
  [{ HOST: '192.0.2.1' }, /192\.0\.2\.1/],
  [{ DATA_DIR: join(file, 'below') }, /a file is in the way/],
]
for (const [settings, message] of wrong) {
  test(`${JSON.stringify(settings)}: one clear line and exit code 1`, async () => {
    await refusedStart({ DATA_DIR: join(folder, 'wrong'), ...settings }, message)
  })
}

test('a data folder that cannot be made or written is refused in one line', {
  skip: process.platform !== 'linux' && 'Linux only',
}, async () => {
  // In these folders a recursive mkdir of Node may never end.
  for (const dir of [file, '/proc/pixelmill', '/proc/self/a/b', '/sys/pixelmill', '/dev/null/pixelmill', '/proc', '/sys'])
    await assert.rejects(
      holdDataFolder(dir),
      (error) =>
        error instanceof StartError &&
        error.message.startsWith(`The data folder ${dir} `) &&
        /^\S+ \S+ \S+ \S+ (cannot be made|is not writable) \([^\n]+$/.test(error.message),
    )
})

test('a signal ends a start that waits for a database which never answers', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { child, exited, output } = run({
    DATA_DIR: join(folder, 'silent'),
    DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/x`,
  })
  const [connection] = (await once(silent, 'connection')) as [Socket]
  child.kill('SIGTERM')
  assert.deepEqual(await exited, { code: 0, signal: null }, output())
  assert.match(output(), /still starting after 3 s; stopping now/)
  connection.destroy()
  silent.close()
})

test('a first start with too few open files names the cause', {
  skip: process.platform !== 'linux' && 'Linux only',
}, async () => {
  const limitedTexts = ['-c', 'ulimit -n 50 && exec "$@"', 'sh', process.execPath, MAIN]
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'few'), LOG_LEVEL: 'silent' }
  const { status, stderr } = spawnSync('sh', limitedTexts, { env, encoding: 'utf8' })
  assert.equal(status, 1, stderr)
  assert.match(
    stderr,
    /^Pixelmill cannot start: .*insufficient file descriptors.* raise the limit on open files \(`ulimit -n`.*\n$/,
  )
})

test('a port for probes that is taken is named with its setting', async (t) => {
  await using server = await shareServer({ RENDERERS: '1' })
  const takenText = new URL(server.url).port
  const other = run({ DATA_DIR: await tempFolder(t), RENDERERS: '1', METRICS_PORT: takenText })
  assert.equal((await other.exited).code, 1)
  assert.match(other.output(), /cannot start: Port \d+ on 127\.0\.0\.1 is in use .*set METRICS_PORT/)
})
