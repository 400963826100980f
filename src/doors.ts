import { join } from 'node:path'
import { openBlobs } from './blobs/index.ts'
import { ownStore } from './blobs/own-store.ts'
import type { Config } from './config.ts'
import { StartError } from './contract/start-error.ts'
import { type Database, openDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import type { Early, StartPhases } from './early.ts'
import type { Log } from './log.ts'
import { openOutbound } from './outbound/outbound.ts'
import { openQueue, type Queue } from './queue/queue.ts'
import type { Doors } from './services.ts'

/**
 * Opens what the rest is built on; `started` closes it, all but the queue, whose jobs need the rest.
 * @throws StartError
 */
export async function openDoors(
  config: Config,
  log: Log,
  data: Early['data'],
  started: AsyncDisposableStack,
  phases: StartPhases,
): Promise<Doors> {
  const { dataDir, target, keySecrets } = await data
  const blobs = await openBlobs(dataDir, config)
  started.defer(() => blobs.close())
  const onBreak = (error: Error) => log.warn({ err: error }, 'a database connection broke')
  const database = await openDatabase(target, onBreak, config.DATABASE_CONNECTIONS)
  started.defer(() => database.close())
  await phases.during('migrate', () =>
    migrate(database, {
      onWait: (tries) => log.warn({ tries }, 'the tables are held by others; they are changed when they are free'),
    }),
  )
  const installation = await installationOf(database)
  await ownStore(blobs, installation)
  const outbound = openOutbound({ allow: config.EGRESS_ALLOW })
  started.defer(() => outbound.close())
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    const { sendTraces } = await import('./traces.ts')
    const traces = sendTraces(config, config.OTEL_EXPORTER_OTLP_ENDPOINT, log)
    started.defer(() => traces.close())
  }
  const queue = await phases.during('queue', () => openWork(config, database, log))
  return { database, blobs, outbound, keySecrets, queue, begun: { folder: join(dataDir, 'answers'), installation } }
}

async function installationOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('select id from installation')
  if (!rows[0])
    throw new StartError(
      'The database has its tables and nothing in them, not even its own id: restore the backup with its rows into an empty database.',
    )
  return rows[0].id
}

/** While the database is away, each look of the queue fails: one line a minute tells enough. */
const QUIET_MS = 60_000

function openWork({ ROLE: role }: Config, database: Database, log: Log): Promise<Queue> {
  let told = Number.NEGATIVE_INFINITY
  return openQueue(database, role !== 'api', {
    onError(error) {
      if (performance.now() - told < QUIET_MS) return
      told = performance.now()
      log.warn({ err: error }, 'the queue waits for the database')
    },
    onWarning: ({ message, data }) => log.warn({ ...data }, message),
  })
}
