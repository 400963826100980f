import { limits } from '@pixelmill/codecs/contract/limits'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { checkServer, type StartPatience } from './check-server.ts'
import { embeddedAddress } from './embedded/address.ts'
import type { Schema } from './schema.ts'
import { databaseSocket } from './unavailable.ts'

export interface Database {
  readonly kysely: Kysely<Schema>
  readonly pool: pg.Pool
  /** A connection outside the pool, for what outlasts a statement, such as a lock. The caller ends it. */
  connect(): Promise<pg.Client>
  /** Waits for running statements. */
  close(): Promise<void>
}

/** `DATABASE_URL`, or the socket folder of the embedded PostgreSQL. */
export type DatabaseTarget = { readonly url: string } | { readonly socketDir: string }

/**
 * Opens a pool of up to `connections` connections, and checks the server. `onError` is called for idle connections that break: the pool
 * replaces them by itself.
 * @throws StartError with the reason, and never with the password
 */
export async function openDatabase(
  target: DatabaseTarget,
  onError: (error: Error) => void,
  connections: number = limits.databaseConnections,
  patience: Partial<StartPatience> = {},
): Promise<Database> {
  const place = 'url' in target ? describePlace(target.url) : target.socketDir
  const options = {
    ...POOL,
    max: connections,
    ...('url' in target ? { connectionString: target.url } : embeddedAddress(target.socketDir)),
  }
  const pool = new pg.Pool(options)
  listenForErrors(pool, onError)
  const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  const connect = async () => {
    const client = new pg.Client(options)
    await client.connect()
    return client
  }
  try {
    await checkServer({ pool, connect, place, mayBePooled: 'url' in target }, patience)
  } catch (error) {
    await pool.end()
    throw error
  }
  let ending: Promise<void> | undefined
  const close = async () => {
    ending ??= pool.end()
    await ending
  }
  return { kysely, pool, connect, close }
}

const { builtins } = pg.types

/** How columns are parsed, for our pool only: `pg`'s own table is shared with every other user of the package. */
const columnTypes = new pg.TypeOverrides()
columnTypes.setTypeParser(builtins.INT8, toSafeInteger)
// A calendar day has no time zone; `pg` would convert it to midnight in the server's zone.
columnTypes.setTypeParser(builtins.DATE, (day) => day)

/** Counts and credits stay far below 2^53; larger numbers would silently be rounded. */
function toSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a JavaScript number`)
  return value
}

const POOL = {
  // A new connection takes 10 ms of CPU, most of it for SCRAM and the server's new process, and delays its caller; pg's default
  // of 10 s would cost that after every pause. Each one that is kept takes 3 to 6 MB of PostgreSQL's memory.
  idleTimeoutMillis: 60_000,
  // The next caller, and the jobs that look for work every second, find one.
  min: 1,
  connectionTimeoutMillis: 5_000,
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 60_000,
  application_name: 'pixelmill',
  keepAlive: true,
  types: columnTypes,
  stream: databaseSocket,
} as const satisfies pg.PoolConfig

/** A connection in use has no listener from the pool, and an error without a listener would end the process. */
function listenForErrors(pool: pg.Pool, onError: (error: Error) => void): void {
  // The pool ends before the server has noticed that its connections ended: a server that is stopped meanwhile logs useless
  // warnings.
  pool.on('connect', (client) => client.on('error', (error) => pool.ending || onError(error)))
  // The same error again if the connection was idle: onError was called already.
  pool.on('error', () => {})
}

/** Host and port, to name the server without user or password. */
function describePlace(url: string): string {
  const parsedUrl = URL.parse(url)
  if (!parsedUrl || !/^postgres(ql)?:$/.test(parsedUrl.protocol)) {
    throw new StartError('DATABASE_URL is not a PostgreSQL address: write postgres://user:password@host:5432/database.')
  }
  return parsedUrl.host || parsedUrl.searchParams.get('host') || 'localhost'
}
