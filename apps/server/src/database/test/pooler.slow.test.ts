import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import { lacks } from '../../../test/deploy/files.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { openDatabase } from '../database.ts'

/** Debian's PgBouncer in front of PostgreSQL, in each of its modes. */

const [, TARGET] = TARGETS
const skip = TARGET.skip || lacks('pgbouncer')
const IGNORED = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'

/** Debian's user nobody: PgBouncer refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Returns the address of a PgBouncer with these lines of configuration. */
async function startPooler(t: TestContext, server: URL, lines: readonly string[]): Promise<string> {
  const folder = await tempFolder(t)
  const { hostname, port, username, password, pathname } = server
  const database = pathname.slice(1)
  const listen = await freePort()
  const config = [
    '[databases]',
    `${database} = host=${hostname} port=${port} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listen}`,
    'unix_socket_dir =',
    'auth_type = any',
    ...lines,
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `${config.join('\n')}\n`)
  if (nobody.uid !== undefined) for (const path of [folder, file]) await chown(path, nobody.uid, nobody.gid)
  const pooler = spawn('pgbouncer', [file], { ...nobody, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  pooler.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  t.after(async () => {
    if (pooler.exitCode !== null) return
    pooler.kill('SIGKILL')
    await once(pooler, 'exit')
  })
  assert.ok(await until(async () => log.includes('process up') || pooler.exitCode !== null), log)
  assert.equal(pooler.exitCode, null, log)
  return `postgres://${username}@127.0.0.1:${listen}/${database}`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : assert.fail()
}

const refusal = (words: RegExp) => (error: unknown) => error instanceof StartError && words.test(error.message)

test('session mode is accepted, other modes and missing parameters are refused with one line', { skip }, async (t) => {
  const target = await TARGET.start(t)
  assert.ok('url' in target)
  const poolerOf = (...lines: readonly string[]) => startPooler(t, new URL(target.url), lines)

  const keptDatabase = await openDatabase({ url: await poolerOf('pool_mode = session', IGNORED) }, assert.ifError)
  assert.equal((await keptDatabase.pool.query('select 1')).rowCount, 1)
  await keptDatabase.close()

  const pooledTexts = [
    ['pool_mode = transaction', IGNORED],
    ['pool_mode = transaction', IGNORED, 'server_round_robin = 1', 'default_pool_size = 2'],
    ['pool_mode = transaction', IGNORED, 'default_pool_size = 1'],
    ['pool_mode = statement', IGNORED],
  ]
  for (const lines of pooledTexts) {
    const opening = openDatabase({ url: await poolerOf(...lines) }, assert.ifError)
    await assert.rejects(opening, refusal(/set its pool_mode to session, as docs\/scaling\.md says\.$/), lines.join())
  }
  const opening = openDatabase({ url: await poolerOf('pool_mode = session') }, assert.ifError)
  await assert.rejects(
    opening,
    refusal(/refuses statement_timeout; set its ignore_startup_parameters, as docs\/scaling\.md says\.$/),
  )
})
