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
import type { Doors } from './services.ts'

/**
 * Opens what the rest is built on; `started` closes it.
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
  return { database, blobs, outbound, keySecrets, begun: { folder: join(dataDir, 'answers'), installation } }
}

async function installationOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('select id from installation')
  if (!rows[0])
    throw new StartError(
      'The database has its tables and nothing in them, not even its own id: restore the backup with its rows into an empty database.',
    )
  return rows[0].id
}
