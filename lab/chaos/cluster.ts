import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { makeApiKey } from 'pixelmill-server/accounts/api-keys'
import { sweepOrphans } from 'pixelmill-server/batch/remove-files'
import { openBucket } from 'pixelmill-server/blobs/bucket/bucket-store'
import { type Database, openDatabase } from 'pixelmill-server/database/database'
import { freePort } from './free-port.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { type KeptProcess, keepPixelmill } from './kept-process.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { findPrograms } from './programs.ts'
import { isReady, type Service, type Strike, TRIED } from './service.ts'
import { until } from './until.ts'
import { any, backendsOf, endFor, killOne, killTogether, one, renderersOf } from './victims.ts'

const NUMBERS = [1, 2, 3] as const
/** Maximum seconds of an outage. */
const AWAY = { postgres: 30, gateway: 60 } as const

/** A service of several machines, simulated on this one: three APIs and three workers on one PostgreSQL and one bucket. */
export async function startCluster(): Promise<Service> {
  const programs = await findPrograms()
  const dir = await mkdtemp(join(tmpdir(), 'pixelmill-chaos-'))
  // PostgreSQL runs as another user, in a folder below.
  await chmod(dir, 0o711)
  const key = makeApiKey()
  const [postgres, gateway] = await Promise.all([
    startPostgres(programs.postgres, join(dir, 'postgres')),
    startGateway(join(dir, 'ceph')),
  ])
  const { urls, apis, workers } = await startPixelmills(dir, { ...settingsFor(postgres, gateway), ADMIN_API_KEY: key })
  const database = await openDatabase({ url: postgres.url }, () => {})
  const blobs = openBucket(gateway.location)
  let turn = 0
  return {
    dir,
    key,
    database,
    victims: victimsAmong(apis, workers, postgres, gateway),
    url: () => urls[turn++ % urls.length] ?? '',
    leftFiles: () => leftIn(blobs, database),
    async stop(keepFiles) {
      await Promise.all([...apis, ...workers].map((server) => server.stop()))
      await Promise.all([database.close(), blobs.close()])
      await Promise.all([postgres.kept.stop('SIGINT'), gateway.stop()])
      if (!keepFiles) await rm(dir, { recursive: true, force: true })
    },
  }
}

const settingsFor = ({ url }: Postgres, { location }: Gateway) => ({
  ...TRIED,
  DATABASE_URL: url,
  S3_ENDPOINT: location.endpoint ?? '',
  S3_BUCKET: location.bucket,
  S3_ACCESS_KEY_ID: location.accessKeyId,
  S3_SECRET_ACCESS_KEY: location.secretAccessKey,
})

/** Starts all six at once, on an empty database and an empty bucket. */
async function startPixelmills(dir: string, settings: Readonly<Record<string, string>>) {
  const ports = await Promise.all(NUMBERS.map(() => freePort()))
  const start = (name: string, own: Readonly<Record<string, string>>): KeptProcess =>
    keepPixelmill({ ...settings, ...own, DATA_DIR: join(dir, name) }, join(dir, `${name}.log`))
  const apis = ports.map((port, index) => start(`api-${index + 1}`, { ROLE: 'api', PORT: String(port) }))
  const workers = NUMBERS.map((number) => start(`worker-${number}`, { ROLE: 'worker' }))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  for (const url of urls) await until(`${url} is ready`, () => isReady(url))
  for (const worker of workers) await until('a worker works', async () => worker.output().includes('works on batches'))
  return { urls, apis, workers }
}

function victimsAmong(
  apis: readonly KeptProcess[],
  workers: readonly KeptProcess[],
  { kept: postmaster }: Postgres,
  { kept: gateway }: Gateway,
): Readonly<Record<string, Strike>> {
  return {
    'an API': killOne(any(apis)),
    'a worker': killOne(any(workers)),
    'an API and a worker': killTogether(NUMBERS.map((_, index) => [apis[index] ?? [], workers[index] ?? []].flat())),
    "an API's renderer": killOne(renderersOf(apis)),
    "a worker's renderer": killOne(renderersOf(workers)),
    'a PostgreSQL backend': killOne(backendsOf(async () => postmaster.pid())),
    PostgreSQL: killOne(one(postmaster)),
    'PostgreSQL, stopped and away': endFor(postmaster, 'SIGQUIT', AWAY.postgres),
    'radosgw, away': endFor(gateway, 'SIGKILL', AWAY.gateway),
  }
}

/** Nothing is in progress at this point, so orphaned files of any age can be swept. */
async function leftIn(blobs: BlobStore, database: Database): Promise<readonly string[]> {
  await sweepOrphans({ database, blobs }, 0)
  const uploads = await blobs.sweep(new Date(Date.now() + 1_000))
  const { blobs: left } = await blobs.list('batch/')
  return [...left.map(({ key }) => key), ...(uploads === 0 ? [] : [`${uploads} unfinished uploads, which were swept`])]
}
