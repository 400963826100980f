import { openBlobs } from './blobs/index.ts'
import { ownStore } from './blobs/own-store.ts'
import type { Config } from './config.ts'
import { StartError } from './contract/start-error.ts'
import { holdDataFolder, makeDataFolder } from './database/data-folder.ts'
import { type Database, type DatabaseTarget, openDatabase } from './database/database.ts'
import { type EmbeddedOptions, startEmbedded } from './database/embedded/server.ts'
import { migrate } from './database/migrate.ts'
import type { Log } from './log.ts'
import { openOutbound } from './outbound/outbound.ts'
import { openQueue, type Queue } from './queue/queue.ts'
import type { Doors } from './services.ts'

/**
 * Opens what the rest is built on; `started` closes it, all but the queue, whose jobs need the rest.
 * @throws StartError
 */
export async function openDoors(config: Config, log: Log, started: AsyncDisposableStack): Promise<Doors> {
  const dataDir = await openDataFolder(config, started)
  const blobs = await openBlobs(dataDir, config)
  started.defer(() => blobs.close())
  const target = await openTarget(dataDir, config, log, started)
  const database = await openDatabase(target, (error) => log.warn({ err: error }, 'a database connection broke'))
  started.defer(() => database.close())
  await migrate(database, {
    onWait: (tries) => log.warn({ tries }, 'the tables are held by others; they are changed when they are free'),
  })
  await ownStore(blobs, await installationOf(database))
  const outbound = openOutbound({ allow: config.EGRESS_ALLOW })
  started.defer(() => outbound.close())
  return { database, blobs, outbound, queue: await openWork(config, database, log) }
}

/** Held by the server whose database is in it. With DATABASE_URL the parts of one service may share it for their files. */
async function openDataFolder({ DATA_DIR: dir, DATABASE_URL: url }: Config, started: AsyncDisposableStack): Promise<string> {
  if (url !== undefined) return makeDataFolder(dir)
  const folder = await holdDataFolder(dir)
  started.defer(() => folder.release())
  return folder.path
}

async function openTarget(dataDir: string, config: Config, log: Log, started: AsyncDisposableStack): Promise<DatabaseTarget> {
  if (config.DATABASE_URL !== undefined) return { url: config.DATABASE_URL }
  const embedded = await startEmbedded({ dataDir, ...tellOfPostgres(log) })
  started.defer(() => embedded.stop())
  return { socketDir: embedded.socketDir }
}

/** What an operator has to know of PostgreSQL's log: that one of its processes died, or that it lacks room. */
const ALARMING = /^PANIC|was terminated by signal|No space left/

function tellOfPostgres(parent: Log): Omit<EmbeddedOptions, 'dataDir'> {
  const log = parent.child({ component: 'postgres' })
  return {
    onLog: (line) => log[ALARMING.test(line) ? 'warn' : 'debug'](line),
    outages: {
      onEnd: (reason, nextTryInSeconds) => log.error({ reason, nextTryInSeconds }, 'PostgreSQL is away'),
      onBack: (seconds) => log.warn({ seconds: Number(seconds.toFixed(1)) }, 'PostgreSQL is back'),
    },
  }
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
