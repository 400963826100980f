import type pg from 'pg'

/** Latencies and failures of a pool, in seconds. */
export interface PoolTimes {
  onWait(seconds: number): void
  onUse(seconds: number): void
  /** No connection was available: the server is down, or all were in use for too long. */
  onFailure(): void
}

type Done = (error: Error | undefined, client: pg.PoolClient | undefined, release: (destroy?: boolean | Error) => void) => void

const secondsSince = (began: number): number => (performance.now() - began) / 1000

/** Measures a pool from now on. pg's own query requests connections by callback, Kysely by promise. */
export function timePool(pool: pg.Pool, { onWait, onUse, onFailure }: PoolTimes): void {
  const since = new WeakMap<pg.PoolClient, number>()
  pool.on('acquire', (client) => since.set(client, performance.now()))
  pool.on('release', (_error, client) => {
    const began = since.get(client)
    if (began !== undefined) onUse(secondsSince(began))
  })
  const connect = pool.connect.bind(pool) as (onDone: Done) => void
  const timedCallback = (onDone: Done) => {
    const began = performance.now()
    connect((error, client, release) => {
      if (error) onFailure()
      else onWait(secondsSince(began))
      onDone(error, client, release)
    })
  }
  const promisClient = () =>
    new Promise<pg.PoolClient>((resolve, reject) => timedCallback((error, client) => (client ? resolve(client) : reject(error))))
  pool.connect = ((onDone?: Done) => (onDone ? timedCallback(onDone) : promisClient())) as typeof pool.connect
}
