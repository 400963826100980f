import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { limits } from '../contract/limits.ts'
import { StartError } from '../contract/start-error.ts'
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

/** The oldest version that our migrations are tested on, as `server_version_num`. */
const OLDEST_VERSION = 150_000

/**
 * Opens a pool of up to `connections` connections, and checks that the server answers and is PostgreSQL 15 or newer.
 * `onError` is called for idle connections that break: the pool replaces them by itself.
 * @throws StartError with the reason, and never with the password
 */
export async function openDatabase(
  target: DatabaseTarget,
  onError: (error: Error) => void,
  connections: number = limits.databaseConnections,
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
  try {
    await checkVersion(kysely, place)
  } catch (error) {
    await kysely.destroy()
    throw error
  }
  const connect = async () => {
    const client = new pg.Client(options)
    await client.connect()
    return client
  }
  return { kysely, pool, connect, close: () => kysely.destroy() }
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

async function checkVersion(kysely: Kysely<Schema>, place: string): Promise<void> {
  const query = sql<{ number: number; name: string }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name`
  const { rows } = await query.execute(kysely).catch((error) => Promise.reject(explainConnection(error, place)))
  const version = rows[0]
  if (version && version.number >= OLDEST_VERSION) return
  const name = version?.name.split(' ')[0] ?? 'unknown'
  throw new StartError(`PostgreSQL 15 or newer is needed, and the one at ${place} is ${name}: set DATABASE_URL to a newer one.`)
}

/** Host and port, to name the server without user or password. */
function describePlace(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new StartError('DATABASE_URL is not a PostgreSQL address: write postgres://user:password@host:5432/database.')
  }
  return parsed.host || parsed.searchParams.get('host') || 'localhost'
}

/** PostgreSQL's error codes that an operator can fix: appendix A of its manual. */
const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': 'user or password is wrong; correct them in DATABASE_URL',
  '28000': "this user may not log in from here; correct DATABASE_URL or the server's pg_hba.conf",
  '3D000': 'there is no such database; create it or correct DATABASE_URL',
  '53300': 'it has no free connection; raise its max_connections or stop other clients',
  '57P03': 'it is starting up or shutting down; try again in a moment',
  ECONNREFUSED: 'nothing listens there; start it or correct DATABASE_URL',
  ENOTFOUND: 'no machine has this name; correct DATABASE_URL',
  EAI_AGAIN: 'the name server does not answer; correct DATABASE_URL or the name service',
}

/** One line for the operator about an error of `pg`; never the URL, which contains the password. */
function explainConnection(error: unknown, place: string): StartError {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (message.startsWith('SASL')) return refusal(place, REMEDIES['28P01'])
  return refusal(place, REMEDIES[code] ?? (message || code || String(error)))
}

function refusal(place: string, why: string | undefined): StartError {
  return new StartError(`Cannot use the database at ${place}: ${why}.`)
}
