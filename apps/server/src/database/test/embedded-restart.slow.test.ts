import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import { openDatabase } from '../database.ts'
import { readPostmasterFile } from '../embedded/postmaster.ts'
import { startEmbedded } from '../embedded/server.ts'

interface Noted {
  readonly ends: { readonly reason: string; readonly next: number }[]
  readonly backs: number[]
}

async function start(dataDir: string) {
  const notedValue: Noted = { ends: [], backs: [] }
  const embeddedValue = await startEmbedded({
    dataDir,
    onLog: () => {},
    outages: {
      onEnd: (reason, next) => notedValue.ends.push({ reason, next }),
      onBack: (seconds) => notedValue.backs.push(seconds),
    },
  })
  return { ...embeddedValue, noted: notedValue }
}

const postmasterOf = async (dataDir: string): Promise<number> =>
  (await readPostmasterFile(join(dataDir, 'postgres')))?.pid ?? assert.fail('PostgreSQL says nothing of itself')

test('PostgreSQL is started again whenever it is killed, at the same place, with all that was committed', async (t) => {
  const dataDir = await tempFolder(t)
  const embeddedValue = await start(dataDir)
  t.after(() => embeddedValue.stop())
  const { pool, close } = await openDatabase(embeddedValue, () => {})
  await pool.query('create table row (number int)')
  for (const number of [1, 2]) {
    await pool.query('insert into row values ($1)', [number])
    process.kill(await postmasterOf(dataDir), 'SIGKILL')
    assert.ok(await until(async () => embeddedValue.noted.backs.length === number, 30_000))
    const { rows } = await pool.query<{ number: number }>('select number from row order by number')
    assert.deepEqual(
      rows.map((row) => row.number),
      Array.from({ length: number }, (_, index) => index + 1),
    )
  }
  assert.match(embeddedValue.noted.ends[0]?.reason ?? '', /SIGKILL/)
  await close()
})

test('a process of PostgreSQL that is killed takes every connection with it, and the pool makes new ones', async (t) => {
  const dataDir = await tempFolder(t)
  const embeddedValue = await start(dataDir)
  t.after(() => embeddedValue.stop())
  const { pool, close } = await openDatabase(embeddedValue, () => {})
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
  const answers = () =>
    pool.query('select 1').then(
      ({ rowCount }) => rowCount === 1,
      () => false,
    )
  assert.ok(await until(answers, 30_000))
  assert.deepEqual(embeddedValue.noted, { ends: [], backs: [] }, 'PostgreSQL mends this itself')
  await close()
})

test('while it cannot start the pauses grow, and it comes back when it can', async (t) => {
  const dataDir = await tempFolder(t)
  const embeddedValue = await start(dataDir)
  t.after(() => embeddedValue.stop())
  const cluster = join(dataDir, 'postgres')
  const away = join(dataDir, 'away')
  const pid = await postmasterOf(dataDir)
  await rename(cluster, away)
  process.kill(pid, 'SIGKILL')
  assert.ok(await until(async () => embeddedValue.noted.ends.length === 3, 30_000))
  await rename(away, cluster)
  assert.ok(await until(async () => embeddedValue.noted.backs.length === 1, 30_000))
  assert.deepEqual(
    embeddedValue.noted.ends.slice(0, 3).map(({ next }) => next),
    [0.5, 1, 2],
  )
})

test('a server that stops while PostgreSQL is away ends at once and leaves no process', async (t) => {
  const dataDir = await tempFolder(t)
  const embeddedValue = await start(dataDir)
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  assert.ok(await until(async () => embeddedValue.noted.ends.length === 1))
  await Promise.all([embeddedValue.stop(), embeddedValue.stop()])
  assert.deepEqual(embeddedValue.noted.backs, [])
  assert.ok(await until(async () => !processes().includes(dataDir)))
})

const processes = () => execFileSync('ps', ['-eww', '-o', 'command='], { encoding: 'utf8' })
