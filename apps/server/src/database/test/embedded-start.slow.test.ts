import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { openDatabase } from '../database.ts'
import { socketFolder } from '../embedded/address.ts'
import { findBinaries } from '../embedded/binaries.ts'
import { MAJOR_VERSION } from '../embedded/cluster.ts'
import { readPostmasterFile } from '../embedded/postmaster.ts'
import { run } from '../embedded/run.ts'
import { startEmbedded } from '../embedded/server.ts'

const start = (dataDir: string, onLog: (line: string) => void = () => {}) => startEmbedded({ dataDir, onLog })
const linuxOnly = { skip: process.platform !== 'linux' && 'needs /proc' }

test('the first start makes the database, the next ones keep it', async (t) => {
  const dataDir = await tempFolder(t)
  const lines: string[] = []
  for (const rows of [1, 2, 3]) {
    const embeddedValue = await start(dataDir, (line) => lines.push(line))
    const { pool, close } = await openDatabase(embeddedValue, assert.ifError)
    await pool.query('create table if not exists kept (at timestamptz)')
    await pool.query('insert into kept values (now())')
    assert.equal((await pool.query('select * from kept')).rowCount, rows)
    await close()
    await embeddedValue.stop()
    await embeddedValue.stop()
  }
  assert.ok(lines.includes('LOG:  database system is ready to accept connections'))
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'run'])
  assert.equal((await stat(join(dataDir, 'run'))).mode & 0o777, 0o700)
})

test('what an interrupted first start left is removed', async (t) => {
  const dataDir = await tempFolder(t)
  await mkdir(join(dataDir, 'postgres.tmp-abc', 'base'), { recursive: true })
  await writeFile(join(dataDir, 'postgres.tmp-abc', 'PG_VERSION'), `${MAJOR_VERSION}\n`)
  const embeddedValue = await start(dataDir)
  await embeddedValue.stop()
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'run'])
})

test('files of another major version, or that are no database, are refused and left alone', async (t) => {
  const dataDir = await tempFolder(t)
  const cluster = join(dataDir, 'postgres')
  await mkdir(cluster)
  await writeFile(join(cluster, 'PG_VERSION'), '17\n')
  await assert.rejects(start(dataDir), (error) => error instanceof StartError && /was made by PostgreSQL 17/.test(error.message))
  await rename(join(cluster, 'PG_VERSION'), join(cluster, 'notes.txt'))
  await assert.rejects(start(dataDir), (error) => error instanceof StartError && /is in the way/.test(error.message))
  assert.equal(await readFile(join(cluster, 'notes.txt'), 'utf8'), '17\n')
})

test('a database that PostgreSQL cannot start gives its last line', async (t) => {
  const dataDir = await tempFolder(t)
  await (await start(dataDir)).stop()
  await rename(join(dataDir, 'postgres', 'global'), join(dataDir, 'postgres', 'lost'))
  await assert.rejects(start(dataDir), (error) => error instanceof StartError && /global\/pg_control/.test(error.message))
})

test('the version in the source is that of the binaries', async () => {
  const { postgres } = await findBinaries()
  const { output } = await run([postgres, '--version'], { timeoutMs: 5_000 })
  assert.match(output, new RegExp(`PostgreSQL\\) ${MAJOR_VERSION}\\.`))
})

test('no network port is opened', linuxOnly, async (t) => {
  const dataDir = await tempFolder(t)
  const embeddedValue = await start(dataDir)
  const pid = (await readPostmasterFile(join(dataDir, 'postgres')))?.pid
  const tables = await Promise.all(
    ['tcp', 'tcp6', 'udp', 'udp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  )
  const networkInodes = new Set(tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)[9])))
  const fds = await readdir(`/proc/${pid}/fd`)
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  const sockets = links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]).filter((inode) => inode !== undefined)
  assert.ok(sockets.length > 0, 'the unix socket is seen')
  assert.deepEqual(
    sockets.filter((inode) => networkInodes.has(inode)),
    [],
  )
  await embeddedValue.stop()
})

test("PostgreSQL gets none of the server's environment", linuxOnly, async (t) => {
  process.env.SESSION_SECRET = 'must-not-leak'
  t.after(() => delete process.env.SESSION_SECRET)
  const dataDir = await tempFolder(t)
  const embeddedValue = await start(dataDir)
  const pid = (await readPostmasterFile(join(dataDir, 'postgres')))?.pid
  const names = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').map((entry) => entry.split('=')[0])
  assert.equal(names.includes('SESSION_SECRET'), false)
  await embeddedValue.stop()
})

test('a path too long for a socket moves the socket among the temporary files', async (t) => {
  const dataDir = join(await tempFolder(t), 'x'.repeat(90))
  await mkdir(dataDir)
  const embeddedValue = await start(dataDir)
  assert.equal(embeddedValue.socketDir, socketFolder(dataDir))
  assert.equal(embeddedValue.socketDir.startsWith(dataDir), false)
  await (await openDatabase(embeddedValue, assert.ifError)).close()
  await embeddedValue.stop()
  await rm(embeddedValue.socketDir, { recursive: true })
})
