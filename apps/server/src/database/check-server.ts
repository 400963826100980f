import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import type pg from 'pg'

/** The oldest version that our migrations are tested on, as `server_version_num`. */
const OLDEST_VERSION = 150_000

/** How long a start waits for a server that is not ready yet: one that was killed reads its log first. */
export interface StartPatience {
  readonly longestMs: number
  readonly pauseMs: number
  /** Called once, when the wait begins. */
  onWait(): void
}

const PATIENCE: StartPatience = { longestMs: 60_000, pauseMs: 500, onWait() {} }

/** A server, by two ways to connect to it: the pool, and a connection that is ended after the check. */
interface Server {
  readonly pool: pg.Pool
  connect(): Promise<pg.Client>
  /** Names it without user and password. */
  readonly place: string
  /** The embedded one has no pooler. */
  readonly mayBePooled: boolean
}

/**
 * Checks that the server answers, is PostgreSQL 15 or newer, and keeps what a connection sets.
 * @throws StartError with the reason, and never with the password
 */
export async function checkServer(server: Server, patience: Partial<StartPatience> = {}): Promise<void> {
  const { pool, connect, place, mayBePooled } = server
  try {
    const first = await whenReady(pool, { ...PATIENCE, ...patience })
    try {
      await checkVersion(first, place)
      if (mayBePooled) await checkSession(first, connect, place)
    } finally {
      first.release()
    }
  } catch (error) {
    throw error instanceof StartError ? error : explainConnection(error, place)
  }
}

const CANNOT_CONNECT_NOW = '57P03'
const NOBODY_LISTENS = 'ECONNREFUSED'

/** Waits while the server starts up, recovers or shuts down; if it does, also until its successor listens. */
async function whenReady(pool: pg.Pool, { longestMs, pauseMs, onWait }: StartPatience): Promise<pg.PoolClient> {
  const end = performance.now() + longestMs
  for (let waits = 0; ; waits++) {
    try {
      return await pool.connect()
    } catch (error) {
      const { code } = error as { code?: unknown }
      const passes = code === CANNOT_CONNECT_NOW || (waits > 0 && code === NOBODY_LISTENS)
      if (!passes || performance.now() > end) throw error
    }
    if (waits === 0) onWait()
    await sleep(pauseMs)
  }
}

async function checkVersion(client: pg.ClientBase, place: string): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  )
  const [version] = rows
  if (version && version.number >= OLDEST_VERSION) return
  const name = version?.name.split(' ')[0] ?? 'unknown'
  throw new StartError(`PostgreSQL 15 or newer is needed, and the one at ${place} is ${name}: set DATABASE_URL to a newer one.`)
}

/**
 * Advisory locks, prepared statements and settings belong to a process of the server. A pooler in transaction or statement mode gives
 * each transaction the process that was used last, or all in turn: two connections then share one, or one has several.
 */
async function checkSession(first: pg.ClientBase, connect: Server['connect'], place: string): Promise<void> {
  const second = await connect()
  try {
    const before = await processOf(first)
    const other = await processOf(second)
    const own = [await processOf(first), await processOf(first)]
    const keeps = own.every((process) => process === before) && (await processOf(second)) === other && other !== before
    if (!keeps) throw refusal(place, POOLED)
  } finally {
    await second.end()
  }
}

async function processOf(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ process: number }>('select pg_backend_pid() as process')
  return rows[0]?.process
}

const POOLED =
  'a pooler gives each transaction another connection, so that locks would be lost; set its pool_mode to session, as docs/scaling.md says'

/** PostgreSQL's error codes that an operator can fix: appendix A of its manual. */
const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': 'user or password is wrong; correct them in DATABASE_URL',
  '28000': "this user may not log in from here; correct DATABASE_URL or the server's pg_hba.conf",
  '3D000': 'there is no such database; create it or correct DATABASE_URL',
  '53300': 'it has no free connection; raise its max_connections or stop other clients',
  [CANNOT_CONNECT_NOW]: 'it is still starting up or shutting down; try again in a moment',
  [NOBODY_LISTENS]: 'nothing listens there; start it or correct DATABASE_URL',
  ENOTFOUND: 'no machine has this name; correct DATABASE_URL',
  EAI_AGAIN: 'the name server does not answer; correct DATABASE_URL or the name service',
}

/** As PgBouncer words it. */
const REFUSED_PARAMETER = /^unsupported startup parameter: (\w+)/

/** One line for the operator about an error of `pg`; never the URL, which contains the password. */
function explainConnection(error: unknown, place: string): StartError {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const [, parameter] = REFUSED_PARAMETER.exec(message) ?? []
  if (parameter !== undefined)
    return refusal(place, `its pooler refuses ${parameter}; set its ignore_startup_parameters, as docs/scaling.md says`)
  if (message.startsWith('SASL')) return refusal(place, REMEDIES['28P01'])
  return refusal(place, REMEDIES[code] ?? (message || code || String(error)))
}

function refusal(place: string, why: string | undefined): StartError {
  return new StartError(`Cannot use the database at ${place}: ${why}.`)
}
