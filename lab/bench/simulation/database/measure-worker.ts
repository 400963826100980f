import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { startBatchWorker } from 'pixelmill-server/batch/worker'
import { openFolder } from 'pixelmill-server/blobs/folder/folder-store'
import { ownStore } from 'pixelmill-server/blobs/own-store'
import { type Database, openDatabase } from 'pixelmill-server/database/database'
import { registerInstance } from 'pixelmill-server/metering/instance'
import { makeAccount } from 'pixelmill-server/test/support/accounts'
import { uploadBatch } from 'pixelmill-server/test/support/workers'

/**
 * What one worker asks of PostgreSQL: node lab/bench/simulation/database/measure-worker.ts RENDERERS MS BATCHES IMAGES SECONDS, with
 * DATABASE_URL and POSTMASTER as for measure.sh. The worker is apps/server/src/batch/worker.ts; its renderers only take MS milliseconds for an
 * image. Prints images a second, and for each image statements, commits, ms of PostgreSQL's CPU less what it takes while idle, and bytes of
 * WAL.
 */
const [renderers = 2, ms = 106, batches = 1, images = 1_000, seconds = 10] = process.argv.slice(2).map(Number)
const { DATABASE_URL = '', POSTMASTER = '' } = process.env
const WARM_UP_MS = 6_000
const IDLE_MS = 6_000

const cleanups: (() => unknown)[] = []
const folder = await tempFolder({ after: (clean: unknown) => void cleanups.push(clean as () => unknown) })
const blobs = await openFolder({ root: folder, reserveBytes: 0 })
await ownStore(blobs, 'bench')
const database = await openDatabase({ url: DATABASE_URL }, assert.ifError)
await database.pool.query('delete from batch')
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=', 'base64')
const files = Object.fromEntries(Array.from({ length: images }, (_, nth) => [`holiday/img_${nth}.png`, png]))
for (let nth = 0; nth < batches; nth++)
  await uploadBatch({ database, blobs }, (await makeAccount(database, 'enterprise')).key, files)
await database.pool.query('vacuum analyze')

const statements = countStatements(database)
const idle = await idleCpu()
const instance = await registerInstance(database, assert.ifError)
let imageCount = 0
const worker = startBatchWorker(
  { database: database.pool, blobs, instance, renderers, heic: 'off', pool: slowPool(renderers, ms) },
  {
    onResult: () => imageCount++,
    onEnded() {},
    storage: { onBegin: assert.ifError, onEnd() {} },
    database: { onBegin: assert.ifError, onEnd() {} },
    onFault: assert.ifError,
  },
)
await sleep(WARM_UP_MS)
const before = await counters()
await sleep(1000 * seconds)
const after = await counters()
const per = (name: keyof typeof before) => (after[name] - before[name]) / (after.done - before.done)
const row = {
  renderers,
  ms,
  batches,
  'images/s': (after.done - before.done) / seconds,
  statements: per('statements'),
  commits: per('commits'),
  'CPU ms': per('cpuMs') - (idle * 1000 * seconds) / (after.done - before.done),
  WAL: per('wal'),
}
for (const [name, value] of Object.entries(row)) process.stdout.write(`${name} ${+value.toPrecision(3)}  `)
process.stdout.write('\n')
await worker.close()
await instance.close()
await database.close()
for (const clean of cleanups) await clean()

/** Milliseconds of CPU a millisecond. */
async function idleCpu(): Promise<number> {
  const before = cpuMs()
  await sleep(IDLE_MS)
  return (cpuMs() - before) / IDLE_MS
}

async function counters() {
  const { rows } = await database.pool.query<{ wal: string; commits: string }>(
    `select pg_current_wal_insert_lsn() - '0/0' as wal,
            (select xact_commit from pg_stat_database where datname = current_database()) as commits`,
  )
  const [{ wal, commits } = assert.fail()] = rows
  return { done: imageCount, statements: statements.statements, commits: Number(commits), wal: Number(wal), cpuMs: cpuMs() }
}

/** Milliseconds of CPU that PostgreSQL's processes have taken, exact even for those that run shorter than a clock tick. */
function cpuMs(): number {
  let sum = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    if (pid === POSTMASTER || parentOf(pid) === POSTMASTER) sum += Number(read(pid, 'schedstat').split(' ')[0]) / 1e6
  return sum
}

function parentOf(pid: string): string | undefined {
  return read(pid, 'stat').split(') ')[1]?.split(' ')[1]
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

function countStatements({ pool }: Database) {
  const counts = { statements: 0 }
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  Object.assign(pool, {
    query(...args: unknown[]) {
      counts.statements++
      return query(...args)
    },
  })
  return counts
}

/** A pool whose renderers take this long and write nothing. */
function slowPool(renderers: number, ms: number): Pick<Pool, 'run'> {
  let free = renderers
  const waiting: (() => void)[] = []
  const run = async () => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    await sleep(ms * (0.7 + 0.6 * Math.random()))
    const next = waiting.shift()
    if (next) next()
    else free++
    return { report: { format: 'png', width: 1, height: 1, warnings: [] }, files: [png] }
  }
  return { run } as unknown as Pick<Pool, 'run'>
}
