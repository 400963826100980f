import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { TARGETS } from '../support/database-targets.ts'
import { bucketOnServer, noServer } from '../support/s3-server.ts'
import { type Process, run } from '../support/server.ts'

const [, TARGET] = TARGETS

/** Why there can be no cluster here. */
export const noCluster = TARGET.skip || noServer

const APIS = 3
/** On a machine that has much else to do. */
const START_MS = 240_000

export interface Api extends Process {
  readonly url: string
}

export interface Cluster {
  readonly apis: readonly [Api, Api, Api]
  readonly workers: readonly Process[]
  /** The API whose turn it is. */
  api(nth: number): Api
  /** From outside. */
  readonly database: Database
}

/**
 * Three APIs and some workers on one empty database and one empty bucket, all started at once, before the first test of the
 * file; they end after the last.
 */
export function clusterOf(workers: number, settings: Readonly<Record<string, string>>): () => Cluster {
  const ends: (() => unknown)[] = []
  let cluster: Cluster | undefined
  before(async () => {
    if (!noCluster) cluster = await startCluster(ends, workers, settings)
  })
  after(async () => {
    for (const end of ends.reverse()) await end()
  })
  return () => cluster ?? assert.fail('it is started before the first test')
}

async function startCluster(
  ends: (() => unknown)[],
  count: number,
  settings: Readonly<Record<string, string>>,
): Promise<Cluster> {
  const later = { after: (end: unknown) => void ends.push(end as () => unknown) }
  const target = await TARGET.start(later)
  assert.ok('url' in target)
  const { location } = await bucketOnServer(later)
  const bucket = {
    S3_ENDPOINT: location.endpoint ?? '',
    S3_BUCKET: location.bucket,
    S3_ACCESS_KEY_ID: location.accessKeyId,
    S3_SECRET_ACCESS_KEY: location.secretAccessKey,
  }
  const dir = await mkdtemp(join(tmpdir(), 'pixelmill-cluster-'))
  ends.push(() => rm(dir, { recursive: true, force: true }))
  const start = (name: string, role: string): Process => {
    const process = run({
      RENDERERS: '1',
      ...settings,
      ...bucket,
      ROLE: role,
      DATABASE_URL: target.url,
      DATA_DIR: join(dir, name),
    })
    ends.push(() => stop(process))
    return process
  }
  const apis = Array.from({ length: APIS }, (_, nth) => start(`api-${nth}`, 'api'))
  const workers = Array.from({ length: count }, (_, nth) => start(`worker-${nth}`, 'worker'))
  const [first, second, third] = await Promise.all(apis.map(listening))
  await Promise.all(workers.map((worker) => says(worker, /works on batches/)))
  assert.ok(first && second && third)
  const database = await openDatabase(target, () => {})
  ends.push(() => database.close())
  return { apis: [first, second, third], workers, database, api: (nth) => [first, second, third][nth % APIS] ?? first }
}

async function stop({ child, exited }: Process): Promise<void> {
  child.kill('SIGTERM')
  await exited
}

async function listening(process: Process): Promise<Api> {
  const [, url = ''] = await says(process, /listens on (\S+)/)
  return { ...process, url }
}

async function says(process: Process, words: RegExp): Promise<RegExpExecArray> {
  const hasEnded = () => process.child.exitCode !== null
  await until(async () => words.test(process.output()) || hasEnded(), START_MS)
  return words.exec(process.output()) ?? assert.fail(`it did not start:\n${process.output()}`)
}
