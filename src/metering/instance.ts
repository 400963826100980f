import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from '../database/database.ts'

/** The first of the two numbers of an advisory lock; the second is the server's own. Any number: every server uses the same. */
export const INSTANCE_LOCK = 7_312_002

const RETRY_MS = 500

/** The name of the connection that holds the lock tells what the server does. */
const CONNECTION = 'pixelmill '

/** Of a process that is older than this name: unknown. */
export const roleOfConnection = (name: string): string =>
  name.startsWith(CONNECTION) ? name.slice(CONNECTION.length) : 'unknown'

/** This process, as others see it: a number, and a lock that it holds while it lives. */
export interface Instance {
  /** Never used by another server, before or after. */
  readonly server: number
  /** Whether it holds its lock. While it does not, what it begins may be given to others, or back. */
  held(): boolean
  /** Frees the lock: what this server has still reserved may be given back by others. */
  close(): Promise<void>
}

/**
 * Takes a number and holds its lock on a connection of its own: the lock is free as soon as this process has died,
 * however it died, and then anybody may give back what it had reserved.
 * While the connection is broken others may take this server for dead: its calls under way then fail without a charge.
 */
export async function registerInstance(database: Database, onBreak: (error: unknown) => void, role = 'all'): Promise<Instance> {
  const { rows } = await database.pool.query<{ server: number }>(`select nextval('server_number')::int as server`)
  const [{ server } = { server: 0 }] = rows
  let closing = false
  let held = false
  let connection = await lockOnConnection()

  async function lockOnConnection(): Promise<pg.Client> {
    const client = await database.connect()
    client.on('error', (error) => {
      held = false
      if (!closing) onBreak(error)
    })
    try {
      await shortenKeepAlive(client)
      await client.query(`select set_config('application_name', $1, false)`, [`${CONNECTION}${role}`])
      // Waits for a server that is giving back what was reserved under this number.
      await client.query('select pg_advisory_lock($1, $2)', [INSTANCE_LOCK, server])
    } catch (error) {
      await client.end()
      throw error
    }
    held = true
    client.once('end', () => {
      held = false
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
        // What broke it was told once: while the database is away, each try would tell the same again.
        () => {},
      )
    }
    if (closing) await connection.end()
  }
  return {
    server,
    held: () => held,
    async close() {
      closing = true
      await connection.end()
    },
  }
}

/** A machine that loses its power closes no connection: PostgreSQL would keep its lock for two hours, and so keeps it for a minute. */
async function shortenKeepAlive(client: pg.Client): Promise<void> {
  await client.query('set tcp_keepalives_idle = 30')
  await client.query('set tcp_keepalives_interval = 10')
  await client.query('set tcp_keepalives_count = 3')
}
