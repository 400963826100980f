import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chargedCalls, openServerDatabase } from './support/accounts.ts'
import { caller } from './support/call.ts'
import { photo } from './support/pictures.ts'
import { run, startServer } from './support/server.ts'
import { until } from './support/until.ts'

const MAIN = join(import.meta.dirname, '../bin/pixelmill.mjs')
const folder = await mkdtemp(join(tmpdir(), 'pixelmill-start-'))
after(() => rm(folder, { recursive: true, force: true }))
const file = join(folder, 'file')
await writeFile(file, 'x')

const wrong: readonly (readonly [settings: Record<string, string>, words: RegExp])[] = [
  [{ PORT: 'abc' }, /PORT must be a whole number from 0 to 65535/],
  [{ PORT: '70000' }, /PORT/],
  [{ RENDERERS: '0' }, /RENDERERS/],
  [{ BURST_PER_MINUTE: '-1' }, /BURST_PER_MINUTE/],
  [{ ADMIN_API_KEY: 'sk_short' }, /ADMIN_API_KEY must be sk_/],
  [{ ADMIN_EMAIL: 'nobody' }, /ADMIN_EMAIL/],
  [{ ADMIN_PASSWORD: 'short' }, /ADMIN_PASSWORD must have 8 to 256 characters/],
  [{ SIGN_UP: 'maybe' }, /SIGN_UP must be one of open, closed/],
  [{ TRUSTED_PROXIES: 'everybody' }, /TRUSTED_PROXIES must be addresses/],
  [{ TRUSTED_PROXIES: 'loopback, 10.0.0.0/33' }, /TRUSTED_PROXIES/],
  [{ TRUSTED_PROXIES: '0.0.0.0/0' }, /TRUSTED_PROXIES/],
  [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL/],
  [{ ROLE: 'boss' }, /ROLE must be one of all, api, worker/],
  [{ ROLE: 'worker' }, /ROLE=worker needs DATABASE_URL/],
  [{ BATCH_ARCHIVE_MB: '0' }, /BATCH_ARCHIVE_MB/],
  [{ EGRESS_ALLOW: 'localhost,10.0.0.0/33' }, /EGRESS_ALLOW must be names, IP addresses and networks; entry 2 is none/],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
  [{ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' }, /127\.0\.0\.1:1/],
  [{ S3_BUCKET: 'images' }, /A bucket needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too/],
  [
    { S3_ENDPOINT: 'http://127.0.0.1:1', S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
    /the bucket images at http:\/\/127\.0\.0\.1:1: nothing listens there/,
  ],
  [{ HOST: '192.0.2.1' }, /192\.0\.2\.1/],
  [{ DATA_DIR: file }, /file/],
  [{ DATA_DIR: join(file, 'below') }, /a file is in the way/],
  // Where recursive mkdir of Node never ends, and its relatives.
  ...(process.platform === 'linux'
    ? ['/proc/pixelmill', '/proc/self/a/b', '/sys/pixelmill', '/dev/null/pixelmill', '/proc', '/sys'].map(
        (dir) => [{ DATA_DIR: dir }, new RegExp(`The data folder ${dir} (cannot be made|is not writable) \\(`)] as const,
      )
    : []),
]
for (const [settings, words] of wrong) {
  test(`${JSON.stringify(settings)}: one clear line and exit code 1`, async () => {
    const { exited, output } = run({ DATA_DIR: join(folder, 'wrong'), LOG_LEVEL: 'silent', ...settings })
    assert.equal((await exited).code, 1)
    const lines = output()
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('Pixelmill cannot start: '))
    assert.equal(lines.length, 1, output())
    assert.match(lines[0] ?? '', words)
    assert.doesNotMatch(output(), /secret|\n\s+at /)
  })
}

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
  const limited = ['-c', 'ulimit -n 50 && exec "$@"', 'sh', process.execPath, MAIN]
  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'few'), LOG_LEVEL: 'silent' }
  const { status, stderr } = spawnSync('sh', limited, { env, encoding: 'utf8' })
  assert.equal(status, 1, stderr)
  assert.match(
    stderr,
    /^Pixelmill cannot start: .*insufficient file descriptors.* raise the limit on open files \(`ulimit -n`.*\n$/,
  )
})

test('what was generated is printed once, and the curl line works as it stands', {
  skip: !existsSync('/usr/bin/curl') && 'no curl',
}, async () => {
  const dir = join(folder, 'first')
  const first = run({ DATA_DIR: dir })
  assert.ok(await until(async () => first.output().includes('curl '), 60_000), first.output())
  const line = /curl -f .*convert/.exec(first.output())?.[0] ?? ''
  const key = /sk_[A-Za-z0-9]{48}/.exec(line)?.[0] ?? ''
  assert.ok(first.output().includes(`API key   ${key}`))
  await promisify(execFile)('sh', ['-c', line.replace('-o photo.webp', `-o ${folder}/photo.webp`)])
  assert.ok(existsSync(join(folder, 'photo.webp')))
  const again = run({ DATA_DIR: dir })
  assert.equal((await again.exited).code, 1)
  assert.match(again.output(), /already running/)
  first.child.kill('SIGTERM')
  assert.equal((await first.exited).code, 0)
  const second = run({ DATA_DIR: dir })
  assert.ok(await until(async () => second.output().includes('listens on'), 60_000), second.output())
  assert.doesNotMatch(second.output(), /sk_[A-Za-z0-9]{48}|password/)
  second.child.kill('SIGTERM')
  assert.equal((await second.exited).code, 0)
})

test('a port that is taken is told, and nothing is damaged', async () => {
  await using server = await startServer()
  const other = run({ DATA_DIR: join(folder, 'taken'), PORT: new URL(server.url).port })
  assert.equal((await other.exited).code, 1)
  assert.match(other.output(), /cannot start: Port \d+ on 127\.0\.0\.1 is in use/)
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
})

test('SIGTERM lets a running image finish', async () => {
  await using server = await startServer()
  const image = await photo(3000, 2000).jpeg().toBuffer()
  const answer = caller(server).post('convert', { format: 'avif' }, { image })
  await sleep(300)
  const [{ status }, { code }] = await Promise.all([answer, server.stop()])
  assert.deepEqual([status, code], [200, 0])
})

test('after kill -9 every acknowledged call is still counted, and the key still works', async () => {
  await using first = await startServer()
  const image = await photo(40, 40).jpeg().toBuffer()
  let acknowledged = 0
  const lanes = Array.from({ length: 4 }, async () => {
    for (let calls = 0; calls < 200; calls++) {
      const answered = await caller(first)
        .post('convert', { format: 'png' }, { image })
        .catch(() => undefined)
      if (answered?.status !== 200) return
      acknowledged++
    }
  })
  await sleep(400)
  await first.stop('SIGKILL')
  await Promise.all(lanes)
  await using second = await startServer({ DATA_DIR: first.dir, ADMIN_API_KEY: first.key })
  const database = await openServerDatabase(first.dir)
  const charged = await chargedCalls(database)
  await database.close()
  assert.ok(acknowledged > 0)
  assert.ok(charged >= acknowledged && charged <= acknowledged + 4, `${charged} charged, ${acknowledged} acknowledged`)
  assert.equal((await caller(second).post('convert', {}, { image })).status, 200)
  assert.ok(!second.output().includes(first.key))
})
