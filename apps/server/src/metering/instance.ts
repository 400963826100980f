import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from '../database/database.ts'

/** The first of the two numbers of an advisory lock; the second is the server's own. Any number: all servers use the same. */
export const INSTANCE_LOCK = 7_312_002

const RETRY_MS = 500

/** The name of the connection that holds the lock tells the role of the server. */
const CONNECTION = 'pixelmill '

/** Unknown for a process of a release before this name. */
export const roleOfConnection = (name: string): string =>
  name.startsWith(CONNECTION) ? name.slice(CONNECTION.length) : 'unknown'

const TRY_LOCK = { name: 'try_lock', text: 'select pg_try_advisory_lock($1::bigint) as taken' }
const UNLOCK = { name: 'unlock', text: 'select pg_advisory_unlock($1::bigint)' }

/** This process, as others see it: a number, and a lock that it holds while it is alive. */
export interface Instance {
  /** Never used by another server, before or after. */
  readonly server: number
  /** Whether it holds its lock. Without it, other servers may take over or give back the work that it starts. */
  held(): boolean
  /**
   * Takes a lock that no other server then gets, until this one gives it back or dies. A lock that cannot be taken for want of the
   * database counts as taken: it prevents work from being done twice, not from being done.
   * @param lock a number of 64 bits
   */
  tryLock(lock: string): Promise<boolean>
  unlock(lock: string): Promise<void>
  /** Releases the lock: other servers may then give back this server's reservations. */
  close(): Promise<void>
}

/**
 * Takes a number and holds its lock on a connection of its own. PostgreSQL releases the lock when this process dies, however it
 * dies; then any server may give back its reservations. While the connection is broken, other servers may consider this server
 * dead: its calls in progress then fail without a charge.
 */
export async function registerInstance(database: Database, onBreak: (error: unknown) => void, role = 'all'): Promise<Instance> {
  const { rows } = await database.pool.query<{ server: number }>(`select nextval('server_number')::int as server`)
  const [{ server } = { server: 0 }] = rows
  let closing = false
  let isHeld = false
  let connection = await lockOnConnection()

  async function lockOnConnection(): Promise<pg.Client> {
    const client = await database.connect()
    client.on('error', (error) => {
      isHeld = false
      if (!closing) onBreak(error)
    })
    try {
      await shortenKeepAlive(client)
      await client.query(`select set_config('application_name', $1, false)`, [`${CONNECTION}${role}`])
      // Waits for a server that is giving back reservations of this number.
      await client.query('select pg_advisory_lock($1, $2)', [INSTANCE_LOCK, server])
    } catch (error) {
      await client.end()
      throw error
    }
    isHeld = true
    client.once('end', () => {
      isHeld = false
      if (!closing) void reconnect()
    })
    return client
  }
  async function reconnect(): Promise<void> {
    for (let broken = true; broken && !closing; ) {
      await sleep(RETRY_MS, undefined, { ref: false })
      await lockOnConnection().then(
        (client) => {
          connection = client
          broken = false
        },
        // The cause was reported once: while the database is unavailable, each attempt would report the same again.
        () => {},
      )
    }
    if (closing) await connection.end()
  }
  return {
    server,
    held: () => isHeld,
    async tryLock(lock) {
      if (!isHeld) return true
      const lockQuery = connection.query<{ taken: boolean }>({ ...TRY_LOCK, values: [lock] })
      return await lockQuery.then(
        ({ rows }) => rows[0]?.taken ?? true,
        () => true,
      )
    },
    async unlock(lock) {
      // A connection that has broken has lost its locks.
      await connection.query({ ...UNLOCK, values: [lock] }).catch(() => {})
    },
    async close() {
      closing = true
      await connection.end()
    },
  }
}

/**
 * A machine that loses power closes no connection: PostgreSQL would keep its lock for two hours, with these settings for a
 * minute.
 */
async function shortenKeepAlive(client: pg.Client): Promise<void> {
  await client.query('set tcp_keepalives_idle = 30')
  await client.query('set tcp_keepalives_interval = 10')
  await client.query('set tcp_keepalives_count = 3')
}
